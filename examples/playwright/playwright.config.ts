import { defineConfig } from "@playwright/test";
import type { PosternUse } from "postern-client/playwright";

const {
  APP_PORT = "4000",
  CHROMIUM,
  POSTERN_URL = "http://localhost:3000",
  POSTERN_TOKEN = "",
} = process.env;
const url = `http://127.0.0.1:${APP_PORT}`;

export default defineConfig<PosternUse>({
  testDir: "tests",
  fullyParallel: true,
  retries: 1,
  use: {
    baseURL: url,
    postern: { url: POSTERN_URL, token: POSTERN_TOKEN, site: "example.com", domain: "letters.test" },
    ...(CHROMIUM === undefined
      ? {}
      : { launchOptions: { executablePath: CHROMIUM, args: ["--no-sandbox"] } }),
  },
  webServer: { command: "node app/server.js", url, env: { PORT: APP_PORT } },
});

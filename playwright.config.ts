import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig, devices } from "@playwright/test";
import { useTemporary } from "./scripts/temporary.mjs";
import { freePort } from "./test/kit/port.ts";

useTemporary();
// The workers read this file again: they inherit what the first reading has put into the environment.
process.env["E2E_PORT"] ??= String(await freePort());
process.env["E2E_SMTP_PORT"] ??= String(await freePort());
process.env["E2E_DATA_DIR"] ??= join(tmpdir(), `postern-e2e-${randomUUID()}`);

const noted = ".cache/browser/path";
const browser = process.env["CHROMIUM"] ?? (existsSync(noted) ? readFileSync(noted, "utf8") : undefined);

export default defineConfig({
  testDir: "test/e2e",
  // Draws pictures and tests nothing.
  testIgnore: process.env["SCREENS"] === undefined ? "**/screens.spec.ts" : [],
  outputDir: ".cache/e2e",
  globalSetup: "./test/e2e/globalSetup.ts",
  forbidOnly: process.env["CI"] !== undefined,
  fullyParallel: true,
  // One more than processors, as in vitest.config.ts: 294 s on two cores where two workers took 324.
  workers: availableParallelism() + 1,
  retries: 0,
  // As in vitest.config.ts: against what hangs. Machines were seen at a quarter of their speed, and shared on top.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  use: {
    // What a test routes must not be answered from a cache; offline.spec.ts is about the worker and lets it in.
    serviceWorkers: "block",
    baseURL: `http://127.0.0.1:${process.env["E2E_PORT"]}`,
    // A press that waits for ever would tell nothing of what it waits for.
    actionTimeout: 60_000,
    navigationTimeout: 90_000,
    screenshot: "only-on-failure",
    // Without a graphics processor each frame of a movement is drawn by the processor that the test waits for.
    contextOptions: { reducedMotion: "reduce" },
    // A trace of every test would make them a third slower.
    trace: process.env["TRACE"] === undefined ? "off" : "retain-on-failure",
    launchOptions: {
      ...(browser === undefined ? {} : { executablePath: browser }),
      args: [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
      ],
    },
  },
  // A test runs once, in a wide window. `@phone` runs it on a phone instead, `@both` on both: where the promise differs there.
  // `@full` leaves it to `npm run test:full`.
  projects: [
    { name: "desktop", grepInvert: /@phone\b/, use: { viewport: { width: 1280, height: 800 } } },
    { name: "phone", grep: /@(phone|both)\b/, use: { ...devices["Pixel 7"] } },
  ],
});

import { sandboxCode } from "../../../../contract/sandbox.ts";
import type { CodeLanguage } from "../../code/highlight.ts";
import { quoted } from "../../snippets/request.ts";
import type { Start } from "../../start/startSamples.ts";

/** The token, or where a program finds it. */
const tokenOf = (token: string | undefined) => (token === undefined ? 'env["TOKEN"] ?? ""' : quoted(token));

const readsToken = (token: string | undefined) =>
  token === undefined ? 'import { env } from "node:process";\n' : "";

const shopOf = ({ base, domain, token }: Start) =>
  `{ url: ${quoted(base)}, token: ${tokenOf(token)}, site: "sandbox-ok", domain: ${quoted(domain)} }`;

const playwrightConfig = (
  start: Start,
) => `${readsToken(start.token)}import { defineConfig } from "@playwright/test";
import type { PosternUse } from "postern-client/playwright";

export default defineConfig<PosternUse>({
  fullyParallel: true,
  retries: 1,
  use: {
    postern: ${shopOf(start)},
  },
});`;

const playwright = () => `import { expect, test } from "postern-client/playwright";

test("signs up", async ({ inbox }) => {
  console.log(inbox.address); // await page.getByLabel("Email").fill(inbox.address);
  expect(await inbox.code()).toBe("${sandboxCode}");
});`;

const vitest = (
  start: Start,
) => `${readsToken(start.token)}import { inboxFixture } from "postern-client/testing";
import { expect, test as base } from "vitest";

const shop = ${shopOf(start)};
const test = base.extend({ inbox: inboxFixture(shop) });

test("signs up", { timeout: 60_000 }, async ({ inbox }) => {
  expect(await inbox.code()).toBe("${sandboxCode}");
});`;

const assistant = ({ base, token = "…" }: Start) => `{
  "mcpServers": {
    "postern": {
      "command": "npx",
      "args": ["-y", "postern-client", "mcp"],
      "env": { "POSTERN_URL": ${quoted(base)}, "POSTERN_TOKEN": ${quoted(token)} }
    }
  }
}`;

export interface ToolSample {
  /** The file that it is. */
  readonly title: string;
  readonly language: CodeLanguage;
  readonly write: (start: Start) => string;
}

/** Files for the settings and tests of tools that use the client. */
export const toolSamples = {
  playwrightConfig: { title: "playwright.config.ts", language: "typescript", write: playwrightConfig },
  playwright: { title: "signup.spec.ts", language: "typescript", write: playwright },
  vitest: { title: "signup.test.ts", language: "typescript", write: vitest },
  assistant: { title: "mcp.json", language: "json", write: assistant },
} as const satisfies Record<string, ToolSample>;

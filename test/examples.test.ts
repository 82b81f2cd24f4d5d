// @module-tag full
// The projects in examples/ with the packed client, as a customer has them.
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { freePort } from "./kit/port.ts";
import { installClient, type PackedClient } from "./kit/packed.ts";
import { toolSamples } from "../src/web/docs/guides/samples/toolSamples.ts";
import { startShop, type TestShop } from "./kit/shop.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const root = fileURLToPath(new URL("..", import.meta.url));
const example = join(root, "examples/playwright");
const noted = join(root, ".cache/browser/path");
// `npm run check` has no browser, and does not run what needs one.
const browser = process.env["CHROMIUM"] ?? (existsSync(noted) ? readFileSync(noted, "utf8") : "");

let client: PackedClient;
let shop: TestShop;
let environment: Record<string, string>;

beforeAll(async () => {
  client = await installClient();
  const smtpPort = await freePort();
  shop = await startShop({ SMTP_PORT: String(smtpPort) });
  const { program } = client;
  cpSync(example, program, { recursive: true });
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(program, "package.json"), "utf8"),
  ) as {
    dependencies: object;
    devDependencies: object;
  };
  const more = { "@types/node": "", vitest: "" };
  for (const name of Object.keys({ ...dependencies, ...devDependencies, ...more })) {
    const path = join("node_modules", name);
    if (name === "postern-client") continue;
    mkdirSync(dirname(join(program, path)), { recursive: true });
    symlinkSync(join(root, path), join(program, path));
  }
  const token = await shop.buyer();
  environment = {
    APP_PORT: String(await freePort()),
    CHROMIUM: browser,
    MAIL_URL: `smtp://127.0.0.1:${smtpPort}?ignoreTLS=true`,
    POSTERN_URL: shop.url,
    POSTERN_TOKEN: token,
    TOKEN: token,
  };
});
afterAll(async () => {
  await shop?.stop();
  client?.remove();
});

interface Report {
  stats: { expected: number; unexpected: number; flaky: number };
}

/** Throws with what Playwright says when a test fails. */
async function playwright(...words: string[]): Promise<Report> {
  const cli = join(root, "node_modules/@playwright/test/cli.js");
  const report = join(client.program, "report");
  const env = { ...environment, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  await client.run(env, process.execPath, cli, "test", "--reporter=line,json", ...words);
  return JSON.parse(readFileSync(report, "utf8")) as Report;
}

test("the example signs up with addresses of the shop, and pays only for letters", async () => {
  const { stats } = await playwright("--workers=2");
  expect(stats).toMatchObject({ expected: 3, unexpected: 0, flaky: 0 });
  const orders = await shop.db<{ status: string; count: number }[]>`
    select status::text, count(*)::int from orders group by status order by status`;
  expect(orders).toEqual([
    { status: "canceled", count: 1 },
    { status: "received", count: 2 },
  ]);
});

test("a retried test, and the same test beside itself, have addresses of their own", async () => {
  const seen = join(client.program, "seen");
  writeFileSync(
    join(client.program, "tests/retried.spec.ts"),
    `import { appendFileSync } from "node:fs";
import { expect, test } from "postern-client/playwright";
test("fails once", async ({ inbox, openInbox }, { retry }) => {
  const other = await openInbox();
  appendFileSync(${JSON.stringify(seen)}, \`\${inbox.address} \${other.address} \`);
  expect(retry).toBe(1);
});`,
  );
  const { stats } = await playwright("retried.spec.ts", "--repeat-each=2", "--workers=2");
  expect(stats).toMatchObject({ expected: 0, unexpected: 0, flaky: 2 });
  const addresses = readFileSync(seen, "utf8").trim().split(" ");
  expect(addresses).toHaveLength(8);
  expect(new Set(addresses).size).toBe(8);
  const waiting = await shop.db`select 1 from orders where status = 'pending'`;
  expect(waiting).toHaveLength(0);
});

test("the files of the documentation run as they are pasted", async () => {
  const { playwrightConfig, playwright: spec, vitest } = toolSamples;
  for (const [folder, samples] of Object.entries({ spec: [playwrightConfig, spec], vitest: [vitest] })) {
    mkdirSync(join(client.program, folder));
    for (const { title, write } of samples)
      writeFileSync(join(client.program, folder, title), write({ base: shop.url, domain: "letters.test" }));
  }
  const { stats } = await playwright("--config=spec/playwright.config.ts");
  expect(stats).toMatchObject({ expected: 1, unexpected: 0, flaky: 0 });
  const words = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--root=vitest"];
  const report = join(client.program, "report");
  const written = ["--reporter=json", `--outputFile=${report}`];
  await client.run(environment, process.execPath, ...words, ...written);
  expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({ success: true, numPassedTests: 1 });
});

test("its tests and its settings are typed", async () => {
  const options = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: { lib: ["es2023", "dom"], types: ["node"] },
    include: ["tests", "spec", "vitest", "playwright.config.ts"],
  };
  writeFileSync(join(client.program, "tsconfig.json"), JSON.stringify(options));
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  await client.run({}, process.execPath, compiler, "-p", client.program);
  const settings = join(client.program, "playwright.config.ts");
  writeFileSync(settings, readFileSync(settings, "utf8").replace("site:", "sight:"));
  await expect(client.run({}, process.execPath, compiler, "-p", client.program)).rejects.toThrow("'sight'");
});

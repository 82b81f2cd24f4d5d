// @module-tag slow
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { guarded } from "./kit/guard.ts";
import { installClient, type PackedClient } from "./kit/packed.ts";
import { startShop, type TestShop } from "./kit/shop.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

const root = fileURLToPath(new URL("..", import.meta.url));
const compiler = join(root, "node_modules/typescript/bin/tsc");
let client: PackedClient;
let program: string;
let installed: string;
let shop: TestShop;
let environment: Record<string, string>;

const run = (file: string, ...words: string[]) => client.run(environment, file, ...words);

beforeAll(async () => {
  client = await installClient();
  ({ program, installed } = client);
  shop = await startShop();
  environment = { POSTERN_URL: shop.url, POSTERN_TOKEN: await shop.buyer() };
});
afterAll(async () => {
  await shop?.stop();
  client?.remove();
});

test("a program that has only the package orders, waits and reads the code", async () => {
  writeFileSync(
    join(program, "order.js"),
    `import { Postern, PosternError } from "postern-client";
const postern = new Postern({ url: process.env.POSTERN_URL, token: process.env.POSTERN_TOKEN });
const order = await postern.order({ site: "sandbox-ok", domain: "letters.test" });
const letter = await order.waitForLetter({ timeoutSeconds: 60 });
const error = await postern.cancel("1").catch((thrown) => thrown);
console.log(JSON.stringify([letter.code, error instanceof PosternError, error.value]));`,
  );
  const said = JSON.parse(await run(process.execPath, "order.js")) as unknown;
  expect(said).toEqual(["482915", true, "no activation"]);
});

test("the command comes with it", async () => {
  expect(await run(join(program, "node_modules/.bin/postern"), "balance")).toBe("10.0\n");
});

test("an assistant that starts its server has the tools, and the user is warned of a token without limits", async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(installed, "command/main.js"), "mcp"],
    env: { PATH: process.env["PATH"] ?? "", ...guarded(), ...environment },
    stderr: "pipe",
  });
  const warned = new Promise((resolve) => transport.stderr?.once("data", resolve));
  const assistant = new Client({ name: "assistant", version: "1" });
  await assistant.connect(transport);
  const { content } = await assistant.callTool({ name: "balance" });
  expect(content).toEqual([{ type: "text", text: "The balance is $10.0." }]);
  const { tools } = await assistant.listTools();
  expect(tools.find(({ name }) => name === "order_address")?.inputSchema.properties).toHaveProperty("site");
  expect(String(await warned)).toContain("make a limited one");
  await assistant.close();
});

test("it brings no other package, and says what it is", () => {
  const lock = JSON.parse(readFileSync(join(program, "package-lock.json"), "utf8")) as { packages: object };
  expect(Object.keys(lock.packages)).toEqual(["", "node_modules/postern-client"]);
  expect(readFileSync(join(installed, "README.md"), "utf8")).toContain("waitForLetter");
  expect(readFileSync(join(installed, "LICENSE"), "utf8")).toContain("MIT");
  expect(readFileSync(join(installed, "LICENSES-OF-OTHERS.txt"), "utf8")).toContain(
    "@modelcontextprotocol/server",
  );
});

async function compile(name: string, text: string, folder = program): Promise<void> {
  writeFileSync(join(folder, name), text);
  const options = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: {
      lib: ["es2023", "dom", "dom.iterable"],
      skipLibCheck: false,
      paths: { "postern-client": [join(installed, "client.d.ts")] },
    },
    files: [name],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(options));
  await run(process.execPath, compiler, "-p", folder);
}

test("a program in TypeScript is understood, and told of its mistakes", async () => {
  await compile(
    "typed.ts",
    `import { Postern, PosternError } from "postern-client";
const postern = new Postern({ url: "https://shop.example", token: "t" });
const order = await postern.order({ site: "instagram.com", domain: "letters.test", regex: "(\\d{6})" });
const { code, received_at }: { code?: string | undefined; received_at: number } = await order.waitForLetter();
const { data } = await postern.ask("statement", { book: "balance" });
export function isPoor(error: unknown): boolean {
  return error instanceof PosternError && error.value === "no balance" && error.more.missing !== undefined;
}
export const all = [code, received_at, data];
// @ts-expect-error An order needs a mail domain.
await postern.order({ site: "instagram.com" });
// @ts-expect-error There is no such call.
await postern.ask("statment", {});
// @ts-expect-error This call answers no JSON.
await postern.ask("statementFile", {});
// @ts-expect-error The shop never says so.
export const isWrong = (error: PosternError) => error.value === "no money";`,
  );
});

test("its types say what the contract says, of every call", async () => {
  const folder = mkdtempSync(join(root, ".cache/client-types-"));
  try {
    await compile(
      "same.ts",
      `import type { Calls, ShopEvent } from "postern-client";
import type { Calls as Declared, ShopEvent as DeclaredEvent } from "../../src/client/wire.ts";
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;
type Each = { [Name in keyof Declared]: { [Part in keyof Declared[Name]]: Same<Declared[Name][Part], Calls[Name][Part]> } };
type Every = { [Name in keyof Declared]: { ask: true; reply: true; refusal: true } };
export const names: Same<keyof Declared, keyof Calls> = true;
export const events: Same<DeclaredEvent, ShopEvent> = true;
export const calls: (each: Each) => Every = (each) => each;`,
      folder,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

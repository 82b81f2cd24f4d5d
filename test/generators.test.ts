// @module-tag full
// Clients that generators of others make of /openapi.json, compiled strictly, against a shop.
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { sandboxCode } from "../src/contract/sandbox.ts";
import { guarded } from "./kit/guard.ts";
import { startShop, type TestShop } from "./kit/shop.ts";

vi.setConfig({ testTimeout: 120_000 });

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const generators = join(root, ".cache/generators");
const isHere = existsSync(join(generators, "node_modules/.package-lock.json"));
const tool = (path: string) => join(generators, "node_modules", path);

const clients = [
  {
    name: "openapi-typescript",
    words: [tool("openapi-typescript/bin/cli.js"), "openapi.json", "-o", "schema.d.ts"],
    program: `import createClient from "openapi-fetch";
import type { paths } from "./schema.d.ts";

const shop = createClient<paths>({
  baseUrl: process.env["POSTERN_URL"] ?? "",
  headers: { Authorization: \`Bearer \${process.env["POSTERN_TOKEN"]}\` },
});
const order = { site: "sandbox-ok", domain: "letters.test" };
const { data: ordered } = await shop.GET("/email/order", { params: { query: order } });
if (ordered?.status !== "success" || !("id" in ordered)) throw new Error(JSON.stringify(ordered));
const read = { id: ordered.id, wait: 60 };
const { data: letter } = await shop.GET("/email/getmessage", { params: { query: read } });
if (typeof letter !== "object" || letter.status !== "success") throw new Error(JSON.stringify(letter));
console.log(letter.code);
// @ts-expect-error There is no such call.
export const wrong = () => shop.GET("/email/ordr", { params: { query: order } });`,
  },
  {
    name: "@hey-api/openapi-ts",
    words: [
      tool("@hey-api/openapi-ts/bin/run.js"),
      "--input=openapi.json",
      "--output=made",
      "--client=@hey-api/client-fetch",
      "--no-log-file",
      "--silent",
    ],
    program: `import { client } from "./made/client.gen.js";
import { getMessage, orderEmail } from "./made/sdk.gen.js";

client.setConfig({ baseUrl: process.env["POSTERN_URL"] ?? "", auth: () => process.env["POSTERN_TOKEN"] });
const { data: ordered } = await orderEmail({ query: { site: "sandbox-ok", domain: "letters.test" } });
if (ordered?.status !== "success" || !("id" in ordered)) throw new Error(JSON.stringify(ordered));
const { data: letter } = await getMessage({ query: { id: ordered.id, wait: 60 } });
if (typeof letter !== "object" || letter.status !== "success") throw new Error(JSON.stringify(letter));
console.log(letter.code);
// @ts-expect-error An order needs a mail domain.
export const wrong = () => orderEmail({ query: { site: "sandbox-ok" } });`,
  },
  {
    name: "orval",
    words: [tool("orval/dist/bin/orval.mjs"), "--config=orval.config.js"],
    settings: `const output = { target: "made.ts", client: "fetch", baseUrl: { getBaseUrlFromSpecification: true } };
export default { shop: { input: "openapi.json", output } };`,
    program: `import { getMessageByPost, orderEmail } from "./made.js";

const headers = { Authorization: \`Bearer \${process.env["POSTERN_TOKEN"]}\` };
const { data: ordered } = await orderEmail({ site: "sandbox-ok", domain: "letters.test" }, { headers });
if (ordered.status !== "success" || !("id" in ordered)) throw new Error(JSON.stringify(ordered));
const { data: letter } = await getMessageByPost({ id: ordered.id, wait: 60, preview: "0" }, { headers });
if (typeof letter !== "object" || letter.status !== "success") throw new Error(JSON.stringify(letter));
console.log(letter.code);
// @ts-expect-error A flag is "0" or "1".
export const wrong = () => getMessageByPost({ id: ordered.id, preview: "yes" });`,
  },
];

const options = {
  compilerOptions: {
    target: "es2024",
    lib: ["es2024", "dom", "dom.iterable"],
    module: "nodenext",
    strict: true,
    noUncheckedIndexedAccess: true,
    rewriteRelativeImportExtensions: true,
    outDir: "out",
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  },
  files: ["program.ts"],
};

describe.skipIf(!isHere)(
  `a generated client ${isHere ? "" : "SKIPPED: no generators, see scripts/apart.mjs"}`,
  () => {
    let shop: TestShop;
    let token: string;
    let document: string;
    const folders: string[] = [];
    beforeAll(async () => {
      shop = await startShop();
      token = await shop.member();
      document = await (await fetch(`${shop.url}/openapi.json`)).text();
    });
    afterAll(async () => {
      await shop.stop();
      for (const folder of folders) rmSync(folder, { recursive: true });
    });

    test.each(clients)(
      "of $name compiles, orders an address and reads the code",
      async ({ words, settings = "", program }) => {
        // Within, where the packages are found.
        const folder = mkdtempSync(join(generators, "client-"));
        folders.push(folder);
        writeFileSync(join(folder, "package.json"), `{ "type": "module" }`);
        writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(options));
        writeFileSync(join(folder, "openapi.json"), document);
        writeFileSync(join(folder, "orval.config.js"), settings);
        writeFileSync(join(folder, "program.ts"), program);
        const env = {
          ...guarded(),
          PATH: process.env["PATH"] ?? "",
          POSTERN_URL: shop.url,
          POSTERN_TOKEN: token,
        };
        const node = async (...all: string[]) => {
          const made = await run(process.execPath, all, { cwd: folder, env }).catch(
            (fault: { stdout: string; stderr: string }) => fault,
          );
          return made.stdout + made.stderr;
        };
        const said = await node(...words);
        expect(await node(tool("typescript/bin/tsc"), "-p", "."), said).toBe("");
        expect(await node("out/program.js")).toBe(`${sandboxCode}\n`);
      },
    );
  },
);

// @module-tag slow
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { found } from "../kit/programs.ts";
import { guarded } from "../kit/guard.ts";
import { startShop, type TestShop } from "../kit/shop.ts";
import { endpoints } from "../../src/contract/api.ts";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { type DocumentedName, examples } from "../../src/contract/examples.ts";
import { languages, type SampleLanguage } from "../../src/web/docs/snippets/languages.ts";
import { requestOf } from "../../src/web/docs/snippets/request.ts";
import { startSamples } from "../../src/web/docs/start/startSamples.ts";

// Samples run unchanged against a shop.

const run = promisify(execFile);

const [shell, python, go, php] = [found("curl") && found("sh"), found("python3"), found("go"), found("php")];

/** The client as programs install it. */
const client = new URL("../../src/client/client.ts", import.meta.url).href;

let shop: TestShop;
let folder: string;
let token: string;
beforeAll(async () => {
  shop = await startShop();
  token = await shop.buyer();
  folder = await mkdtemp(join(tmpdir(), "postern-samples-"));
  await writeFile(join(folder, "batch.txt"), "nora@mail.example:secret\n");
});
afterAll(async () => {
  await shop.stop();
  await rm(folder, { recursive: true, force: true });
});

async function commandOf(language: SampleLanguage, text: string): Promise<[string, string[]]> {
  if (language === "curl") return [shell ?? "", ["-c", text.replace("curl ", "curl -sS ")]];
  const endings = { javascript: "mjs", typescript: "mts", python: "py", go: "go", php: "php" };
  const file = join(await mkdtemp(join(folder, "sample-")), `sample.${endings[language]}`);
  await writeFile(file, `${text.replace('"postern-client"', JSON.stringify(client))}\n`);
  const commands = {
    javascript: [process.execPath, file],
    typescript: [process.execPath, file],
    python: [python ?? "", file],
    go: [go ?? "", "run", file],
    php: [php ?? "", file],
  };
  const [program = "", ...words] = commands[language];
  return [program, words];
}

const environment = () => ({
  ...process.env,
  ...guarded(),
  TOKEN: token,
  GOFLAGS: "",
  GOCACHE: join(folder, "go"),
});

async function printed(language: SampleLanguage, text: string): Promise<string> {
  const [program, words] = await commandOf(language, text);
  const options = { cwd: folder, env: environment() };
  const outputs = await run(program, words, options).catch(
    (fault: { stdout: string; stderr: string }) => fault,
  );
  return outputs.stdout + outputs.stderr;
}

const sampleOf = (language: SampleLanguage, name: DocumentedName, ask: Record<string, string>) =>
  languages[language].write(requestOf(endpoints[name], ask, shop.url));

describe.each([
  { language: "curl", here: shell },
  { language: "javascript", here: process.execPath },
  { language: "typescript", here: process.execPath },
  { language: "python", here: python },
  { language: "go", here: go },
  { language: "php", here: php },
] as const)("a sample in $language", ({ language, here }) => {
  // `npm test` runs Python only: each language makes the same calls.
  const slow = { timeout: 180_000, tags: language === "python" ? [] : ["full"] };

  test.runIf(here)(
    "gets the first code by the program that the documentation begins with",
    slow,
    async () => {
      for (const written of [undefined, token]) {
        const text = startSamples[language].write({ base: shop.url, domain: "letters.test", token: written });
        expect(await printed(language, text)).toMatch(/@[^]*482915/);
      }
    },
  );

  test.runIf(here)("buys, reads, orders again and cancels", slow, async () => {
    const say = (name: DocumentedName, ask: Record<string, string> = {}) =>
      printed(language, sampleOf(language, name, ask));
    expect(await say("balance")).toMatch(/\d\.\d/);
    expect(await say("quantity", { site: "instagram.com" })).toContain("letters.test");
    expect(await say("aggregators")).toContain("all");
    const ordered = await say("orderEmail", { site: "sandbox-ok", domain: "letters.test,mailroom.test" });
    const id = /\b4\d{10}\b/.exec(ordered)?.[0] ?? "";
    expect(ordered).toContain("@");
    expect(await say("getMessage", { id, wait: "30" })).toContain("482915");
    const reordered = await say("reorderEmail", { id, subject: 'it\'s "new" & 50%' });
    const second = /\b4\d{10}\b/.exec(reordered)?.[0] ?? "";
    expect(second).not.toBe(id);
    // The client answers the balance alone.
    const canceled = language === "typescript" ? "balance: '" : "activation canceled";
    expect(await say("cancelEmail", { id: second })).toContain(canceled);
    expect(await say("cancelEmail", { id: second })).toContain("activation already canceled");
  });

  test.runIf(here)("asks with a form where a secret is sent, and keeps a file", slow, async () => {
    const { ask } = examples.changePassword;
    expect(await printed(language, sampleOf(language, "changePassword", ask))).toContain("invalid code");
    const file = await printed(language, sampleOf(language, "statementFile", {}).replace("-OJ", ""));
    expect(file).toContain("id,at,kind,amount,balance");
  });

  test.runIf(here)("sends a file", slow, async () => {
    const { ask } = examples.uploadBatch;
    const investor = await shop.member();
    await shop.db`update users set is_investor = true where email <> 'buyer@example.com'`;
    const own = requestOf(endpoints.uploadBatch, ask, shop.url, investor);
    expect(await printed(language, languages[language].write(own))).toContain("too few mailboxes");
  });

  test.runIf(here)("follows the stream", slow, async () => {
    const [program, words] = await commandOf(language, sampleOf(language, "events", {}));
    // A process group: `go run` and the shell start children.
    const child = spawn(program, words, { cwd: folder, env: environment(), detached: true });
    try {
      await expect.poll(() => outputOf(child), { timeout: 120_000 }).toContain("event: ready");
    } finally {
      process.kill(-(child.pid ?? Number.NaN), "SIGKILL");
    }
  });
});

const outputs = new WeakMap<object, { text: string }>();
function outputOf(child: ReturnType<typeof spawn>): string {
  const kept = outputs.get(child) ?? { text: "" };
  if (!outputs.has(child)) {
    outputs.set(child, kept);
    child.stdout?.on("data", (part: Buffer) => (kept.text += part.toString()));
  }
  return kept.text;
}

describe.each(["curl", "javascript", "typescript"] as const)("each call by its sample in %s", (language) => {
  const calls = (Object.keys(examples) as DocumentedName[]).filter(
    // One ends the test's token, the other never ends.
    (name) => name !== "replaceToken" && name !== "events",
  );
  test.runIf(shell).each(calls)("%s is understood", { tags: ["full"] }, async (name) => {
    const said = await printed(language, sampleOf(language, name, examples[name].ask).replace("-OJ", ""));
    const { refusals }: Endpoint = endpoints[name];
    // The same sample in another language may have sent a code just before.
    // The client answers some calls without the envelope.
    const bare = ["email: '", "balance: '", "count: "];
    const isNumber = language === "typescript" && /^\d+\.\d+$/.test(said.trim());
    const known = [
      "success",
      "id,at,kind",
      "activation_id,site",
      "try again",
      ...refusals,
      ...(language === "typescript" ? bare : []),
    ];
    expect(isNumber || known.some((word) => said.includes(word)), said).toBe(true);
    expect(said).not.toMatch(/SyntaxError|curl:/);
    // The sample's webhook points elsewhere.
    await shop.db`delete from webhook`;
  });
});

test.runIf(go)("programs in Go stand as gofmt lays them out", { timeout: 60_000 }, async () => {
  for (const name of Object.keys(examples) as DocumentedName[]) {
    const file = join(folder, `${name}.go`);
    await writeFile(file, `${sampleOf("go", name, examples[name].ask)}\n`);
  }
  const { stdout } = await run(join(go ?? "", "../gofmt"), ["-l", "."], { cwd: folder });
  expect(stdout).toBe("");
});

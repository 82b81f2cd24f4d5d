// @module-tag slow
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { guarded } from "../../../test/kit/guard.ts";
import { freePort } from "../../../test/kit/port.ts";
import { startShop, type TestShop } from "../../../test/kit/shop.ts";
import { runCommand } from "./command.ts";

// Several processes run one after the other, maybe on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

const program = fileURLToPath(new URL("main.ts", import.meta.url));
let shop: TestShop;
let settings: Record<string, string>;

beforeAll(async () => {
  shop = await startShop();
  settings = { POSTERN_URL: shop.url, POSTERN_TOKEN: await shop.buyer() };
});
afterAll(() => shop.stop());

function run(words: string[], more: Record<string, string> = {}) {
  const env = { PATH: process.env["PATH"] ?? "", ...guarded(), ...settings, ...more };
  return new Promise<{ status: number; out: string; err: string }>((done) => {
    const child = execFile(process.execPath, [program, ...words], { env }, (_fault, out, err) =>
      done({ status: child.exitCode ?? -1, out, err }),
    );
  });
}

const order = (site: string) => ["order", "--site", site, "--domain", "letters.test"];

test("a script orders, waits and has the code alone on standard output", async () => {
  const ordered = await run(order("sandbox-ok"));
  expect(ordered).toMatchObject({ status: 0, out: expect.stringMatching(/^\d+ {2}\S+@\S+\n$/) });
  const [id = ""] = ordered.out.split(" ");
  const waited = await run(["wait", id, "--timeout", "60"]);
  expect(waited).toMatchObject({ status: 0, out: "482915\n" });
  expect(waited.err).toMatch(/^from .*sandbox-ok\.test>: /);
  const again = await run(["reorder", id, "--regex", "code is (\\d{3})", "--wait", "--json"]);
  const [placed, letter] = again.out.trim().split("\n");
  expect(JSON.parse(placed ?? "")).toMatchObject({ email: expect.stringContaining("@"), price: 0 });
  expect(JSON.parse(letter ?? "")).toMatchObject({ code: "482915" });
  expect((await run(["history"])).out).toContain(id);
});

test("an order is canceled, and the balance is what it was", async () => {
  const { out } = await run([...order("instagram.com"), "--json"]);
  const { id, email } = JSON.parse(out) as { id: string; email: string };
  expect(email).toMatch(/@letters\.test$/);
  expect(await run(["cancel", id])).toMatchObject({ status: 0, out: "10.0\n" });
  expect(await run(["balance"])).toMatchObject({ status: 0, out: "10.0\n", err: "" });
  const twice = await run(["cancel", id]);
  expect(twice).toMatchObject({ status: 1, out: "" });
  expect(twice.err).toContain("was already canceled, or has expired");
});

test("the mail domains of a site are listed with price and number", async () => {
  expect((await run(["quantity", "--site", "instagram.com"])).out).toMatch(
    /^letters\.test +\$0\.0035 +\d+$/m,
  );
});

test("an investor's file becomes a batch, and what was not taken is counted", async () => {
  const token = await shop.member("investor@example.com");
  await shop.db`update users set is_investor = true where email = 'investor@example.com'`;
  await shop.db`insert into mail_domain (name, price, kind, imap_host, imap_port, imap_tls)
    values ('hosted.example', 100000, 'hosted', 'localhost', 1, 'none')`;
  const file = join(await mkdtemp(join(tmpdir(), "postern-command-")), "batch.txt");
  const lines = Array.from({ length: 21 }, (_, n) => `box.${n}@hosted.example:secret`);
  await writeFile(file, [...lines, "nothing"].join("\n"));
  const investor = { POSTERN_TOKEN: token };
  const words = ["upload", "--file", file, "--sites", "münchen.de,facebook.com"];
  const told = await run(words, investor);
  expect(told).toMatchObject({ status: 0, out: expect.stringMatching(/^\d+ {2}21\n$/) });
  expect(told.err).toBe("not taken, malformed: 1\n");
  const { out } = await run([...words, "--json"], investor);
  expect(JSON.parse(out)).toMatchObject({ value: "too few mailboxes", rejected: { duplicate: 21 } });
  const [first] =
    await shop.db`select array_agg(s.name order by s.name) as sites from batch_block join site s on s.id = site_id`;
  expect(first?.["sites"]).toEqual(["facebook.com", "xn--mnchen-3ya.de"]);
  expect(await run(["upload", "--file", `${file}.gone`], investor)).toMatchObject({
    status: 2,
    err: expect.stringContaining("cannot be read"),
  });
  await rm(dirname(file), { recursive: true });
});

test("a refusal is told with its way out, and as JSON when that was asked for", async () => {
  const mistyped = ["order", "--site", "instagram.com", "--domain", "leters.test"];
  const told = await run(mistyped);
  expect(told).toMatchObject({ status: 1, out: "" });
  expect(told.err).toContain("Did you mean letters.test?");
  const { status, out } = await run([...mistyped, "--json"]);
  expect({ status, body: JSON.parse(out) }).toMatchObject({
    status: 1,
    body: { status: "error", value: "domain", did_you_mean: "letters.test" },
  });
  const wrong = await run(["balance"], { POSTERN_TOKEN: "x".repeat(32) });
  expect(wrong).toMatchObject({ status: 1, err: expect.stringContaining("The token is missing") });
});

test(
  "a letter that is not there in time, and a shop that is not there, have exit codes of their own",
  { tags: ["full"] },
  async () => {
    const [id = ""] = (await run(order("sandbox-never"))).out.split(" ");
    expect(await run(["wait", id, "--timeout", "1"])).toMatchObject({ status: 3, out: "" });
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const gone = await run(["balance"], { POSTERN_URL: nobody });
    expect(gone).toMatchObject({ status: 4, err: expect.stringContaining(nobody) });
  },
);

test.each([
  [["balanse"], {}, "no command balanse"],
  [["order", "--site", "instagram.com"], {}, "needs --domain"],
  [["wait"], {}, "needs the id"],
  [["balance", "now"], {}, "now"],
  [["balance", "--loud"], {}, "--loud"],
  [["wait", "1", "--timeout", "soon"], {}, "whole number"],
  [["balance", "--token", "secret"], {}, "POSTERN_TOKEN"],
  [["balance"], { POSTERN_TOKEN: "" }, "POSTERN_TOKEN"],
  [["balance"], { POSTERN_URL: "" }, "POSTERN_URL"],
  [["balance"], { POSTERN_URL: "shop" }, "POSTERN_URL"],
])("called wrongly, it says what is wrong: %j %j", async (words, more, sentence) => {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = { print: (line: string) => out.push(line), tell: (line: string) => err.push(line) };
  const environment: Record<string, string> = { ...settings, ...more };
  expect(await runCommand(words, { ...terminal, environment })).toBe(2);
  expect({ out, err }).toEqual({ out: [], err: [expect.stringContaining(sentence)] });
});

test("its help names every command, its settings and its exit codes", async () => {
  const { status, out } = await run(["--help"], { POSTERN_TOKEN: "", POSTERN_URL: "" });
  expect(status).toBe(0);
  for (const word of ["balance", "order", "wait ID", "--domain", "POSTERN_TOKEN", "Exit codes"])
    expect(out).toContain(word);
});

test("in a clone without the packages of the tests, `mcp` says how to get them", async () => {
  const missing = `import { registerHooks } from "node:module";
registerHooks({ resolve(name, context, next) {
  if (!name.startsWith("@modelcontextprotocol/")) return next(name, context);
  throw Object.assign(new Error(name), { code: "ERR_MODULE_NOT_FOUND" });
} });`;
  const { NODE_OPTIONS } = guarded();
  const hook = `--import=data:text/javascript,${encodeURIComponent(missing)}`;
  const { status, err } = await run(["mcp"], { NODE_OPTIONS: `${NODE_OPTIONS} ${hook}` });
  expect(err).toBe(
    "postern: In the repository `mcp` needs packages of the tests: run `node scripts/setup.mjs packages-of-tests` once.\n",
  );
  expect(status).toBe(2);
});

// @module-tag slow
import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../test/kit/database.ts";
import { guarded } from "../../test/kit/guard.ts";
import { startEmbedded } from "./platform/db/embedded.ts";

const program = fileURLToPath(new URL("shop.ts", import.meta.url));

function shop(settings: Record<string, string>, ...words: string[]) {
  const env = { PATH: process.env["PATH"] ?? "", ...guarded(), ...settings };
  return new Promise<{ status: number; out: string; err: string }>((done) => {
    const child = execFile(process.execPath, [program, ...words], { env }, (_fault, out, err) =>
      done({ status: child.exitCode ?? -1, out, err }),
    );
  });
}

test("the operator's command speaks to the database of the settings and to nothing else", async () => {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const settings = {
    DATABASE_URL: url,
    SECRET_KEY: "ef494d78e3f38f737d28cc5f0ffe2a4af3044c29f3a096309e48b2dcdbe23602",
  };
  const added = await shop(settings, "domains", "add", "letters.test", "--price", "0.0035", "--json");
  expect(added).toMatchObject({ status: 0, err: "" });
  expect(JSON.parse(added.out)).toMatchObject({ name: "letters.test", price: "0.0035" });
  expect(await shop(settings, "domains", "add", "letters.test", "--price", "1")).toMatchObject({
    status: 1,
    out: "",
  });
});

test("it changes a database of an older version by migrate alone", async () => {
  const { db, url, drop } = await createDatabase();
  onTestFinished(drop);
  await db`delete from applied where name = 'function place_orders.sql'`;
  const settings = {
    DATABASE_URL: url,
    SECRET_KEY: "ef494d78e3f38f737d28cc5f0ffe2a4af3044c29f3a096309e48b2dcdbe23602",
  };
  const early = await shop(settings, "domains", "list");
  expect(early).toMatchObject({ status: 1, out: "", err: expect.stringContaining("shop -- migrate") });
  expect(await shop(settings, "migrate", "--json")).toEqual({ status: 0, out: '{"applied":[]}\n', err: "" });
  expect(await db`select from applied where name = 'function place_orders.sql'`).toHaveLength(1);
});

test("it works on the embedded database, whether the shop runs or not", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "postern-shop-"));
  chmodSync(dataDir, 0o711);
  onTestFinished(() => rmSync(dataDir, { recursive: true, maxRetries: 10, retryDelay: 50 }));
  const settings = { DATA_DIR: dataDir };
  expect(await shop(settings, "migrate")).toMatchObject({ status: 0, err: "" });
  const running = await startEmbedded({ dataDir, log: { info: () => {}, warn: () => {} } });
  onTestFinished(() => running.stop());
  expect(await shop(settings, "domains", "add", "letters.test", "--price", "1")).toMatchObject({ status: 0 });
  const listed = await shop(settings, "domains", "list", "--json");
  expect(listed).toMatchObject({ status: 0, err: "" });
  expect(JSON.parse(listed.out)).toMatchObject([{ name: "letters.test" }]);
  // Two starts of a database, the first of which makes it, are slow on a busy machine.
});

test("a wrong setting or word is named, and nothing is done", async () => {
  const [setting, word] = await Promise.all([
    shop({ PORT: "x" }, "domains", "list"),
    shop({}, "domians", "list"),
  ]);
  expect(setting).toMatchObject({ status: 1, out: "", err: expect.stringContaining("PORT") });
  expect(word).toMatchObject({ status: 2, out: "" });
});

import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sayTo } from "../../../test/kit/command.ts";
import { createDatabase, type TestDatabase } from "../../../test/kit/database.ts";

const folder = mkdtempSync(join(tmpdir(), "postern-dkim-"));
let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const say = (settings: Record<string, string>, ...words: string[]) =>
  sayTo(database.db, words, { MAIL_FROM: "Shop <no-reply@shop.example>", ...settings });

const pairs = {
  rsa: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
  ed25519: () => generateKeyPairSync("ed25519"),
};

test.each(["rsa", "ed25519"] as const)(
  "an %s key is shown as the record that the DNS needs",
  async (kind) => {
    const path = join(folder, `${kind}.pem`);
    const { privateKey, publicKey } = pairs[kind]();
    writeFileSync(path, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
    const settings = { DKIM_KEY: path, DKIM_SELECTOR: "postern1" };
    const published = publicKey.export({ type: "spki", format: "der" });
    const key = (kind === "rsa" ? published : published.subarray(-32)).toString("base64");
    const record = {
      name: "postern1._domainkey.shop.example",
      type: "TXT",
      value: `v=DKIM1; k=${kind}; p=${key}`,
    };
    const { status, out } = await say(settings, "dkim", "record", "--json");
    const { zone, ...shown } = JSON.parse(out) as Record<string, string>;
    expect({ status, shown }).toEqual({ status: 0, shown: record });
    const strings = zone?.match(/"[^"]*"/g)?.map((part) => part.slice(1, -1)) ?? [];
    expect(strings.every((part) => part.length <= 255)).toBe(true);
    expect(strings.join("")).toBe(record.value);
    const text = (await say(settings, "dkim", "record")).out;
    for (const part of [record.name, record.value, String(zone)]) expect(text).toContain(part);
    expect(text).not.toContain("PRIVATE");
  },
);

test("without a key there is no record", async () => {
  expect(await say({}, "dkim", "record")).toEqual({
    status: 1,
    out: "",
    err: "Our mail is not signed: DKIM_KEY is not set.\n",
  });
});

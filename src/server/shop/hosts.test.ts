import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sayTo } from "../../../test/kit/command.ts";
import { encodedIn } from "../../../test/kit/raw.ts";
import { createDatabase } from "../../../test/kit/database.ts";
import * as inventory from "../inventory/inventory.ts";
import * as journal from "../journal/journal.ts";
import { certificateFor } from "../platform/certificate.ts";
import { readConfig, resolveSecret } from "../platform/config/config.ts";
import { createSeal } from "../platform/seal.ts";

async function shop() {
  const { db, drop } = await createDatabase();
  onTestFinished(drop);
  const folder = mkdtempSync(join(tmpdir(), "postern-hosts-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const settings = { DATA_DIR: folder };
  const said: string[] = [];
  const say = async (...words: string[]) => {
    const heard = await sayTo(db, words, settings);
    said.push(heard.out, heard.err);
    return heard;
  };
  const file = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  await say("domains", "add", "hosted.test", "--price", "0.01", "--kind", "hosted");
  return { db, say, file, said, seal: createSeal(resolveSecret(readConfig(settings))) };
}

test("an IMAP server is registered with its bounds and its own authority, and listed with how it fares", async () => {
  const { say, file } = await shop();
  const ca = file("ca.pem", certificateFor("imap.hosted.test").cert);
  const words = ["hosts", "add", "hosted.test", "--imap", "imap.hosted.test:993"];
  expect(await say(...words, "--ca", ca, "--connections", "5", "--logins", "30")).toMatchObject({
    status: 0,
  });
  const listed = async () => JSON.parse((await say("hosts", "list", "--json")).out) as unknown;
  const first = {
    host: "imap.hosted.test",
    port: 993,
    tls: "implicit",
    domains: ["hosted.test"],
    ownCa: true,
  };
  expect(await listed()).toEqual([
    expect.objectContaining({
      ...first,
      connections: 5,
      loginsPerMinute: 30,
      open: 0,
      waiting: 0,
      error: null,
    }),
  ]);
  // Options that are left out stay.
  await say(...words, "--connections", "7");
  expect(await listed()).toEqual([
    expect.objectContaining({ ...first, connections: 7, loginsPerMinute: 30 }),
  ]);
  await say(...words, "--known-ca");
  expect(await listed()).toEqual([expect.objectContaining({ ownCa: false, connections: 7 })]);
  expect((await say("hosts", "list")).out).toContain("0 of 7");
  expect(await say(...words, "--ca", file("wrong.pem", "no certificate"))).toMatchObject({ status: 2 });
  expect(await say(...words, "--connections", "0")).toMatchObject({ status: 2 });
  expect(await say(...words, "--tls", "none")).toMatchObject({ status: 1 });
});

test("mailboxes are imported from a file, with a count of what was rejected and why; no password is ever said", async () => {
  const { db, say, file, said, seal } = await shop();
  const path = file(
    "stock.txt",
    [
      "\uFEFFanna@hosted.test:sec:ret 1",
      "Berg:secret-2",
      "",
      "anna:secret-3",
      "carl@elsewhere.test:secret-4",
      "secret-5",
      "dora@hosted.test:",
      "no one@hosted.test:secret-6",
      "emil:secret-7",
    ].join("\r\n"),
  );
  const { status, out } = await say("stock", "import", "hosted.test", path, "--json");
  expect({ status, ...(JSON.parse(out) as object) }).toEqual({
    status: 0,
    domain: "hosted.test",
    added: 3,
    renewed: 0,
    rejected: { form: 3, domain: 1, twice: 1, taken: 0 },
    mailboxes: 3,
  });
  const passwords = async () => {
    const rows = await db<{ part: string; secret: Buffer; dead: boolean }[]>`
      select local_part as part, secret, dead from mailbox order by local_part`;
    return rows.map(({ part, secret, dead }) => [part, secret && seal.open(secret), dead]);
  };
  expect(await passwords()).toEqual([
    ["anna", "sec:ret 1", false],
    ["berg", "secret-2", false],
    ["emil", "secret-7", false],
  ]);

  // A dead mailbox returns with its new password, which is wiped in between.
  const [berg] = await db<{ id: bigint }[]>`select id from mailbox where local_part = 'berg'`;
  await inventory.setDead(db, [berg?.id ?? 0n], true);
  expect((await passwords())[1]).toEqual(["berg", null, true]);
  const again = await say(
    "stock",
    "import",
    "hosted.test",
    file("again.txt", encodedIn("utf-16le", "\ufeffberg : secret-8 \r\nfrida:secret-9\r\n")),
  );
  expect(again.out).toContain("1 mailboxes added, 1 renewed; hosted.test has 4.");
  expect((await passwords())[1]).toEqual(["berg", "secret-8", false]);

  const notes = await journal.list(db, { about: "hosted.test" });
  expect(notes.length).toBeGreaterThan(2);
  const told = notes.map(({ before, after }) => JSON.stringify({ before, after }));
  expect(said.join("") + told.join("")).not.toMatch(/sec:?ret/);
});

test("mailboxes whose log-in was refused are counted at their host, and the operator puts them back", async () => {
  const { db, say, file } = await shop();
  await say("hosts", "add", "hosted.test", "--imap", "imap.hosted.test:993");
  await say("stock", "import", "hosted.test", file("stock.txt", "anna:1\nberg:2\ncleo:3\n"));
  const ids = (await db<{ id: bigint }[]>`select id from mailbox order by id`).map(({ id }) => id);
  await inventory.withhold(db, ids.slice(0, 2));
  for (const id of ids.slice(0, 2))
    await db`insert into imap_refused (mailbox_id, first_at, counted, counted_at, tries, next_try_at) values (${id}, now(), 1, now(), 1, now())`;
  const told = async () =>
    (JSON.parse((await say("hosts", "list", "--json")).out) as { refused: number }[])[0]?.refused;
  expect(await told()).toBe(2);
  expect((await say("stock", "restore", "hosted.test")).out).toContain(
    "2 mailboxes of hosted.test are on sale again",
  );
  expect(await told()).toBe(0);
  expect(await db`select from mailbox where dead or secret is null`).toHaveLength(0);
  expect(await db`select from imap_refused`).toHaveLength(0);
  expect(await journal.list(db, { about: "hosted.test" })).toContainEqual(
    expect.objectContaining({ did: "stock restore", after: { restored: 2 } }),
  );
  expect((await say("stock", "restore", "none.test")).err).toContain("no mail domain none.test");
});

test("mailboxes of an investor are not the operator's to renew", async () => {
  const { db, say, file } = await shop();
  const [row] = await db<{ id: number }[]>`select id from mail_domain where name = 'hosted.test'`;
  const batchId = await inventory.addBatch(db, { title: "his", investorId: 7n });
  await inventory.addMailboxes(db, batchId, row?.id ?? 0, ["anna"], [Buffer.from("his")]);
  const { out } = await say("stock", "import", "hosted.test", file("stock.txt", "anna:mine\n"), "--json");
  expect(JSON.parse(out)).toMatchObject({ added: 0, renewed: 0, rejected: { taken: 1 } });
  const [mailbox] = await db<{ secret: Buffer }[]>`select secret from mailbox`;
  expect(String(mailbox?.secret)).toBe("his");
});

test("own domains have nothing to import, and what is not there is named", async () => {
  const { say, file } = await shop();
  await say("domains", "add", "own.test", "--price", "1");
  const path = file("stock.txt", "a:b\n");
  expect((await say("stock", "import", "own.test", path)).err).toContain("own domain");
  expect((await say("stock", "import", "none.test", path)).err).toContain("no mail domain none.test");
  expect((await say("stock", "import", "hosted.test", "/nonexistent")).err).toContain("no file /nonexistent");
});

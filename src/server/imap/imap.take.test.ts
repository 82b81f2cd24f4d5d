import type { ImapFlow } from "imapflow";
import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { secondsAfter } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import type { Incoming } from "../letters/letters.ts";
import { Gate } from "./imap.gate.ts";
import { clockOf, takeNew, type Taking } from "./imap.take.ts";

test("a host's clock is learnt from letters that were seen to come, and from no others", () => {
  const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1_000);
  const dated = (seconds: number) => at(seconds).getTime();
  expect(clockOf(dated(9), 0, at(8), at(10))).toBe(0);
  expect(clockOf(dated(11), 0, at(8), at(10))).toBe(0);
  // Five minutes ahead: no letter comes from the future.
  expect(clockOf(dated(310), 0, undefined, at(10))).toBe(300_000);
  // Five minutes behind: it came after a check without it.
  expect(clockOf(dated(-291), 0, at(8), at(10))).toBe(-298_000);
  // Without such a check it is an old letter.
  expect(clockOf(dated(-291), 0, undefined, at(10))).toBe(0);
  expect(clockOf(dated(310), 300_000, at(8), at(10))).toBe(300_000);
  // Last week's letter was moved here.
  expect(clockOf(dated(-600_000), 0, at(8), at(10))).toBe(0);
});

test("a letter whose date nobody can read has come now, and is fetched", async () => {
  const { db, drop } = await createDatabase();
  onTestFinished(drop);
  await db`insert into imap_host (host, port) values ('imap.test', 993)`;
  await db`insert into imap_mailbox (mailbox_id, host_id, is_pending, turn_at) select 1, id, true, now() from imap_host`;
  const raw = Buffer.from("Return-Path: <a\0b@site.test>\r\nSubject: 1\r\n\r\nx");
  const mailbox = { path: "INBOX", uidValidity: 1n, uidNext: 2, exists: 1 };
  const client = {
    mailbox,
    usable: true,
    search: async () => [1],
    fetchAll: async () => [{ uid: 1, size: raw.length, internalDate: "the other day" }],
    fetchOne: async () => ({ source: raw }),
    close: () => undefined,
  };
  const kept: Incoming[] = [];
  const keepWith: Taking["keepWith"] = async (letter) => kept.push(letter) > 0;
  const at = new Date(1_800_000_000_000);
  const taking = {
    db,
    log: createLog("silent"),
    keepWith,
    clock: () => at,
    gate: new Gate(1),
    fetchMs: 1_000,
  };
  const wanted = { mailboxId: 1n, hostId: 1, since: secondsAfter(at, -60), clockMs: 0 };
  await takeNew(client as unknown as ImapFlow, wanted, undefined, taking);
  expect(kept).toMatchObject([{ arrivedAt: at, mailFrom: "" }]);
});

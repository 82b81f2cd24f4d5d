// @module-tag slow
import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, letter, shelf, site } from "../../../test/kit/shelf.ts";
import type { Invariant } from "../../contract/office/audit.ts";
import { secondsAfter, unixSeconds } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import { auditShop, closeDay, openOffice, reopenBooks } from "./office.ts";

async function shop() {
  const { db, drop } = await createDatabase();
  onTestFinished(drop);
  return { db, office: openOffice(db) };
}

const nothingDown = async () => ({ down: [], troubles: [] });
const now = new Date();

async function today(db: Db) {
  const page = await openOffice(db).page({ table: "days" }, 1, now);
  if (typeof page === "string") throw new Error(`refused: ${page}`);
  return page.rows[0];
}

test("each registration and each letter is counted once, however often and by how many they are counted", async () => {
  const { db, office } = await shop();
  let minute = 0;
  for (let round = 1; round <= 4; round++) {
    await buyer(db);
    await letter(db, []);
    expect(await today(db)).toMatchObject({ registrations: round, letters: round });
    minute += 60;
    const at = secondsAfter(now, minute);
    await Promise.all([office.countHours(at), office.countHours(at), office.countHours(secondsAfter(at, 1))]);
    expect(await today(db)).toMatchObject({ registrations: round, letters: round });
  }
  const [counted] =
    await db`select sum(registrations)::int as registrations, sum(letters)::int as letters from shop_hour`;
  // The last round's are not counted yet: older ones might still be committed.
  expect(counted).toEqual({ registrations: 3, letters: 3 });
});

test("a registration that was on its way when hours were counted is not lost", async () => {
  const { db, office } = await shop();
  const other = await db.reserve();
  await other`begin`;
  await other`
    insert into users (email, name, password_hash, token_hash, token_sealed)
    values ('late@buyers.test', 'late', 'none', ${randomBytes(32)}, '')`;
  await buyer(db);
  await office.countHours(secondsAfter(now, 60));
  await other`commit`;
  other.release();
  await office.countHours(secondsAfter(now, 120));
  expect(await today(db)).toMatchObject({ registrations: 2 });
  const [counted] = await db`select registrations::int from shop_hour`;
  expect(counted).toEqual({ registrations: 2 });
});

test("a day without orders has its row, and none is older than a year", async () => {
  const { db, office } = await shop();
  await buyer(db);
  await db`update users set created_at = now() - interval '500 days'`;
  const all: string[] = [];
  const pieces = office.file({ table: "days" }, now);
  if (typeof pieces === "string") throw new Error(`refused: ${pieces}`);
  for await (const piece of pieces) all.push(...piece.trimEnd().split("\r\n"));
  expect(all).toHaveLength(367);
  const day = (back: number) =>
    secondsAfter(now, -back * 24 * 3600)
      .toISOString()
      .slice(0, 10);
  expect(all[1]).toBe(`${day(0)},0,0,0,0,0,0.0,0.0`);
  expect(all[366]).toBe(`${day(365)},0,0,0,0,0,0.0,0.0`);
});

test("the overview names what needs a decision, what is down and which jobs fail", async () => {
  const { db, office } = await shop();
  const siteId = await site(db);
  await shelf(db, 1);
  await db`
    insert into turned_away (letter_id, site_id, domain, is_signer, arrived_at)
    values (1, ${siteId}, 'a.example', false, now()), (2, ${siteId}, 'a.example', false, now()), (3, ${siteId}, 'b.example', false, now()),
           (4, ${siteId}, 'signer.example', true, now()), (5, 0, 'a.example', false, now()), (6, ${siteId}, 'old.example', false, now() - interval '2 days')`;
  await db`insert into partner_tie (user_id, partner_id, reasons, found_at) values (1, 9, '{wallet}', now()), (2, 9, '{wallet}', now())`;
  await db`insert into job (name, seconds, failures) values ('well', 1, 0), ('broken', 1, 2)`;
  await db`insert into job (name, seconds, due_at) values ('late', 1, now() - interval '2 minutes')`;
  await db`insert into task (queue, kind, key, due_at, failure) values ('mail', 'news', 'a.example', now(), 'not now')`;
  await db`insert into chain_health (chain, failing_since) values ('tron', now()), ('ton', null)`;
  await db`insert into imap_host (host, port, failures) values ('mail.example', 993, 1)`;
  await db`insert into rate_hold (coin, since, from_usd, to_usd) values ('BTC', now(), 100, 50), ('LTC', now(), 10, 50)`;
  const told = await office.overview(async () => ({ down: ["reception"], troubles: ["disk"] }), now);
  expect(told).toMatchObject({
    living: 0,
    waiting: {
      payments: 0,
      partners: 2,
      batches: 0,
      shares: 0,
      complaints: 0,
      turned_away: 2,
      rates: 2,
      audit: 0,
    },
    health: {
      down: ["reception", "chain tron", "imap mail.example:993"],
      failing: ["broken"],
      troubles: ["disk", "mail", "jobs"],
    },
    audited_at: null,
    backup: { at: null, late: false },
  });
});

test("the last backup of the day is told, and that no other has followed", async () => {
  const { db, office } = await shop();
  const at = secondsAfter(now, -29 * 3600);
  await db`insert into backup_outcome (made_at, took_seconds, size_bytes, is_encrypted) values (${at}, 1, 1, true)`;
  const told = async (hours: number) =>
    (await office.overview(nothingDown, secondsAfter(now, hours * 3600))).backup;
  expect(await told(0)).toEqual({ at: unixSeconds(at), late: false });
  expect(await told(2)).toEqual({ at: unixSeconds(at), late: true });
});

test("a failed audit needs a decision until an audit finds that everything holds", async () => {
  const { db, office } = await shop();
  const held: Invariant[] = [{ name: "top-ups", says: "each is booked", bad: ["payment 1", "payment 2"] }];
  const payments = { audit: async () => held };
  let minute = 0;
  const waiting = async () => {
    minute += 60;
    return (await office.overview(nothingDown, secondsAfter(now, minute))).waiting.audit;
  };
  expect(await waiting()).toBe(0);
  expect(await auditShop({ db, payments })).toContainEqual(held[0]);
  expect(await waiting()).toBe(1);
  const id = await buyer(db);
  await db`insert into account (user_id, book, balance) values (${id}, 'balance', 1)
           on conflict (user_id, book) do update set balance = account.balance + 1`;
  await auditShop({ db, payments });
  expect(await waiting()).toBeGreaterThan(1);
  await db`update account set balance = balance - 1 where user_id = ${id}`;
  held.length = 0;
  await auditShop({ db, payments });
  expect(await waiting()).toBe(0);
  const { audited_at } = await office.overview(nothingDown, secondsAfter(now, 2 * minute));
  expect(audited_at).toBeGreaterThanOrEqual(unixSeconds(now));
});

test("a nightly audit names what does not hold, and only an audit of everything says that it holds again", async () => {
  const { db, office } = await shop();
  const payments = { audit: async () => [] };
  const waiting = async (minute: number) =>
    (await office.overview(nothingDown, secondsAfter(now, 60 * minute))).waiting.audit;
  await closeDay({ db, payments }, now);
  expect(await waiting(1)).toBe(0);
  const id = await buyer(db);
  await db`update account set balance = balance + 1 where user_id = ${id}`;
  await expect(closeDay({ db, payments }, now)).rejects.toThrow(/balances \(account \d+\)/);
  await db`update account set balance = balance - 1 where user_id = ${id}`;
  await closeDay({ db, payments }, now);
  expect(await waiting(2)).toBeGreaterThan(0);
  await auditShop({ db, payments });
  expect(await waiting(3)).toBe(0);
  await reopenBooks(db, "operator");
  expect((await db`select 1 from closing`).count).toBe(0);
});

test("the overview is cached for two seconds, and a failed read is not cached", async () => {
  const { office } = await shop();
  const first = await office.overview(nothingDown, now);
  expect(await office.overview(nothingDown, secondsAfter(now, 1))).toBe(first);
  const later = secondsAfter(now, 3);
  await expect(office.overview(() => Promise.reject(new Error("broken")), later)).rejects.toThrow("broken");
  expect((await office.overview(nothingDown, later)).health.down).toEqual([]);
});

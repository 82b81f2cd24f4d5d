// @module-tag slow
import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer } from "../../../test/kit/shelf.ts";
import { secondsAfter } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import { createSeal } from "../platform/seal.ts";
import type { Summary } from "../mailer/mailer.ts";
import { sendSummaries } from "./office.summary.ts";
import * as rows from "./office.summary.sql.ts";

const seal = createSeal(Buffer.alloc(32, 3));
const eight = new Date("2026-11-29T08:00:00Z");
const hours = (count: number) => secondsAfter(eight, count * 3600);

async function shop() {
  const { db, drop } = await createDatabase();
  onTestFinished(drop);
  const person = async (role: string | null, language = "en") => {
    const id = await buyer(db);
    await db`update users set is_admin = true, office_role = ${role}, language = ${language} where id = ${id}`;
    return id;
  };
  return { db, person };
}

const sent = (db: Db) =>
  db<{ userId: bigint; payload: { to: string; language: string; sealed: string } }[]>`
    select user_id as "userId", payload from task where kind = 'daily-summary' order by id`;

const readers = async (db: Db) => (await sent(db)).map(({ userId }) => userId);

test("owners get it unless they chose otherwise, others of the office if they chose it, an editor never", async () => {
  const { db, person } = await shop();
  const owner = await person(null, "ar");
  const quiet = await person("owner");
  const money = await person("money");
  const support = await person("support");
  const editor = await person("editor");
  const blocked = await person("owner");
  await db`update users set blocked_at = now() where id = ${blocked}`;
  await buyer(db);
  await rows.putWanted(db, quiet, false);
  await rows.putWanted(db, support, true);
  await rows.putWanted(db, editor, true);
  const wanted = await Promise.all(
    [owner, quiet, money, support, editor].map((id) => rows.selectWanted(db, id)),
  );
  expect(wanted.map((one) => one.wanted)).toEqual([true, false, false, true, false]);
  expect(await sendSummaries({ db, seal }, eight)).toBe(2);
  expect(await readers(db)).toEqual([owner, support]);
  expect((await sent(db))[0]?.payload.language).toBe("ar");
});

test("each gets it once a day, from 08:00 to 20:00 UTC, by however many processes and however late", async () => {
  const { db, person } = await shop();
  const owner = await person("owner");
  expect(await sendSummaries({ db, seal }, secondsAfter(eight, -1))).toBe(0);
  const told = await Promise.all(Array.from({ length: 5 }, () => sendSummaries({ db, seal }, hours(11.9))));
  expect(told.reduce((all, count) => all + count, 0)).toBe(1);
  expect(await sendSummaries({ db, seal }, hours(11.99))).toBe(0);
  // A day on which nothing ran until the evening has none.
  expect(await sendSummaries({ db, seal }, hours(24 + 12))).toBe(0);
  expect(await sendSummaries({ db, seal }, hours(48))).toBe(1);
  expect(await readers(db)).toEqual([owner, owner]);
  const days = await sent(db);
  const read = days.map(
    ({ payload }) => JSON.parse(seal.open(Buffer.from(payload.sealed, "base64"))) as { summary: Summary },
  );
  expect(read.map(({ summary }) => summary.day)).toEqual(["2026-11-28", "2026-11-30"]);
});

test("a mail that could not be written leaves nobody noted as told", async () => {
  const { db, person } = await shop();
  await person("owner");
  await db`alter table task add constraint closed check (kind <> 'daily-summary')`;
  await expect(sendSummaries({ db, seal }, eight)).rejects.toThrow();
  await db`alter table task drop constraint closed`;
  expect(await sendSummaries({ db, seal }, eight)).toBe(1);
});

test("it says yesterday beside the day before, what needs a decision and what is broken", async () => {
  const { db, person } = await shop();
  await person("owner");
  const order = (at: Date, number: number) => db`
    insert into orders (user_id, mailbox_id, price, created_at, expires_at, closed_at, site_id, domain_id, number, status)
    values (1, ${number}, 1, ${at}, ${at}, ${at}, 1, 1, ${number}, 'expired')`;
  // The last second of yesterday and the first of today.
  for (const [number, at] of [hours(-8.001), hours(-20), hours(-33), hours(-8)].entries())
    await order(at, number + 1);
  await db`insert into rate_hold (coin, since, from_usd, to_usd) values ('BTC', now(), 100, 50)`;
  await db`insert into chain_health (chain, failing_since) values ('tron', now())`;
  await db`insert into job (name, seconds, failures) values ('count hours', 1, 2)`;
  await sendSummaries({ db, seal }, eight);
  const [{ payload } = { payload: { sealed: "" } }] = await sent(db);
  const { summary } = JSON.parse(seal.open(Buffer.from(payload.sealed, "base64"))) as { summary: Summary };
  expect(summary).toMatchObject({
    day: "2026-11-28",
    now: { orders: 2 },
    before: { orders: 1 },
    waiting: { rates: 1, payments: 0 },
    down: ["chain tron"],
    failing: ["count hours"],
  });
});

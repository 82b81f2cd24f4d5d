import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";

const { db, drop } = await createDatabase();
afterAll(drop);

type Ask = { pair?: number; token?: number; code?: string; price: number; price_max?: number };

const buyer = { user_id: 7, balance: 10, free_left: 1, spent: 0, placed: 0 };
const run = { from_end: false, next_id: 501, end_id: 502, available: 2, taken: 0 };
const tokens = [
  { user_id: 7, price_max: 4, budget: 6, spent: 0 },
  { user_id: 6, spent: 0 },
];

async function decide(asks: Ask[], pair = run) {
  const lists = { asks: asks.map((ask) => ({ ...ask, buyer: 1 })), buyers: [buyer], pairs: [pair], tokens };
  return db<{ code: string; mailbox: bigint | null; nth: number | null }[]>`
    with given as (select ${JSON.stringify(lists)}::text::jsonb as lists)
    select t.code, t.mailbox_id as mailbox, t.nth
    from given
    cross join lateral decide_orders(
      array(select t from jsonb_populate_recordset(null::batch_ask, lists -> 'asks') t),
      array(select t from jsonb_populate_recordset(null::batch_buyer, lists -> 'buyers') t),
      array(select t from jsonb_populate_recordset(null::batch_pair, lists -> 'pairs') t),
      array(select t from jsonb_populate_recordset(null::batch_token, lists -> 'tokens') t)) decided
    cross join unnest(decided.asks) t`;
}

const codes = async (asks: Ask[]) => (await decide(asks)).map(({ code }) => code);

test("asks are decided in the order of arrival, each by what those before it have left", async () => {
  expect(await codes([{ price: 6 }, { price: 5 }, { price: 4 }, { price: 1 }])).toEqual([
    "ok",
    "no balance",
    "ok",
    "no balance",
  ]);
  expect(await codes([{ price: 0 }, { price: 0 }, { price: 1 }])).toEqual(["ok", "limit", "ok"]);
  const token = 1;
  expect(
    await codes([
      { token, price: 5 },
      { token, price: 4 },
      { token, price: 3 },
    ]),
  ).toEqual(["token limit", "ok", "token limit"]);
});

test("nothing is ordered above the ask's own highest price", async () => {
  expect(
    await codes([
      { price: 5, price_max: 4 },
      { price: 5, price_max: 5 },
      { price: 11, price_max: 4 },
    ]),
  ).toEqual(["price too high", "ok", "price too high"]);
});

test("another's token and one that is over open nothing", async () => {
  expect(
    await codes([
      { token: 2, price: 1 },
      { token: 0, price: 1 },
    ]),
  ).toEqual(["token", "token"]);
});

test("an ask that is answered already takes nothing", async () => {
  expect(await codes([{ code: "repeat", price: 10 }, { price: 10 }])).toEqual(["repeat", "ok"]);
});

test("mailboxes of a run are given one after the other, and from its end where the pair says so", async () => {
  const asks = [1, 1, 1].map((pair) => ({ pair, price: 3 }));
  expect(await decide(asks)).toEqual([
    { code: "ok", mailbox: 501n, nth: 1 },
    { code: "ok", mailbox: 502n, nth: 2 },
    { code: "no emails", mailbox: null, nth: null },
  ]);
  expect((await decide(asks, { ...run, from_end: true })).map(({ mailbox }) => mailbox)).toEqual([
    502n,
    501n,
    null,
  ]);
});

test("a deadline is the time to live after the order, for mailboxes of each kind", async () => {
  expect(
    await db`
      select order_deadline('2026-11-23 10:00Z', '20 minutes', kind) = '2026-11-23 10:20Z' as fits
      from unnest(enum_range(null::domain_kind)) kind`,
  ).toEqual([{ fits: true }, { fits: true }]);
});

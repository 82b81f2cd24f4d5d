import { randomBytes } from "node:crypto";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, letter, mailboxOf, shelf, site } from "../../../test/kit/shelf.ts";
import * as inventory from "../inventory/inventory.ts";
import { usd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import { audit } from "./orders.audit.ts";
import { callOpenPairs, callPlaceOrders } from "./orders.place.sql.ts";
import { deliver, openOrders, type Placed, type PlacedMany, type Reordered } from "./orders.ts";
import { soon } from "../../../test/kit/soon.ts";

const { db, drop } = await createDatabase({ max: 12 });
const orders = openOrders(db, { ttlSeconds: 1200, concurrency: 3 });
afterAll(drop);

afterEach(async () => {
  const broken = (await audit(db)).filter(({ bad }) => bad.length > 0);
  if (broken.length > 0) throw new Error(`the audit found ${JSON.stringify(broken)}`);
});

async function market(mailboxes: number, { balance = "1", price = "0.01" } = {}) {
  const [userId, siteId, { domainId, domain }] = [
    await buyer(db, { balance }),
    await site(db),
    await shelf(db, mailboxes, price),
  ];
  const ask = { userId, siteId, domainIds: [domainId] };
  return { userId, siteId, domainId, domain, ask };
}

async function token(
  userId: bigint,
  limits: { sites?: number[]; priceMax?: string; budgetDay?: string } = {},
): Promise<bigint> {
  const { sites = null, priceMax, budgetDay } = limits;
  const [row] = await db<{ id: bigint }[]>`
    insert into user_token (user_id, name, token_hash, sites, price_max, budget_day, created_at)
    values (${userId}, 'bot', ${randomBytes(32)}, ${sites}::integer[], ${priceMax ? usd(priceMax) : null},
            ${budgetDay ? usd(budgetDay) : null}, now()) returning id`;
  return row!.id;
}

const spent = async (tokenId: bigint) =>
  (await db<{ spent: bigint }[]>`select spent from user_token_day where token_id = ${tokenId}`)[0]?.spent;

async function received(ask: Parameters<typeof orders.place>[0]): Promise<Placed> {
  const placed = (await orders.place(ask)) as Placed;
  const { orderId } = placed;
  await deliver(db, [{ letterId: await letter(db, [await mailboxOf(db, orderId)]), orderId }]);
  return placed;
}

test("several of one call are different addresses, paid one by one", async () => {
  const { ask, userId } = await market(10);
  const several = (await orders.placeMany(ask, 4)) as PlacedMany;
  expect(several).toMatchObject({ balance: usd("0.96"), refused: undefined });
  expect(new Set(several.placed.map(({ email }) => email)).size).toBe(4);
  expect(await ledger.balance(db, userId)).toBe(usd("0.96"));
});

test("who takes letters of any sender shares his mailbox with nobody while there are others", async () => {
  const { ask, domainId } = await market(12);
  const [row] = await db<{ id: number }[]>`select id from site where name = 'any'`;
  const anybody = { ...ask, siteId: row!.id };
  const last = await db<
    { id: bigint }[]
  >`select id from mailbox where domain_id = ${domainId} order by id desc`;
  await inventory.setDead(db, [last[1]!.id], true);
  const emailsOf = async (several: typeof ask, count: number) =>
    ((await orders.placeMany(several, count)) as PlacedMany).placed.map(({ email }) => email);
  const [any, of] = [await emailsOf(anybody, 2), await emailsOf(ask, 5)];
  const emails = [...any, ...of, ...(await emailsOf(anybody, 3)), ...(await emailsOf(ask, 1))];
  expect(new Set(emails).size).toBe(11);
  expect(await emailsOf(anybody, 10)).toHaveLength(6);
  expect(await emailsOf(ask, 10)).toHaveLength(5);
  expect(await orders.place(anybody)).toEqual({ refusal: "no emails" });
});

test("several that are not all to be had or paid are as many as can be, with the reason", async () => {
  const short = await market(2);
  expect(await orders.placeMany(short.ask, 5)).toMatchObject({
    placed: [{}, {}],
    balance: usd("0.98"),
    refused: "no emails",
  });
  expect(await orders.placeMany(short.ask, 5)).toEqual({ refusal: "no emails" });
  const poor = await market(9, { balance: "0.035" });
  expect(await orders.placeMany(poor.ask, 5)).toMatchObject({
    placed: [{}, {}, {}],
    balance: usd("0.005"),
    refused: "no balance",
  });
  expect(await orders.placeMany(poor.ask, 5)).toEqual({ refusal: "no balance", missing: usd("0.005") });
});

test("each of several takes the first domain that has one", async () => {
  const { ask, domainId, domain } = await market(2);
  const next = await shelf(db, 5, "0.02");
  const { placed } = (await orders.placeMany(
    { ...ask, domainIds: [domainId, next.domainId] },
    3,
  )) as PlacedMany;
  expect(placed.map(({ email }) => email.split("@")[1]).toSorted()).toEqual(
    [domain, domain, next.domain].toSorted(),
  );
});

test("a repeated call for several answers the same ones, and places what was missing, however many come at once", async () => {
  const { ask, userId, domainId } = await market(3);
  const named = { ...ask, idempotencyKey: "k".repeat(255) };
  const first = (await orders.placeMany(named, 5)) as PlacedMany;
  expect(first.placed).toHaveLength(3);
  await inventory.addStock(db, domainId, 20);
  const answers = (await Promise.all(
    Array.from({ length: 6 }, () => orders.placeMany(named, 5)),
  )) as PlacedMany[];
  const ids = answers.map(({ placed }) => placed.map(({ orderId }) => orderId));
  for (const each of ids) expect(each).toEqual(ids[0]);
  expect(ids[0]).toHaveLength(5);
  expect(ids[0]).toEqual(expect.arrayContaining(first.placed.map(({ orderId }) => orderId)));
  expect(await ledger.balance(db, userId)).toBe(usd("0.95"));
});

test("a call for several that breaks half way answers those that were placed", async () => {
  const { ask, userId } = await market(20);
  // The batch is undone; one by one, the first three stand and the others fail.
  await db.unsafe(`
    create function break_fourth() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
    create trigger break_fourth before insert on orders for each row
      when (new.user_id = ${userId} and new.number > 3) execute function break_fourth()`);
  const faults: unknown[] = [];
  const broken = openOrders(db, { ttlSeconds: 1200, log: { error: (fault: unknown) => faults.push(fault) } });
  try {
    const several = await broken.placeMany(ask, 5);
    expect(several).toMatchObject({ placed: [{}, {}, {}], balance: usd("0.97"), refused: "server" });
    expect(faults).toHaveLength(1);
    await expect(broken.placeMany(ask, 2)).rejects.toThrow("broken");
  } finally {
    await db`drop trigger break_fourth on orders`;
    await db`drop function break_fourth`;
  }
});

test("of several for which there is not room enough, those that had room are answered", async () => {
  const { ask } = await market(20);
  const nobody = { ...ask, userId: 999_999n };
  const crowd = Array.from({ length: 9_996 }, () => orders.place(nobody));
  const several = await orders.placeMany(ask, 10);
  expect(several).toMatchObject({ placed: [{}, {}, {}, {}], balance: usd("0.96"), refused: "limit" });
  expect(new Set((await Promise.all(crowd)).map((each) => JSON.stringify(each)))).toEqual(
    new Set(['{"refusal":"token"}']),
  );
});

test("a mixed batch answers each his own, in his own order", async () => {
  const [rich, poor, soldOut] = [await market(40), await market(5, { balance: "0.015" }), await market(1)];
  const answers = await Promise.all([
    ...Array.from({ length: 20 }, () => orders.place(rich.ask)),
    ...Array.from({ length: 2 }, () => orders.place(poor.ask)),
    ...Array.from({ length: 2 }, () => orders.place(soldOut.ask)),
    orders.place({ ...rich.ask, siteId: 999_999 }),
    orders.place({ ...rich.ask, userId: 999_999n }),
  ]);
  const words = answers.map((answer) => ("refusal" in answer ? answer.refusal : "ok"));
  expect(words.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => "ok"));
  expect(words.slice(20, 22).toSorted()).toEqual(["no balance", "ok"]);
  expect(words.slice(22, 24).toSorted()).toEqual(["no emails", "ok"]);
  expect(words.slice(24)).toEqual(["site", "token"]);
});

test("many who are the first to order a pair all get one", async () => {
  const { ask, domainId } = await market(200, { balance: "10" });
  const sites = await Promise.all(Array.from({ length: 5 }, () => site(db)));
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      orders.place({ ...ask, siteId: sites[index % 5]!, domainIds: [domainId] }),
    ),
  );
  expect(answers.filter((answer) => "orderId" in answer)).toHaveLength(100);
});

test("who has not the money for what is sold out hears that it is sold out, also when only dead ones are left", async () => {
  const { ask, domainId } = await market(2, { balance: "0.001" });
  const other = await buyer(db, { balance: "1" });
  const placed = (await orders.place({ ...ask, userId: other })) as Placed;
  expect(await orders.place(ask)).toMatchObject({ refusal: "no balance" });
  const left = await db<{ id: bigint }[]>`
    select id from mailbox where domain_id = ${domainId} and id <> ${await mailboxOf(db, placed.orderId)}`;
  await inventory.setDead(db, [left[0]!.id], true);
  expect(await orders.place(ask)).toEqual({ refusal: "no emails" });
});

test("a pair that is opened while an order waits for its locks is not taken from without its lock", async () => {
  const { userId, siteId, domainId } = await market(2);
  const other = (await shelf(db, 2)).domainId;
  await callOpenPairs(db, [{ siteId, domainId }]);
  const wanted = {
    userId,
    siteId,
    subject: null,
    regex: null,
    softId: null,
    key: null,
    quantity: null,
    tokenId: null,
    priceMax: null,
    note: null,
  };
  const asks = [domainId, other].map((each) => ({ ...wanted, domainId: each }));
  const holder = await db.reserve();
  await holder`begin`;
  await holder`select 1 from stock where site_id = ${siteId} and domain_id = ${domainId} for update`;
  const placing = callPlaceOrders(db, asks, { ttlSeconds: 1200, openMax: 50 }, 0).then((rows) =>
    rows.map(({ code }) => code),
  );
  await vi.waitFor(async () => {
    const waiting = await db`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%place_orders%'`;
    expect(waiting).toHaveLength(1);
  }, soon);
  await callOpenPairs(db, [{ siteId, domainId: other }]);
  await holder`commit`;
  holder.release();
  expect(await placing).toEqual(["ok", "new pair"]);
});

test("a reorder is answered with its site, by id and by address alike", async () => {
  const { ask, userId, siteId } = await market(3);
  const one = await received(ask);
  const [{ name } = {}] = await db<{ name: string }[]>`select name from site where id = ${siteId}`;
  const again = (await orders.reorder({ userId, orderId: one.orderId })) as Reordered;
  expect(again).toMatchObject({ site: name, email: one.email, isRepeat: false });
  const byAddress = await orders.reorder({ userId, email: ` ${one.email.toUpperCase()}`, siteId });
  expect(byAddress).toMatchObject({ orderId: again.orderId, site: name, isRepeat: true });
  for (const email of ["nobody@nowhere.test", "no address", `x${one.email}`])
    expect(await orders.reorder({ userId, email, siteId })).toEqual({ refusal: "no activation" });
  const other = await site(db);
  expect(await orders.reorder({ userId, email: one.email, siteId: other })).toEqual({
    refusal: "no activation",
  });
});

test("reorders of many buyers share a batch and each gets his own answer", async () => {
  const { siteId, domainId } = await market(0);
  await inventory.addStock(db, domainId, 40);
  const all = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const userId = await buyer(db, { balance: "1" });
      const { orderId, email } = await received({ userId, siteId, domainIds: [domainId] });
      return { userId, orderId, email };
    }),
  );
  const dead = all[0]!;
  await inventory.setDead(db, [await mailboxOf(db, dead.orderId)], true);
  const stranger = all[1]!;
  const answers = await Promise.all(
    all.map(({ userId, orderId }, index) =>
      orders.reorder({ userId: index === 2 ? stranger.userId : userId, orderId }),
    ),
  );
  expect(answers[0]).toEqual({ refusal: "email banned" });
  expect(answers[2]).toEqual({ refusal: "no activation" });
  for (const [index, { email }] of all.entries())
    if (index !== 0 && index !== 2)
      expect(answers[index]).toMatchObject({ email, balance: usd("0.98"), isRepeat: false });
});

test("a cancel answers the balance after it, of pending and of received ones", async () => {
  const { ask, userId } = await market(3);
  const done = await received(ask);
  const { orderId } = (await orders.place(ask)) as Placed;
  expect(await orders.cancel({ userId, orderId })).toEqual({
    outcome: "activation canceled",
    balance: usd("0.99"),
  });
  const hides = await Promise.all(
    Array.from({ length: 5 }, () => orders.cancel({ userId, orderId: done.orderId })),
  );
  const hidden = hides.filter(({ outcome }) => outcome === "activation canceled");
  expect(hidden).toEqual([{ outcome: "activation canceled", balance: usd("0.99") }]);
});

test("a limited token orders up to its highest price, and takes a cheaper domain instead", async () => {
  const { ask, userId, domainId } = await market(3, { price: "0.05" });
  const cheap = await shelf(db, 1, "0.04");
  const tokenId = await token(userId, { priceMax: "0.04" });
  expect(await orders.place({ ...ask, tokenId })).toMatchObject({ refusal: "token limit" });
  const domainIds = [domainId, cheap.domainId];
  expect(await orders.place({ ...ask, tokenId, domainIds })).toMatchObject({ price: usd("0.04") });
  const [row] = await db<{ tokenId: bigint }[]>`
    select token_id as "tokenId" from orders where user_id = ${userId}`;
  expect(row?.tokenId).toBe(tokenId);
  expect(await orders.place(ask)).toMatchObject({ price: usd("0.05") });
});

test("64 at once never spend more than a token's budget of the day, and the account's own token goes on", async () => {
  const { ask, userId } = await market(200, { balance: "2" });
  const tokenId = await token(userId, { budgetDay: "0.305" });
  const answers = await Promise.all(Array.from({ length: 64 }, () => orders.place({ ...ask, tokenId })));
  expect(answers.filter((answer) => "orderId" in answer)).toHaveLength(30);
  for (const answer of answers)
    if ("refusal" in answer) expect(answer).toMatchObject({ refusal: "token limit" });
  expect(await spent(tokenId)).toBe(usd("0.3"));
  expect(await orders.placeMany(ask, 3)).toMatchObject({ refused: undefined });
  expect(await spent(tokenId)).toBe(usd("0.3"));
});

test("what is given back on the same day is in the budget again, and on a later day is not", async () => {
  const { ask, userId } = await market(10);
  const tokenId = await token(userId, { budgetDay: "0.02" });
  const place = () => orders.place({ ...ask, tokenId });
  const [one, two] = [(await place()) as Placed, (await place()) as Placed];
  expect(await place()).toMatchObject({ refusal: "token limit" });
  await orders.cancel({ userId, orderId: one.orderId });
  expect(await spent(tokenId)).toBe(usd("0.01"));
  expect(await place()).toMatchObject({ isRepeat: false });
  await db`update orders set created_at = created_at - interval '1 day' where id = ${two.orderId}`;
  await db`update user_token_day set spent = spent - ${usd("0.01")} where token_id = ${tokenId}`;
  await db`insert into user_token_day (token_id, day, spent)
           values (${tokenId}, (now() at time zone 'UTC')::date - 1, ${usd("0.01")})`;
  await orders.cancel({ userId, orderId: two.orderId });
  const days = await db`select spent from user_token_day where token_id = ${tokenId} order by day`;
  expect([...days]).toEqual([{ spent: usd("0.01") }, { spent: usd("0.01") }]);
});

test("a reorder keeps within a token's sites, price and budget", async () => {
  const { ask, userId, siteId } = await market(5);
  const { orderId } = await received(ask);
  const other = await site(db);
  const reorder = async (limits: Parameters<typeof token>[1]) =>
    orders.reorder({ userId, orderId, tokenId: await token(userId, limits) });
  expect(await reorder({ sites: [other] })).toMatchObject({ refusal: "token limit" });
  expect(await reorder({ priceMax: "0.009" })).toMatchObject({ refusal: "token limit" });
  expect(await reorder({ budgetDay: "0.009" })).toMatchObject({ refusal: "token limit" });
  const tokenId = await token(userId, { sites: [other, siteId], priceMax: "0.01", budgetDay: "0.01" });
  expect(await orders.reorder({ userId, orderId, tokenId })).toMatchObject({ isRepeat: false });
  expect(await spent(tokenId)).toBe(usd("0.01"));
  expect(await reorder({ sites: [other] })).toEqual({ refusal: "token limit", price: null });
});

test("a token that is revoked, over or another's opens nothing, even where it is remembered", async () => {
  const { ask, userId } = await market(5);
  const { orderId } = await received(ask);
  const [revoked, over, foreign] = [
    await token(userId),
    await token(userId),
    await token(await buyer(db, { balance: "1" })),
  ];
  await db`update user_token set revoked_at = now() where id = ${revoked}`;
  await db`update user_token set expires_at = now() where id = ${over}`;
  for (const tokenId of [revoked, over, foreign, 999_999n]) {
    expect(await orders.place({ ...ask, tokenId })).toEqual({ refusal: "token" });
    expect(await orders.reorder({ userId, orderId, tokenId })).toEqual({ refusal: "token" });
  }
});

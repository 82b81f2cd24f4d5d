import { afterAll, afterEach, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, letter, mailboxOf, shelf, site, topUp } from "../../../test/kit/shelf.ts";
import * as inventory from "../inventory/inventory.ts";
import { usd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import { audit } from "./orders.audit.ts";
import { deliver, openOrders, waiting, type Placed } from "./orders.ts";

const { db, drop } = await createDatabase();
const orders = openOrders(db, { ttlSeconds: 1200 });
afterAll(drop);

afterEach(async () => {
  const broken = (await audit(db)).filter(({ bad }) => bad.length > 0);
  if (broken.length > 0) throw new Error(`the audit found ${JSON.stringify(broken)}`);
});

function stands(answer: object): Placed {
  expect(answer).toHaveProperty("orderId");
  return answer as Placed;
}

async function market(mailboxes: number, balance = "1") {
  const [userId, siteId, { domainId, domain }] = [
    await buyer(db, { balance }),
    await site(db),
    await shelf(db, mailboxes),
  ];
  const place = async () => stands(await orders.place({ userId, siteId, domainIds: [domainId] }));
  const left = async () =>
    (await inventory.available(db, siteId)).find((each) => each.domain === domain)?.available;
  return { userId, siteId, domainId, domain, place, left };
}

async function receive(orderId: bigint): Promise<void> {
  const letterId = await letter(db, [await mailboxOf(db, orderId)]);
  expect(await deliver(db, [{ letterId, orderId }])).toMatchObject([{ orderId, isFirst: true }]);
}

const passTime = (orderId: bigint) =>
  db`update orders set expires_at = now() - interval '1 second' where id = ${orderId}`;

test("an order takes its price and one mailbox, and answers the address and what is left", async () => {
  const { userId, domain, place, left } = await market(2);
  const placed = await place();
  expect(placed).toMatchObject({ price: usd("0.0035"), balance: usd("0.9965"), isRepeat: false });
  expect(placed.email.endsWith(`@${domain}`)).toBe(true);
  expect(placed.orderId).toBeGreaterThan(2n ** 32n);
  expect(await ledger.balance(db, userId)).toBe(usd("0.9965"));
  expect(await left()).toBe(1);
});

test("a mailbox that one site had is still there for another", async () => {
  const { userId, domainId, place } = await market(1);
  await place();
  const other = await orders.place({ userId, siteId: await site(db), domainIds: [domainId] });
  expect(stands(other).isRepeat).toBe(false);
});

test("the wanted domains are tried in their order", async () => {
  const { userId, siteId, domainId, domain } = await market(1);
  const empty = await shelf(db, 0);
  const domainIds = [empty.domainId, 999_999, domainId];
  expect(stands(await orders.place({ userId, siteId, domainIds })).email).toContain(domain);
  expect(await orders.place({ userId, siteId, domainIds })).toEqual({ refusal: "no emails" });
});

test("each reason for a no has its own word, and nothing is taken", async () => {
  const { userId, siteId, domainId, left } = await market(1);
  const ask = { userId, siteId, domainIds: [domainId] };
  const refused = async (change: Partial<typeof ask>) => orders.place({ ...ask, ...change });
  expect(await refused({ domainIds: [999_999] })).toEqual({ refusal: "domain" });
  expect(await refused({ domainIds: [] })).toEqual({ refusal: "domain" });
  expect(await refused({ siteId: 999_999 })).toEqual({ refusal: "site" });
  expect(await refused({ userId: 999_999n })).toEqual({ refusal: "token" });
  expect(await refused({ userId: await buyer(db, { balance: "0.001" }) })).toEqual({
    refusal: "no balance",
    missing: usd("0.0025"),
  });

  await db`update mail_domain set enabled = false where id = ${domainId}`;
  expect(await refused({})).toEqual({ refusal: "domain" });
  await db`update mail_domain set enabled = true where id = ${domainId}`;
  await db`update site set blocked = true where id = ${siteId}`;
  expect(await refused({})).toEqual({ refusal: "site" });
  await db`update site set blocked = false where id = ${siteId}`;
  await db`update users set blocked_at = now() where id = ${userId}`;
  expect(await refused({})).toEqual({ refusal: "token" });
  await db`update users set blocked_at = null, activated_at = null where id = ${userId}`;
  expect(await refused({})).toEqual({ refusal: "token" });
  expect(await left()).toBe(1);
  expect(await ledger.balance(db, userId)).toBe(usd("1"));
});

test("of several domains that are too dear, what is missing is counted for the cheapest", async () => {
  const { siteId } = await market(0);
  const dear = await shelf(db, 1, "0.5");
  const cheap = await shelf(db, 1, "0.2");
  const userId = await buyer(db, { balance: "0.15" });
  const answer = await orders.place({ userId, siteId, domainIds: [dear.domainId, cheap.domainId] });
  expect(answer).toEqual({ refusal: "no balance", missing: usd("0.05") });
});

test("the same key answers the same order and charges once, also for twenty at once", async () => {
  const { userId, siteId, domainId } = await market(30);
  const ask = { userId, siteId, domainIds: [domainId], idempotencyKey: "my order" };
  const placed = (await Promise.all(Array.from({ length: 20 }, () => orders.place(ask)))).map(stands);
  expect(new Set(placed.map(({ orderId }) => orderId)).size).toBe(1);
  expect(placed.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1);
  expect(await ledger.balance(db, userId)).toBe(usd("0.9965"));
});

test("the same key of another user, or after a day, is another order", async () => {
  const { userId, siteId, domainId } = await market(5);
  const ask = { userId, siteId, domainIds: [domainId], idempotencyKey: "again" };
  const first = stands(await orders.place(ask));
  expect(stands(await orders.place({ ...ask, userId: await buyer(db, { balance: "1" }) })).isRepeat).toBe(
    false,
  );
  await db`update orders set created_at = now() - interval '25 hours' where id = ${first.orderId}`;
  const next = stands(await orders.place(ask));
  expect(next).toMatchObject({ isRepeat: false });
  expect(stands(await orders.place(ask))).toMatchObject({ isRepeat: true, orderId: next.orderId });
});

test("a pending order that is canceled is refunded, and its mailbox is sold again", async () => {
  const { userId, place, left } = await market(1);
  const { orderId, email } = await place();
  expect(await orders.cancel({ userId, orderId })).toMatchObject({ outcome: "activation canceled" });
  expect(await ledger.balance(db, userId)).toBe(usd("1"));
  expect(await left()).toBe(1);
  expect((await place()).email).toBe(email);
  expect(await orders.cancel({ userId, orderId })).toMatchObject({ outcome: "activation already canceled" });
});

test("many cancels of one order at once refund it once", async () => {
  const { userId, place } = await market(1);
  const { orderId } = await place();
  const answers = await Promise.all(Array.from({ length: 10 }, () => orders.cancel({ userId, orderId })));
  expect(answers.filter(({ outcome }) => outcome === "activation canceled")).toHaveLength(1);
  expect(await ledger.balance(db, userId)).toBe(usd("1"));
});

test("nobody cancels or reads the order of another", async () => {
  const { place } = await market(1);
  const { orderId } = await place();
  const stranger = await buyer(db);
  expect(await orders.cancel({ userId: stranger, orderId })).toMatchObject({ outcome: "no activation" });
  expect(await orders.read({ userId: stranger, orderId })).toBeUndefined();
  expect(await orders.cancel({ userId: stranger, orderId: 1n })).toMatchObject({ outcome: "no activation" });
});

test("a received order that is canceled leaves the list, is not refunded, and the history keeps it", async () => {
  const { userId, place } = await market(2);
  const { orderId } = await place();
  await receive(orderId);
  expect((await orders.activations(userId, 1)).orders).toMatchObject([
    { orderId, status: "received", letters: [{ html: "<p>hello</p>" }] },
  ]);
  expect(await orders.cancel({ userId, orderId })).toMatchObject({ outcome: "activation canceled" });
  expect(await orders.cancel({ userId, orderId })).toMatchObject({ outcome: "activation already canceled" });
  expect(await orders.activations(userId, 1)).toEqual({ orders: [], pages: 0, waiting: 0 });
  expect((await orders.history(userId, 1)).orders).toMatchObject([{ orderId, status: "received" }]);
  expect(await ledger.balance(db, userId)).toBe(usd("0.9965"));
});

test("the first letter pays who brought the buyer, whose program ordered and whose mailbox it was, rounded down", async () => {
  const [partner, developer, investor] = [await buyer(db), await buyer(db), await buyer(db)];
  const userId = await buyer(db, { balance: "1", referredBy: partner });
  const siteId = await site(db);
  const { domainId } = await shelf(db, 0, "0.00000033");
  const batchId = await inventory.addBatch(db, { investorId: investor, sharePpm: 300_000, title: "theirs" });
  await inventory.addMailboxes(db, batchId, domainId, ["one"]);
  const { orderId } = stands(
    await orders.place({ userId, siteId, domainIds: [domainId], softId: developer }),
  );
  const before = await ledger.balance(db, userId);
  await receive(orderId);
  const earned = (userId: bigint, book: "referrals" | "soft" | "investor") =>
    ledger.earnings(db, userId, book);
  expect(await earned(partner, "referrals")).toMatchObject({ earned: 0n, held: 1n });
  expect(await earned(developer, "soft")).toMatchObject({ earned: 0n, held: 1n });
  expect(await earned(investor, "investor")).toMatchObject({ earned: 0n, held: 9n });
  expect(await ledger.balance(db, userId)).toBe(before);
  const [revenue] = await db`select amount from transfer where order_id = ${orderId} and kind = 'capture'`;
  expect(revenue).toEqual({ amount: 22n });
  await db`select end_shares(array[${orderId}::bigint], 'released', 0)`;
  expect(await ledger.balance(db, developer, "soft")).toBe(1n);
  expect(await ledger.balance(db, investor, "investor")).toBe(9n);
  const today = new Date().toISOString().slice(0, 10);
  expect(await ledger.earnedByDay(db, partner, "referrals", new Date())).toEqual([
    { day: today, credit: 1n, debit: 0n, count: 1 },
  ]);
});

test("nobody earns from his own order, and a soft id of nobody earns nothing", async () => {
  const { userId, siteId, domainId } = await market(2);
  for (const softId of [userId, 999_999n]) {
    const ask = { userId, siteId, domainIds: [domainId], softId };
    const { orderId } = stands(await orders.place(ask));
    await receive(orderId);
  }
  expect(await ledger.balance(db, userId, "soft")).toBe(0n);
});

test("later letters of a living order are added, newest first, and cost nothing", async () => {
  const { userId, place } = await market(1);
  const { orderId } = await place();
  await receive(orderId);
  const second = await letter(db, [await mailboxOf(db, orderId)], { html: "second" });
  const twice = [{ letterId: second, orderId, value: "123" }];
  expect(await deliver(db, twice)).toMatchObject([{ isFirst: false }]);
  expect(await deliver(db, twice)).toEqual([]);
  const newest = [{ letterId: second, html: "second", value: "123" }];
  expect(await orders.read({ userId, orderId })).toMatchObject({ letters: newest, messages: 2 });
  const listed = (await orders.history(userId, 1)).orders;
  expect(listed).toMatchObject([{ letters: [...newest, { html: "<p>hello</p>", value: null }] }]);
  expect(await ledger.balance(db, userId)).toBe(usd("0.9965"));
  await passTime(orderId);
  const late = await letter(db, [await mailboxOf(db, orderId)]);
  expect(await deliver(db, [{ letterId: late, orderId }])).toEqual([]);
});

test("a canceled order gets no letter", async () => {
  const { userId, place } = await market(1);
  const { orderId } = await place();
  await orders.cancel({ userId, orderId });
  const letterId = await letter(db, [await mailboxOf(db, orderId)]);
  expect(await deliver(db, [{ letterId, orderId }])).toEqual([]);
  expect(await waiting(db, [await mailboxOf(db, orderId)])).toEqual([]);
});

test("a reorder is a new order of the same address at today's price, and waits for its own letter", async () => {
  const { userId, siteId, domainId, place, left } = await market(1);
  const { orderId, email } = await place();
  await receive(orderId);
  await db`update mail_domain set price = ${usd("0.005")} where id = ${domainId}`;
  const again = stands(await orders.reorder({ userId, orderId, subject: "new", regex: "[0-9]+" }));
  expect(again).toMatchObject({ email, price: usd("0.005"), balance: usd("0.9915"), isRepeat: false });
  expect(await orders.read({ userId, orderId: again.orderId })).toMatchObject({
    status: "pending",
    letters: [],
  });
  expect(await waiting(db, [await mailboxOf(db, orderId)])).toMatchObject([
    { orderId, status: "received", siteId },
    { orderId: again.orderId, status: "pending", subject: "new", regex: "[0-9]+" },
  ]);
  expect(await left()).toBe(0);
  await receive(again.orderId);
});

test("a reorder while one waits answers that one and charges nothing, also for many at once", async () => {
  const { userId, siteId, place } = await market(1);
  const { orderId, email } = await place();
  await receive(orderId);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      index % 2 === 0
        ? orders.reorder({ userId, orderId })
        : orders.reorder({ userId, email: email.toUpperCase(), siteId }),
    ),
  );
  expect(new Set(answers.map((answer) => stands(answer).orderId)).size).toBe(1);
  expect(await ledger.balance(db, userId)).toBe(usd("0.993"));
});

test("a reorder that is canceled or expires is refunded and gives nothing to the stock", async () => {
  const { userId, place, left } = await market(1);
  const { orderId } = await place();
  await receive(orderId);
  for (const end of ["cancel", "expiry"]) {
    const again = stands(await orders.reorder({ userId, orderId }));
    if (end === "cancel") await orders.cancel({ userId, orderId: again.orderId });
    else await passTime(again.orderId).then(() => orders.expireDue());
    expect(await ledger.balance(db, userId)).toBe(usd("0.9965"));
    expect(await left()).toBe(0);
  }
});

test("a reorder needs a received order of one's own, a living mailbox, and money", async () => {
  const { userId, siteId, place } = await market(2, "0.008");
  const pending = await place();
  expect(await orders.reorder({ userId, orderId: pending.orderId })).toEqual({ refusal: "no activation" });
  expect(await orders.reorder({ userId, email: pending.email, siteId })).toEqual({
    refusal: "no activation",
  });
  await receive(pending.orderId);
  const stranger = await buyer(db, { balance: "1" });
  expect(await orders.reorder({ userId: stranger, orderId: pending.orderId })).toEqual({
    refusal: "no activation",
  });
  await orders.cancel({ userId, orderId: (await place()).orderId });
  const other = await place();
  expect(await orders.reorder({ userId, orderId: pending.orderId })).toEqual({
    refusal: "no balance",
    missing: usd("0.0025"),
  });
  await topUp(db, userId, usd("1"));
  await inventory.setDead(db, [await mailboxOf(db, pending.orderId)], true);
  expect(await orders.reorder({ userId, orderId: pending.orderId })).toEqual({ refusal: "email banned" });
  expect((await orders.read({ userId, orderId: other.orderId }))?.status).toBe("pending");
});

test("pages of both lists are right, whatever has left the list of activations", async () => {
  const { userId, siteId, domainId } = await market(700, "10");
  const placed = await Promise.all(
    Array.from({ length: 600 }, () => orders.place({ userId, siteId, domainIds: [domainId] })),
  );
  const all = placed.map((each) => stands(each).orderId).toSorted((a, b) => Number(b - a));
  const gone = all.filter((_, index) => (index >= 40 && index < 560) || index % 3 === 0);
  await Promise.all(gone.map((orderId) => orders.cancel({ userId, orderId })));
  const kept = all.filter((orderId) => !gone.includes(orderId));

  const first = await orders.activations(userId, 1);
  expect(first.pages).toBe(Math.ceil(kept.length / 10));
  expect(first.waiting).toBe(kept.length);
  const pages = await Promise.all(
    Array.from({ length: first.pages }, (_, index) => orders.activations(userId, index + 1)),
  );
  expect(pages.flatMap((page) => page.orders.map(({ orderId }) => orderId))).toEqual(kept);
  expect(await orders.activations(userId, first.pages + 1)).toMatchObject({
    orders: [],
    waiting: kept.length,
  });

  for (const page of [1, 2, 30, 60]) {
    const { orders: shown, nextPage } = await orders.history(userId, page);
    expect(shown.map(({ orderId }) => orderId)).toEqual(all.slice((page - 1) * 10, page * 10));
    expect(nextPage).toBe(page < 60);
  }
  for (const page of [61, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
    expect(await orders.history(userId, page)).toEqual({ orders: [], pages: 60, nextPage: false });
    expect((await orders.activations(userId, page)).orders).toEqual([]);
  }
});

test("the revision grows with each change of balance and lists, and with nothing else", async () => {
  const { userId, place } = await market(2);
  let last = await orders.revision(userId);
  const grows = async (change: () => Promise<unknown>) => {
    await change();
    const now = await orders.revision(userId);
    expect(now).toBeGreaterThan(last);
    last = now;
  };
  let orderId = 0n;
  await grows(async () => ({ orderId } = await place()));
  await grows(() => receive(orderId));
  await grows(async () => deliver(db, [{ letterId: await letter(db, []), orderId }]));
  await grows(() => orders.reorder({ userId, orderId }));
  await grows(() => orders.cancel({ userId, orderId }));
  await grows(() => topUp(db, userId, usd("1")));
  await orders.activations(userId, 1);
  await orders.cancel({ userId, orderId });
  expect(await orders.revision(userId)).toBe(last);
});

// @module-tag slow
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, letter, mailboxOf, shelf, site, topUp } from "../../../test/kit/shelf.ts";
import * as inventory from "../inventory/inventory.ts";
import { usd, type Usd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import { audit } from "./orders.audit.ts";
import { deliver, openOrders, type Placed } from "./orders.ts";

const { db, drop } = await createDatabase({ max: 12 });
const price = usd("0.0035");
const orders = openOrders(db, { ttlSeconds: 1200, concurrency: 4 });
afterAll(drop);

const broken = async () => (await audit(db)).filter(({ bad }) => bad.length > 0);

test("64 clients at once on one pair: no address twice, and 'no emails' exactly when the stock ends", async () => {
  const siteId = await site(db);
  const { domainId } = await shelf(db, 1000);
  const users = await Promise.all(Array.from({ length: 8 }, () => buyer(db, { balance: "10" })));
  const answers = await Promise.all(
    Array.from({ length: 64 }, async (_, client) => {
      const got = [];
      for (let turn = 0; turn < 20; turn++)
        got.push(await orders.place({ userId: users[client % 8]!, siteId, domainIds: [domainId] }));
      return got;
    }),
  );
  const placed = answers.flat().filter((answer): answer is Placed => "orderId" in answer);
  const refused = answers.flat().filter((answer) => "refusal" in answer);
  expect(placed).toHaveLength(1000);
  expect(new Set(placed.map(({ email }) => email)).size).toBe(1000);
  expect(new Set(placed.map(({ orderId }) => orderId)).size).toBe(1000);
  expect(refused).toHaveLength(280);
  expect(new Set(refused.map((answer) => JSON.stringify(answer)))).toEqual(
    new Set(['{"refusal":"no emails"}']),
  );
  expect(await broken()).toEqual([]);
});

test("64 clients of one buyer: never overdrawn, and 'no balance' exactly when the money ends", async () => {
  const siteId = await site(db);
  const { domainId } = await shelf(db, 500);
  const userId = await buyer(db, { balance: "0.35" });
  const answers = await Promise.all(
    Array.from({ length: 64 * 3 }, () => orders.place({ userId, siteId, domainIds: [domainId] })),
  );
  expect(answers.filter((answer) => "orderId" in answer)).toHaveLength(100);
  const lacking = answers.filter((answer) => "refusal" in answer);
  expect(lacking).toHaveLength(92);
  for (const answer of lacking) expect(answer).toEqual({ refusal: "no balance", missing: price });
  expect(await ledger.balance(db, userId)).toBe(0n);
  expect(await broken()).toEqual([]);
});

test("reorders of many addresses at once stop exactly when the money ends", async () => {
  const siteId = await site(db);
  const { domainId } = await shelf(db, 12);
  const userId = await buyer(db, { balance: "0.0595" });
  const received = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const { orderId } = (await orders.place({ userId, siteId, domainIds: [domainId] })) as Placed;
      await deliver(db, [{ letterId: await letter(db, []), orderId }]);
      return orderId;
    }),
  );
  const answers = await Promise.all(received.map((orderId) => orders.reorder({ userId, orderId })));
  expect(answers.filter((answer) => "orderId" in answer)).toHaveLength(5);
  for (const answer of answers)
    if ("refusal" in answer) expect(answer).toEqual({ refusal: "no balance", missing: price });
  expect(await ledger.balance(db, userId)).toBe(0n);
  expect(await broken()).toEqual([]);
});

test("a last mailbox that is canceled and wanted by many goes to one of them at a time", async () => {
  const siteId = await site(db);
  const { domainId } = await shelf(db, 1);
  const users = await Promise.all(Array.from({ length: 16 }, () => buyer(db, { balance: "1" })));
  await Promise.all(
    users.map(async (userId) => {
      for (let turn = 0; turn < 10; turn++) {
        const answer = await orders.place({ userId, siteId, domainIds: [domainId] });
        if ("orderId" in answer)
          expect(await orders.cancel({ userId, orderId: answer.orderId })).toMatchObject({
            outcome: "activation canceled",
          });
        else expect(answer).toEqual({ refusal: "no emails" });
      }
    }),
  );
  for (const userId of users) expect(await ledger.balance(db, userId)).toBe(usd("1"));
  expect(await broken()).toEqual([]);
});

test("a cancel, an expiry and a letter that meet end an order in one way only", async () => {
  const siteId = await site(db);
  const { domainId } = await shelf(db, 60);
  const userId = await buyer(db, { balance: "1" });
  const placed = await Promise.all(
    Array.from({ length: 60 }, () => orders.place({ userId, siteId, domainIds: [domainId] })),
  );
  const ids = placed.map((answer) => (answer as Placed).orderId);
  const letters = new Map<bigint, bigint>();
  for (const orderId of ids) letters.set(orderId, await letter(db, [await mailboxOf(db, orderId)]));
  await db`update orders set expires_at = clock_timestamp() where user_id = ${userId}`;
  await Promise.all(
    ids.flatMap((orderId) => [
      orders.cancel({ userId, orderId }),
      deliver(db, [{ letterId: letters.get(orderId)!, orderId }]),
      orders.expireDue(),
    ]),
  );
  const [ended] = await db<{ received: number; pending: number }[]>`
    select count(*) filter (where status = 'received')::int as received, count(*) filter (where status = 'pending')::int as pending
    from orders where user_id = ${userId}`;
  expect(ended?.pending).toBe(0);
  expect(await ledger.balance(db, userId)).toBe(usd("1") - price * BigInt(ended?.received ?? 0));
  expect(await broken()).toEqual([]);
});

// The acts of a shop. Numbers choose the user, the site, the order, the mailbox.
const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant("place" as const), one: fc.nat(), two: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("topUp" as const), one: fc.nat(), two: fc.nat(9) }) },
  {
    weight: 12,
    arbitrary: fc.record({
      does: fc.constantFrom(
        "cancel",
        "expire",
        "deliver",
        "reorder",
        "payOut",
        "die",
        "revive",
        "block",
        "unblock",
        "restock",
      ),
      one: fc.nat(),
      two: fc.nat(),
    }),
  },
);
type Act = typeof act extends fc.Arbitrary<infer Each> ? Each : never;

async function openShop() {
  const investor = await buyer(db);
  const partner = await buyer(db, { balance: "0.02" });
  const users = [
    partner,
    await buyer(db, { balance: "0.02", referredBy: partner }),
    await buyer(db, { balance: "0.02" }),
  ];
  const sites = [await site(db), await site(db)];
  const { domainId } = await shelf(db, 3);
  const batches = [
    await inventory.addBatch(db, { title: "own" }),
    await inventory.addBatch(db, { investorId: investor, sharePpm: 333_333, title: "theirs" }),
  ];
  let names = 0;
  const restock = async (which: number) => {
    names += 2;
    await inventory.addMailboxes(db, batches[which % 2]!, domainId, [`box${names}`, `box${names + 1}`]);
  };
  await restock(0);
  await restock(1);
  return { users, sites, domainId, batches, restock };
}
type Shop = Awaited<ReturnType<typeof openShop>>;

const at = <Item>(list: readonly Item[], number: number): Item | undefined => list[number % list.length];

const ordersOf = (shop: Shop) =>
  db<{ id: bigint; userId: bigint; status: string }[]>`
    select id, user_id as "userId", status from orders where user_id = any (${shop.users}) order by id`;

const mailboxesOf = (shop: Shop) =>
  db<{ id: bigint }[]>`select id from mailbox where domain_id = ${shop.domainId} order by id`;

/** Performs an act; answers the change of the balances by its answer alone. */
async function perform(shop: Shop, { does, one, two }: Act): Promise<{ userId: bigint; change: bigint }> {
  const userId = at(shop.users, one)!;
  const nothing = { userId, change: 0n };
  if (does === "place") {
    const answer = await orders.place({
      userId,
      siteId: at(shop.sites, two)!,
      domainIds: [shop.domainId],
      ...(two % 3 === 0 ? { softId: shop.users[0] } : {}),
      ...(two % 5 === 0 ? { idempotencyKey: `key ${two % 2}` } : {}),
    });
    return "orderId" in answer && !answer.isRepeat ? { userId, change: -answer.price } : nothing;
  }
  if (does === "topUp") {
    await topUp(db, userId, (price * BigInt(two + 1)) as Usd);
    return { userId, change: price * BigInt(two + 1) };
  }
  if (does === "payOut") {
    const amount = usd("0.001");
    const idempotencyKey = `payout ${userId} ${one} ${two}`;
    const paid = await ledger.payOut(db, { userId, book: "balance", amount, idempotencyKey });
    return paid === "ok" ? { userId, change: -amount } : nothing;
  }
  if (does === "cancel" || does === "deliver" || does === "reorder") return performOn(shop, does, one);
  await performOnStock(shop, does, one, two);
  return nothing;
}

async function performOn(shop: Shop, does: "cancel" | "deliver" | "reorder", one: number) {
  const order = at(await ordersOf(shop), one);
  if (!order) return { userId: shop.users[0]!, change: 0n };
  const { id: orderId, userId } = order;
  if (does === "deliver") {
    const mailboxId = await mailboxOf(db, orderId);
    await deliver(db, [{ letterId: await letter(db, [mailboxId]), orderId }]);
    return { userId, change: 0n };
  }
  if (does === "reorder") {
    const answer = await orders.reorder({ userId, orderId });
    return { userId, change: "orderId" in answer && !answer.isRepeat ? -answer.price : 0n };
  }
  const answer = await orders.cancel({ userId, orderId });
  const isRefunded = answer.outcome === "activation canceled" && order.status === "pending";
  return { userId, change: isRefunded ? price : 0n };
}

async function performOnStock(
  shop: Shop,
  does: "expire" | "die" | "revive" | "block" | "unblock" | "restock",
  one: number,
  two: number,
): Promise<void> {
  switch (does) {
    case "expire":
      await orders.expireDue();
      return;
    case "die":
    case "revive":
      await inventory.setDead(db, [at(await mailboxesOf(shop), one)!.id], does === "die");
      return;
    case "block":
      return inventory.block(db, at(shop.batches, one)!, at(shop.sites, two)!);
    case "unblock":
      return inventory.unblock(db, at(shop.batches, one)!, at(shop.sites, two)!);
    case "restock":
      return shop.restock(one);
  }
}

test("whatever happens in whatever order, each balance is what the answers said and the audit finds nothing", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 60 }), async (acts) => {
      const shop = await openShop();
      const model = new Map<bigint, bigint>();
      for (const userId of shop.users) model.set(userId, await ledger.balance(db, userId));
      for (const each of acts) {
        const { userId, change } = await perform(shop, each);
        model.set(userId, (model.get(userId) ?? 0n) + change);
      }
      for (const [userId, expected] of model) expect(await ledger.balance(db, userId)).toBe(expected);
      expect(await broken()).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

test("whatever happens at the same time, nothing fails and the audit finds nothing", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 30, maxLength: 80 }), async (acts) => {
      const shop = await openShop();
      await orders.place({ userId: shop.users[0]!, siteId: shop.sites[0]!, domainIds: [shop.domainId] });
      await Promise.all(acts.map((each) => perform(shop, each)));
      expect(await broken()).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

test("after all of that nothing had to be undone and tried again: no circle of waiting, no guard that struck", async () => {
  // A batcher would hide it by its fallback; each connection must flush its statistics.
  await Promise.all(Array.from({ length: 12 }, () => db`select pg_stat_force_next_flush(), pg_sleep(0.02)`));
  const [seen] = await db<{ deadlocks: bigint; undone: bigint }[]>`
    select deadlocks, xact_rollback as undone from pg_stat_database where datname = current_database()`;
  expect(seen).toEqual({ deadlocks: 0n, undone: 0n });
});

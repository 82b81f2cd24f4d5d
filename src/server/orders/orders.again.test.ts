import { afterAll, afterEach, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, letter, mailboxOf, shelf, site } from "../../../test/kit/shelf.ts";
import { usd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import { audit } from "./orders.audit.ts";
import { deliver, openOrders, type Placed, type PlacedMany, type Reordered } from "./orders.ts";

// Repeats: under the key of an earlier call, or of a waiting reorder.

const { db, drop } = await createDatabase({ max: 12 });
const orders = openOrders(db, { ttlSeconds: 1200 });
afterAll(drop);

afterEach(async () => {
  const broken = (await audit(db)).filter(({ bad }) => bad.length > 0);
  if (broken.length > 0) throw new Error(`the audit found ${JSON.stringify(broken)}`);
});

async function market(mailboxes: number) {
  const userId = await buyer(db, { balance: "1" });
  const siteId = await site(db);
  const { domainId } = await shelf(db, mailboxes, "0.01");
  return { userId, siteId, domainId, ask: { userId, siteId, domainIds: [domainId] } };
}

async function received(ask: Parameters<typeof orders.place>[0]): Promise<Placed> {
  const placed = (await orders.place(ask)) as Placed;
  const { orderId } = placed;
  await deliver(db, [{ letterId: await letter(db, [await mailboxOf(db, orderId)]), orderId }]);
  return placed;
}

test("a key that comes again with another ask is refused, for several as for one, and nothing is placed", async () => {
  const { ask, userId, domainId } = await market(20);
  const beside = await shelf(db, 5, "0.01");
  const one = (await orders.place({ ...ask, idempotencyKey: "one", subject: "a" })) as Placed;
  const many = (await orders.placeMany({ ...ask, idempotencyKey: "three" }, 3)) as PlacedMany;
  const named = { ...ask, idempotencyKey: "one", subject: "a" };
  for (const other of [
    { ...named, siteId: await site(db) },
    { ...named, domainIds: [beside.domainId] },
    { ...named, subject: "b" },
    { ...named, subject: undefined },
    { ...named, regex: "a" },
  ])
    expect(await orders.place(other)).toEqual({ refusal: "key used" });
  expect(await orders.placeMany(named, 2)).toEqual({ refusal: "key used" });
  for (const quantity of [1, 2, 5])
    expect(await orders.placeMany({ ...ask, idempotencyKey: "three" }, quantity)).toEqual({
      refusal: "key used",
    });
  expect(await orders.place({ ...ask, idempotencyKey: "three" })).toEqual({ refusal: "key used" });
  expect(await ledger.balance(db, userId)).toBe(usd("0.96"));
  // The same ask is a repeat, also with more domains in another order.
  const domainIds = [beside.domainId, domainId];
  expect(await orders.place({ ...named, domainIds })).toMatchObject({ orderId: one.orderId, isRepeat: true });
  expect(await orders.placeMany(named, 1)).toMatchObject({ placed: [{ orderId: one.orderId }] });
  expect(await orders.placeMany({ ...ask, idempotencyKey: "three" }, 3)).toMatchObject({
    placed: many.placed.map(({ orderId }) => ({ orderId })),
  });
  // Without a saved quantity there is nothing to compare.
  await db`update orders set quantity = null where id = ${one.orderId}`;
  expect(await orders.placeMany(named, 1)).toMatchObject({ placed: [{ orderId: one.orderId }] });
});

test("a key answers its reorder once more, and is not kept from another buyer", async () => {
  const { ask, userId } = await market(5);
  const [one, two] = [await received(ask), await received(ask)];
  const named = { userId, idempotencyKey: "again" };
  const first = (await orders.reorder({ ...named, orderId: one.orderId })) as Reordered;
  expect(await orders.reorder({ ...named, orderId: one.orderId })).toMatchObject({
    orderId: first.orderId,
    isRepeat: true,
  });
  const stranger = await buyer(db, { balance: "1" });
  const theirs = await received({ ...ask, userId: stranger });
  expect(await orders.reorder({ ...named, userId: stranger, orderId: theirs.orderId })).toMatchObject({
    isRepeat: false,
  });
  for (const other of [{ orderId: two.orderId }, { orderId: one.orderId, regex: "x" }])
    expect(await orders.reorder({ ...named, ...other })).toEqual({ refusal: "key used" });
  expect(await orders.place({ ...ask, ...named })).toEqual({ refusal: "key used" });
  await orders.place({ ...ask, idempotencyKey: "order" });
  expect(await orders.reorder({ userId, idempotencyKey: "order", orderId: two.orderId })).toEqual({
    refusal: "key used",
  });
  expect(await ledger.balance(db, userId)).toBe(usd("0.96"));
});

test("a reorder with other filters than the one that waits is refused, by id and by address", async () => {
  const { ask, userId, siteId } = await market(3);
  const { orderId, email } = await received(ask);
  const first = (await orders.reorder({ userId, orderId, subject: "foo", regex: "[0-9]+" })) as Reordered;
  for (const filters of [{}, { subject: "foo" }, { subject: "bar", regex: "[0-9]+" }])
    for (const which of [{ orderId }, { email, siteId }])
      expect(await orders.reorder({ userId, ...which, ...filters, idempotencyKey: "new" })).toEqual({
        refusal: "reorder waits",
        waitingId: first.orderId,
      });
  for (const which of [{ orderId }, { email, siteId }])
    expect(await orders.reorder({ userId, ...which, subject: "foo", regex: "[0-9]+" })).toMatchObject({
      orderId: first.orderId,
      isRepeat: true,
    });
  expect(await ledger.balance(db, userId)).toBe(usd("0.98"));
  await orders.cancel({ userId, orderId: first.orderId });
  expect(await orders.reorder({ userId, orderId, subject: "bar" })).toMatchObject({ isRepeat: false });
});

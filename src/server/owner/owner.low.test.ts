import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, shelf, site, topUp } from "../../../test/kit/shelf.ts";
import { selectEvents } from "../events/events.ts";
import { openOrders, type Placed } from "../orders/orders.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { showUsd, usd } from "../platform/money.ts";
import { createSeal } from "../platform/seal.ts";
import { lowBalanceOf, setLowBalance, tellLowBalances } from "./owner.low.ts";

const { db, drop } = await createDatabase({ max: 6 });
const orders = openOrders(db, { ttlSeconds: 1200 });
const seal = createSeal(Buffer.alloc(32, 9));
afterAll(drop);

const at = now();
const minutes = (count: number) => secondsAfter(at, 60 * count);
const look = (when: Date) => tellLowBalances({ db, seal }, when);

/** With $1 on the balance; each order costs 30 cents. */
async function owner(threshold = "0.5") {
  const [userId, siteId, { domainId }] = [
    await buyer(db, { balance: "1" }),
    await site(db),
    await shelf(db, 20, "0.3"),
  ];
  await db`select watch(${[userId]}::bigint[], 'infinity')`;
  await setLowBalance(db, { userId, threshold: usd(threshold) });
  const order = async () =>
    ((await orders.place({ userId, siteId, domainIds: [domainId] })) as Placed).orderId;
  const cancel = (orderId: bigint) => orders.cancel({ userId, orderId });
  return { userId, order, cancel };
}

async function toldOf(userId: bigint) {
  const rows = await selectEvents(db, [{ userId, after: 0n }], 1000);
  return rows.flatMap(({ name, balance, amount }) =>
    name === "balance_low" ? [{ balance: showUsd(balance ?? 0n), threshold: showUsd(amount ?? 0n) }] : [],
  );
}

async function mailsTo(userId: bigint) {
  const mails = await db<{ sealed: string }[]>`
    select payload->>'sealed' as sealed from task where user_id = ${userId} and kind = 'balance-low' order by id`;
  return mails.map(({ sealed }) => JSON.parse(seal.open(Buffer.from(sealed, "base64"))) as object);
}

test("a balance that falls below the threshold is told once, by an event and a mail, until it was above again", async () => {
  const { userId, order, cancel } = await owner();
  await order();
  await look(at);
  expect(await toldOf(userId)).toEqual([]);
  const last = await order();
  const fallen = { balance: "0.4", threshold: "0.5" };
  await look(at);
  await look(minutes(1));
  await order();
  await look(minutes(61));
  expect(await toldOf(userId)).toEqual([fallen]);
  expect(await mailsTo(userId)).toEqual([fallen]);
  await cancel(last);
  await topUp(db, userId, usd("0.1"));
  await look(minutes(62));
  await order();
  await look(minutes(63));
  expect(await toldOf(userId)).toEqual([fallen, { balance: "0.2", threshold: "0.5" }]);
  expect(await mailsTo(userId)).toHaveLength(2);
});

test("a balance that crosses the threshold again within the hour is told when that is over, if it is still low", async () => {
  const { userId, order, cancel } = await owner("0.75");
  let last = await order();
  await look(at);
  for (const count of [1, 2, 3]) {
    await cancel(last);
    await look(minutes(count));
    last = await order();
    await look(minutes(count));
  }
  expect(await toldOf(userId)).toHaveLength(1);
  await look(minutes(60));
  expect(await toldOf(userId)).toHaveLength(2);
  await cancel(last);
  await look(minutes(61));
  await order().then(cancel);
  await look(minutes(180));
  expect(await toldOf(userId)).toHaveLength(2);
  expect(await mailsTo(userId)).toHaveLength(2);
});

test("who sets a threshold above the balance, or takes it away, is not told; a balance equal to it is not low", async () => {
  const { userId, order } = await owner("1.5");
  await order();
  await look(at);
  await setLowBalance(db, { userId, threshold: usd("0.4") });
  await order();
  expect(await lowBalanceOf(db, userId)).toEqual({ threshold: usd("0.4"), balance: usd("0.4") });
  await look(at);
  await setLowBalance(db, { userId, threshold: undefined });
  expect(await lowBalanceOf(db, userId)).toEqual({ threshold: undefined, balance: usd("0.4") });
  await order();
  await look(at);
  expect(await toldOf(userId)).toEqual([]);
  expect(await mailsTo(userId)).toEqual([]);
});

test("processes that look at the same time tell once", async () => {
  const { userId, order } = await owner("0.75");
  await order();
  await Promise.all([look(at), look(at), look(at)]);
  expect(await toldOf(userId)).toHaveLength(1);
  expect(await mailsTo(userId)).toHaveLength(1);
});

test("a blocked account gets no mail", async () => {
  const { userId, order } = await owner("0.75");
  await order();
  await db`update users set blocked_at = now() where id = ${userId}`;
  await look(at);
  expect(await mailsTo(userId)).toEqual([]);
});

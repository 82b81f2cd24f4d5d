import { expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer } from "../../../test/kit/shelf.ts";
import { now } from "../platform/clock.ts";
import { listen } from "../platform/db/db.ts";
import { createLog } from "../platform/log.ts";
import { usd } from "../platform/money.ts";
import { openFakeChain } from "../../../test/kit/fakeChain.ts";
import { openSandbox } from "./networks/sandbox.ts";
import { openPayments } from "./payments.ts";
import { sandboxRates } from "./rates/rates.ts";

const { db } = await createDatabase();
const payments = openPayments({
  db,
  networks: [openSandbox(db, now)],
  rates: sandboxRates(),
  log: createLog("silent"),
});

test("a payment that is seen and then confirmed is an event of its user, and raises the revision of their polls", async () => {
  const userId = await buyer(db);
  await db`select watch(${[userId]}::bigint[], now() + interval '1 hour')`;
  const revision = async () =>
    (await db<{ revision: bigint }[]>`select revision from buyer where user_id = ${userId}`)[0]!.revision;
  const heard: string[] = [];
  const stop = await listen(db, "changes", (payload) => heard.push(payload));
  const before = await revision();

  const created = await payments.create({ userId, currency: "erc", usd: usd("10") });
  if (typeof created === "string") throw new Error(created);
  await payments.confirm(created.id, "operator", "1");
  const partly = await revision();
  await payments.confirm(created.id, "operator");

  expect(partly).toBeGreaterThan(before);
  expect(await revision()).toBeGreaterThan(partly);
  const events = await db`
    select kind, payment_id as id, status, balance from event where user_id = ${userId} order by event.id`;
  const { id } = created;
  const balances = events.filter(({ kind }) => kind === "balance").map(({ balance }) => balance);
  expect(balances).toEqual([usd("1"), usd("10")]);
  const told = events.filter(({ kind }) => kind === "payment");
  expect(told[0]).toMatchObject({ id, status: "pending" });
  expect(told.at(-1)).toMatchObject({ id, status: "confirmed" });
  await expect.poll(() => heard.length, { interval: 2 }).toBeGreaterThan(2);
  expect(new Set(heard)).toEqual(new Set([String(userId)]));
  await stop();
});

test("a payment that expires is told as rejected", async () => {
  const userId = await buyer(db);
  await db`select watch(${[userId]}::bigint[], now() + interval '1 hour')`;
  const created = await payments.create({ userId, currency: "erc", usd: usd("10") });
  if (typeof created === "string") throw new Error(created);
  await db`update payment set created_at = now() - interval '3 days', expires_at = now() - interval '2 days', judge_at = now()
           where id = ${created.id}`;
  await payments.poll();
  expect(await db`select kind, status from event where user_id = ${userId}`).toEqual([
    { kind: "payment", status: "rejected" },
  ]);
});

test("each step of a transfer towards its end is told to who waits, and a look that shows none is not", async () => {
  const userId = await buyer(db);
  await db`select watch(${[userId]}::bigint[], now() + interval '1 hour')`;
  const chain = openFakeChain("erc", now, { confirmations: 3 });
  const real = openPayments({ db, networks: [chain], rates: sandboxRates(), log: createLog("silent") });
  const created = await real.create({ userId, currency: "erc", usd: usd("10") });
  if (typeof created === "string") throw new Error(created);
  chain.pay("fake1", 10_000_000n);
  const told: number[] = [];
  for (let block = 0; block < 3; block++) {
    chain.mine();
    await real.poll();
    const before = await db`select 1 from event where user_id = ${userId}`;
    await real.poll();
    expect(await db`select 1 from event where user_id = ${userId}`).toHaveLength(before.length);
    told.push(before.length);
  }
  expect(told[1]).toBeGreaterThan(told[0] ?? 0);
  expect(told[2]).toBeGreaterThan(told[1] ?? 0);
  const changes =
    await db`select 1 from event where user_id = ${userId} and kind = 'payment' and not status like '% step'`;
  expect(changes).toHaveLength(2);
});

// @module-tag slow
import fc from "fast-check";
import { expect, test } from "vitest";
import { broken, openTill, settle } from "../../../test/kit/till.ts";
import type { Db } from "../platform/db/db.ts";
import { createLog } from "../platform/log.ts";
import { usd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import { openPayments, type Payments, type State } from "./payments.ts";
import { fixedRates, type Rates } from "./rates/rates.ts";

const prices = fc.constantFrom("0.8", "1", "1.3", undefined);
const event = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant("pay" as const),
      to: fc.nat({ max: 2 }),
      // From less than dust to more than the lock honours; also the due sum to the last unit.
      amount: fc.oneof(
        fc.integer({ min: 1, max: 150_000_000 }),
        fc.constantFrom(99_500_000, 100_000_000, 250_000_000),
      ),
      coin: fc.constantFrom("erc" as const, "erc" as const, "erc" as const, "erc" as const, "eth" as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ does: fc.constant("mine" as const), blocks: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant("forget" as const), blocks: fc.integer({ min: 1, max: 6 }) }),
  },
  fc.record({ does: fc.constant("wait" as const), minutes: fc.integer({ min: 1, max: 200 }) }),
  fc.record({ does: fc.constant("go down" as const) }),
  { weight: 3, arbitrary: fc.record({ does: fc.constant("come up" as const) }) },
  fc.record({ does: fc.constant("restart" as const) }),
  fc.record({ does: fc.constant("rescan" as const) }),
  fc.record({ does: fc.constant("price" as const), is: prices }),
);
const history = fc.array(event, { minLength: 15, maxLength: 25 });

async function stateOf(db: Db, payments: Payments, users: readonly bigint[]) {
  const views = (await Promise.all(users.map((userId) => payments.list({ userId })))).flat();
  const ids = views.map(({ id }) => String(id));
  const transfers = await db<
    { id: string; key: string; alive: boolean; ours: boolean; came: bigint; usd: bigint | null }[]
  >`
    select p.id::text as id, t.chain || ':' || t.txid || ':' || t.idx as key, t.alive and t.confirmed_at is not null as alive,
           t.currency = p.currency as ours, t.amount::bigint as came, t.usd
    from chain_transfer t join payment p on p.id = t.payment_id
    where p.id::text = any(${ids}::text[]) order by key`;
  const balances = await Promise.all(users.map((userId) => ledger.balance(db, userId)));
  const payment = views.map(({ id, userId, state, credited }) => ({
    id: String(id),
    userId,
    state,
    credited,
  }));
  return { payments: payment.toSorted((one, other) => (one.id < other.id ? -1 : 1)), transfers, balances };
}
type Known = Awaited<ReturnType<typeof stateOf>>;

const lockedWorth = (units: bigint) => units * 100n;
const sum = (amounts: readonly bigint[]) => amounts.reduce((all, amount) => all + amount, 0n);

function holds(before: Known, now: Known, users: readonly bigint[], isDown: boolean): void {
  for (const [at, userId] of users.entries()) {
    const theirs = now.payments.filter((payment) => payment.userId === userId);
    expect(now.balances[at]).toBe(sum(theirs.map(({ credited }) => credited)));
  }
  for (const [at, { id, state, credited }] of now.payments.entries()) {
    const was = before.payments[at];
    if (was?.state === "credited") expect(["credited", "review"]).toContain(state);
    expect(credited).toBeGreaterThanOrEqual(was?.credited ?? 0n);
    if (isDown) expect({ id, state, credited }).toMatchObject({ state: was?.state, credited: was?.credited });
    const paid = now.transfers.filter((transfer) => transfer.id === id && transfer.usd !== null);
    expect(credited).toBeLessThanOrEqual(lockedWorth(sum(paid.map((transfer) => transfer.came))));
  }
}

/** Without the operator a payment ends only where all credits still exist and the rest is dust. */
function isSettled({ payments, transfers }: Known): void {
  const decided: State[] = ["credited", "expired", "expired_partial", "review"];
  for (const { id, state } of payments) {
    expect(decided).toContain(state);
    if (state === "review") continue;
    const theirs = transfers.filter((one) => one.id === id);
    expect(theirs.filter((one) => one.usd !== null && !one.alive)).toEqual([]);
    const left = theirs.filter((one) => one.alive && one.ours && one.usd === null);
    expect(lockedWorth(sum(left.map(({ came }) => came)))).toBeLessThan(usd("1.3"));
  }
}

test("whatever a chain does, each final transfer is credited once, never above its worth, and nothing is lost in an outage", async () => {
  let price: string | undefined = "1";
  const rates: Rates = {
    ...fixedRates({}),
    rateOf: (id) =>
      price === undefined ? Promise.resolve(undefined) : fixedRates({ usdt: price }).rateOf(id),
  };
  const { db, chain, real, later, clock } = await openTill({ rates });
  const log = createLog("silent");
  let nextUser = 1000n;
  await fc.assert(
    fc.asyncProperty(prices, history, async (first, events) => {
      let payments = real;
      [price, chain.isDown] = ["1", false];
      const users = [nextUser++, nextUser++];
      const addresses: string[] = [];
      for (const userId of [...users, users[0] ?? 0n]) {
        const created = await payments.create({ userId, currency: "erc", usd: usd("100") });
        if (typeof created === "string") throw new Error(created);
        const view = await payments.status({ userId, id: created.id });
        if (typeof view !== "string") addresses.push(view.address.toLowerCase());
      }
      let known = await stateOf(db, payments, users);
      price = first;
      for (const one of events) {
        if (one.does === "pay") chain.pay(addresses[one.to] ?? "", BigInt(one.amount), one.coin);
        if (one.does === "mine") chain.mine(one.blocks);
        if (one.does === "forget") chain.forget(one.blocks);
        if (one.does === "wait") later(one.minutes * 60);
        if (one.does === "go down" || one.does === "come up") chain.isDown = one.does === "go down";
        if (one.does === "restart") payments = openPayments({ db, networks: [chain], rates, log, clock });
        if (one.does === "rescan") await db`delete from chain_cursor`;
        if (one.does === "price") price = one.is;
        if (chain.isDown) await expect(payments.poll()).rejects.toThrow("does not answer");
        else await Promise.all([payments.poll(), payments.poll()]);
        const now = await stateOf(db, payments, users);
        holds(known, now, users, chain.isDown);
        known = now;
      }
      [price, chain.isDown] = ["1", false];
      await settle(chain, payments);
      later(24 * 60 * 60);
      await settle(chain, payments);
      const ended = await stateOf(db, payments, users);
      holds(known, ended, users, false);
      isSettled(ended);
      await db`delete from chain_cursor`;
      await payments.poll();
      expect(await stateOf(db, payments, users)).toEqual(ended);
      expect(await broken(payments)).toEqual([]);
    }),
    // Shrunk histories would meet the payments of earlier ones.
    { numRuns: 8, endOnFailure: true },
  );
}, 180_000);

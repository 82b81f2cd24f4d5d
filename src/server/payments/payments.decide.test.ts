// @module-tag slow
import { expect, test } from "vitest";
import { ask, broken, buyer, openTill, see, settle } from "../../../test/kit/till.ts";
import * as journal from "../journal/journal.ts";
import { usd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import { fixedRates, type Rates } from "./rates/rates.ts";

const coin = 10n ** 18n;

async function till() {
  const prices: Record<string, string> = { usdt: "1", eth: "3000" };
  const rates: Rates = { ...fixedRates({}), rateOf: (id) => fixedRates(prices).rateOf(id) };
  const opened = await openTill({ rates });
  const { real, db } = opened;
  const decide = (id: bigint, does: "credit" | "reject", more: { atLock?: boolean } = {}) =>
    real.decide(id, { does, reason: "he wrote to us", by: "user 1", ...more });
  return { ...opened, prices, decide, balance: () => ledger.balance(db, buyer) };
}

async function unseen() {
  const opened = await till();
  const { chain, real, later } = opened;
  const id = await ask(real);
  chain.pay("fake1", 100_000_000n);
  chain.mine();
  [chain.isBlind, chain.isMute] = [true, true];
  for (const seconds of [4 * 60 * 60, 2 * 60 * 60]) {
    later(seconds);
    await real.poll();
  }
  return { ...opened, id };
}

test("another coin is credited at its present rate by an operator's decision, with the reason", async () => {
  const { db, chain, real, decide, balance } = await till();
  const id = await ask(real);
  chain.pay("fake1", coin / 100n, "eth");
  await settle(chain, real);
  expect(await see(real, id)).toMatchObject({ state: "review" });
  expect(await decide(id, "credit")).toMatchObject({ state: "credited", credited: usd("30") });
  expect(await decide(id, "credit")).toBe("no review");
  expect(await balance()).toBe(usd("30"));
  expect((await real.history(id)).at(-1)).toMatchObject({
    what: "decided",
    detail: { does: "credit", by: "user 1", reason: "he wrote to us", credited: "30.0" },
  });
  expect(await journal.list(db, { about: `payment ${id}` })).toMatchObject([
    { by: "user 1", did: "payments decide", before: { state: "review" }, reason: "he wrote to us" },
  ]);
  // The payment goes on: the asked sum may still come.
  chain.pay("fake1", 100_000_000n);
  await settle(chain, real);
  expect(await balance()).toBe(usd("130"));
  expect(await see(real, id)).toMatchObject({ state: "credited", credited: usd("130") });
  expect(await broken(real)).toEqual([]);
});

test("what is rejected is not credited; a later transfer needs a new decision, and a mistake can be corrected", async () => {
  const { chain, real, decide, balance } = await till();
  const id = await ask(real);
  chain.pay("fake1", coin / 100n, "eth");
  await settle(chain, real);
  expect(await decide(id, "reject")).toMatchObject({ status: -1, state: "rejected", credited: 0n });
  await real.poll();
  expect(await see(real, id)).toMatchObject({ state: "rejected" });
  expect(await balance()).toBe(0n);
  chain.pay("fake1", 20_000_000n);
  await settle(chain, real);
  expect(await see(real, id)).toMatchObject({ state: "review" });
  expect(await decide(id, "reject")).toMatchObject({ state: "rejected" });
  expect(await decide(id, "credit")).toMatchObject({ state: "credited", credited: usd("50") });
  expect(await balance()).toBe(usd("50"));
  expect(await broken(real)).toEqual([]);
});

test("a late one without a rate waits; it is credited when there is one again, or at the locked rate", async () => {
  const { chain, real, later, prices, decide, balance } = await till();
  const ids = [await ask(real), await ask(real)] as const;
  later(4 * 60 * 60);
  await real.poll();
  delete prices["usdt"];
  chain.pay("fake1", 100_000_000n);
  chain.pay("fake2", 10_000_000n);
  await settle(chain, real);
  for (const id of ids) {
    expect(await see(real, id)).toMatchObject({ state: "review" });
    expect(await decide(id, "credit")).toBe("no rate");
    expect(await see(real, id)).toMatchObject({ state: "review" });
  }
  prices["usdt"] = "0.5";
  expect(await decide(ids[0], "credit")).toMatchObject({ credited: usd("50") });
  expect(await decide(ids[1], "credit", { atLock: true })).toMatchObject({ credited: usd("10") });
  expect(await balance()).toBe(usd("60"));
  expect(await broken(real)).toEqual([]);
});

test("a transfer of which the chain tells two amounts waits, and counts with the lesser when it is credited", async () => {
  const { chain, real, decide } = await till();
  const id = await ask(real);
  const txid = chain.pay("fake1", 100_000_000n);
  chain.lies.set(txid, 40_000_000n);
  await settle(chain, real);
  await real.poll();
  expect(await see(real, id)).toMatchObject({ state: "review" });
  const history = await real.history(id);
  expect(history.map(({ what }) => what)).toEqual(["created", "seen", "disputed", "review"]);
  expect(await decide(id, "credit")).toMatchObject({ credited: usd("40"), received: "40" });
  expect(await broken(real)).toEqual([]);
});

test("what only a balance shows is credited once by an operator's decision, and needs another when it shows again", async () => {
  const { db, chain, real, decide, balance, id } = await unseen();
  expect(await see(real, id)).toMatchObject({ state: "review", received: "100" });
  expect((await real.history(id)).at(-1)).toMatchObject({
    detail: { why: "unseen", amount: "100", of: "erc" },
  });
  expect(await decide(id, "credit", { atLock: true })).toMatchObject({
    state: "credited",
    credited: usd("100"),
  });
  [chain.isBlind, chain.isMute] = [false, false];
  await db`delete from chain_cursor`;
  await settle(chain, real);
  expect(await see(real, id)).toMatchObject({ state: "review", credited: usd("100") });
  expect(await balance()).toBe(usd("100"));
  expect(await broken(real)).toEqual([]);
});

test("a transfer that is shown after all is counted instead of the balance that told of it", async () => {
  const { db, chain, real, decide, balance, id } = await unseen();
  [chain.isBlind, chain.isMute] = [false, false];
  await db`delete from chain_cursor`;
  await settle(chain, real);
  expect(await decide(id, "credit", { atLock: true })).toMatchObject({
    credited: usd("100"),
    received: "100",
  });
  expect(await balance()).toBe(usd("100"));
  expect(await broken(real)).toEqual([]);
});

test("a credited transfer that vanished stays credited when the operator lets it be, and is no reason any more", async () => {
  const { chain, real, decide, balance } = await till();
  const id = await ask(real);
  chain.pay("fake1", 100_000_000n);
  await settle(chain, real);
  chain.forget(3);
  await real.poll();
  expect(await see(real, id)).toMatchObject({ state: "review" });
  expect(await decide(id, "credit")).toMatchObject({ state: "credited", credited: usd("100") });
  chain.pay("fake1", 5_000_000n);
  await settle(chain, real);
  expect(await see(real, id)).toMatchObject({ state: "credited", credited: usd("105") });
  expect(await balance()).toBe(usd("105"));
});

test("only what waits for a decision is decided about, and nothing is given for nothing", async () => {
  const { chain, real, later, decide, balance } = await till();
  const [open, unpaid, little] = [await ask(real), await ask(real), await ask(real)];
  expect(await decide(open, "credit")).toBe("no review");
  expect(await decide(open, "reject")).toBe("no review");
  expect(await decide(1n, "credit")).toBe("no payment");
  chain.pay("fake3", 500_000n);
  await settle(chain, real);
  later(4 * 60 * 60);
  await real.poll();
  expect(await see(real, unpaid)).toMatchObject({ state: "expired" });
  expect(await decide(unpaid, "credit")).toBe("nothing confirmed");
  expect(await decide(unpaid, "reject")).toBe("no review");
  expect(await see(real, little)).toMatchObject({ state: "expired_partial" });
  expect(await decide(little, "credit")).toMatchObject({ state: "credited", credited: usd("0.5") });
  expect(await balance()).toBe(usd("0.5"));
});

test("two who decide at once decide once", async () => {
  const { chain, real, decide, balance } = await till();
  const id = await ask(real);
  chain.pay("fake1", coin / 100n, "eth");
  await settle(chain, real);
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => decide(id, "credit")));
  expect(outcomes.filter((outcome) => outcome === "no review")).toHaveLength(7);
  expect(await balance()).toBe(usd("30"));
});

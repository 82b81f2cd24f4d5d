// @module-tag full
import { expect, test } from "vitest";
import { ask, broken, buyer, openTill, see, settle } from "../../../test/kit/till.ts";
import { createLog } from "../platform/log.ts";
import { usd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import { openPayments } from "./payments.ts";
import { fixedRates, type Rates, sandboxRates } from "./rates/rates.ts";
import { graceSeconds } from "./payments.terms.ts";

test("a transfer is shown when it is seen, credited when it is final, once however often the chain is read", async () => {
  const { db, chain, real } = await openTill();
  const id = await ask(real);
  const { address } = await see(real, id);
  chain.pay(address.toLowerCase(), 100_000_000n);
  chain.mine();
  await real.poll();
  expect(await see(real, id)).toMatchObject({ status: 0, state: "confirming", received: "100" });
  await settle(chain, real);
  expect(await see(real, id)).toMatchObject({ status: 1, credited: usd("100") });
  await db`delete from chain_cursor`;
  await real.poll();
  await Promise.all([real.poll(), real.poll(), real.poll()]);
  expect(await ledger.balance(db, buyer)).toBe(usd("100"));
  expect(await broken(real)).toEqual([]);
});

test("many processes that read and judge the same chain at once neither wait for each other in vain nor credit twice", async () => {
  const faults: string[] = [];
  const loud = createLog("error", { write: (line: string) => void faults.push(line) });
  const { db, chain, real, clock } = await openTill();
  const buyers = Array.from({ length: 10 }, (_, place) => BigInt(100 + place));
  for (const one of buyers) await ask(real, "erc", "100", one);
  const processes = Array.from({ length: 6 }, () =>
    openPayments({ db, networks: [chain], rates: sandboxRates(), log: loud, clock }),
  );
  for (let round = 0; round < 5; round++) {
    for (const { address } of await real.list()) chain.pay(address.toLowerCase(), 20_000_000n);
    chain.mine();
    await db`delete from chain_cursor`;
    await Promise.all(processes.map((one) => one.poll()));
  }
  await settle(chain, real);
  expect(faults).toEqual([]);
  for (const one of buyers) expect(await ledger.balance(db, one)).toBe(usd("100"));
  expect(await broken(real)).toEqual([]);
});

test("who waits sees each transfer, how far it is and what the wallet is to be told", async () => {
  const { chain, real } = await openTill();
  const id = await ask(real);
  const { address } = await see(real, id);
  const link = (units: string) =>
    `ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?address=${address}&uint256=${units}`;
  expect(await see(real, id)).toMatchObject({ transfers: [], uri: link("100000000") });
  const txid = chain.pay("fake1", 40_000_000n, "erc", "the sender");
  const transfer = { amount: "40", currency: "erc", txid, at: new Date("2030-01-01T00:00:00Z") };
  const stages = [
    { status: "seen", confirmations: { now: 0, wanted: 2 } },
    { status: "seen", confirmations: { now: 1, wanted: 2 } },
    { status: "confirmed", confirmations: { now: 2, wanted: 2 } },
  ];
  for (const stage of stages) {
    chain.mine();
    await real.poll();
    const seen = await see(real, id);
    expect(seen).toMatchObject({ state: "underpaid", missing: "60", uri: link("60000000") });
    expect(seen.transfers).toEqual([{ ...transfer, ...stage }]);
  }
  chain.pay("fake1", 60_000_000n);
  await settle(chain, real);
  const paid = await see(real, id);
  expect(paid.transfers.map(({ status }) => status)).toEqual(["credited", "credited"]);
  expect(paid.uri).toBeUndefined();
});

test("a transfer that leaves the best chain before it is final was never there; when it comes again it counts once", async () => {
  const { db, chain, real } = await openTill();
  const id = await ask(real);
  chain.pay("fake1", 100_000_000n);
  chain.mine();
  await real.poll();
  chain.forget(1);
  await real.poll();
  const gone = await see(real, id);
  expect(gone).toMatchObject({ state: "awaiting", received: "0", transfers: [{ status: "gone" }] });
  chain.pay("fake1", 100_000_000n);
  await settle(chain, real);
  expect(await see(real, id)).toMatchObject({ status: 1 });
  expect(await ledger.balance(db, buyer)).toBe(usd("100"));
});

test("a credited transfer that vanishes is shown to the operator, and nothing is taken from the user", async () => {
  const { db, chain, real } = await openTill();
  const id = await ask(real);
  chain.pay("fake1", 100_000_000n);
  await settle(chain, real);
  chain.forget(3);
  await real.poll();
  expect(await see(real, id)).toMatchObject({ state: "review" });
  expect(await ledger.balance(db, buyer)).toBe(usd("100"));
});

test("while the node is out of order nothing expires; what came in time counts at the locked rate", async () => {
  let price = "1";
  const rates: Rates = { ...fixedRates({}), rateOf: (id) => fixedRates({ usdt: price }).rateOf(id) };
  const { db, chain, real, later } = await openTill({ rates });
  const id = await ask(real);
  chain.pay("fake1", 100_000_000n);
  chain.mine();
  chain.isDown = true;
  price = "0.5";
  later(4 * 60 * 60);
  await expect(real.poll()).rejects.toThrow("does not answer");
  expect(await see(real, id)).toMatchObject({ status: 0 });
  chain.isDown = false;
  await settle(chain, real);
  expect(await see(real, id)).toMatchObject({ status: 1 });
  expect(await ledger.balance(db, buyer)).toBe(usd("100"));
});

test("what was final minutes ago is asked about again before it is credited", async () => {
  const { db, chain, real, later } = await openTill();
  const id = await ask(real);
  const first = chain.pay("fake1", 60_000_000n);
  await settle(chain, real);
  later(600);
  chain.lies.set(first, "gone");
  chain.pay("fake1", 40_000_000n);
  await settle(chain, real);
  expect(await see(real, id)).toMatchObject({ state: "underpaid", received: "40" });
  expect(await ledger.balance(db, buyer)).toBe(0n);
});

test("a balance that no transfer tells of goes to the operator in the end, and is told once", async () => {
  const { chain, real, later } = await openTill();
  const id = await ask(real);
  chain.pay("fake1", 100_000_000n);
  chain.mine();
  [chain.isBlind, chain.isMute] = [true, true];
  later(4 * 60 * 60);
  for (let minutes = 0; minutes < 20; minutes++) {
    await real.poll();
    later(60);
  }
  expect(await see(real, id)).toMatchObject({ state: "review" });
  expect((await real.history(id)).map(({ what }) => what)).toEqual(["created", "unseen", "review"]);
});

test("a node that shows no transfer but knows a balance lets nothing expire", async () => {
  const { db, chain, real, later } = await openTill();
  const id = await ask(real);
  chain.pay("fake1", 100_000_000n);
  chain.mine();
  [chain.isBlind, chain.isMute] = [true, true];
  later(4 * 60 * 60);
  await real.poll();
  expect(await see(real, id)).toMatchObject({ state: "awaiting" });
  [chain.isBlind, chain.isMute] = [false, false];
  await db`delete from chain_cursor`;
  await settle(chain, real);
  later(60);
  await real.poll();
  expect(await see(real, id)).toMatchObject({ status: 1 });
});

test("a late payment is credited at the rate of its arrival and the operator is told", async () => {
  let price = "1";
  const rates: Rates = { ...fixedRates({}), rateOf: (id) => fixedRates({ usdt: price }).rateOf(id) };
  const { db, chain, real, later } = await openTill({ rates });
  const id = await ask(real);
  later(3 * 60 * 60);
  chain.mine();
  await real.poll();
  expect(await see(real, id)).toMatchObject({ status: -1 });
  price = "0.8";
  later(graceSeconds + 1);
  chain.pay("fake1", 100_000_000n);
  await settle(chain, real);
  expect(await see(real, id)).toMatchObject({ status: 1, credited: usd("80") });
  expect(await ledger.balance(db, buyer)).toBe(usd("80"));
  expect((await real.history(id)).at(-1)).toMatchObject({ what: "credited", detail: { isLate: true } });
});

test("an address is watched at each look while its payment is open, then seldom, then no more", async () => {
  const { chain, real, later } = await openTill();
  await ask(real);
  const day = 24 * 60 * 60;
  const watched = async () => {
    await real.poll();
    return chain.classes.map(({ size }) => size);
  };
  expect(await watched()).toEqual([1, 0, 0]);
  later(4 * 60 * 60 - 1);
  expect(await watched()).toEqual([1, 0, 0]);
  later(2);
  expect(await watched()).toEqual([0, 1, 0]);
  later(7 * day);
  expect(await watched()).toEqual([0, 0, 1]);
  await ask(real);
  expect(await watched()).toEqual([1, 0, 1]);
  later(23 * day);
  expect(await watched()).toEqual([1, 0, 0]);
});

test("another coin at the right address waits for the operator", async () => {
  const { chain, real } = await openTill();
  const id = await ask(real);
  chain.pay("fake1", 10n ** 17n, "eth");
  await settle(chain, real);
  expect(await see(real, id)).toMatchObject({ state: "review", received: "0" });
});

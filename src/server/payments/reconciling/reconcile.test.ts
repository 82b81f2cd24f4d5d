// @module-tag slow
// What the watcher missed, for whatever reason, is found by the balances of addresses.
import fc from "fast-check";
import { expect, test } from "vitest";
import { ask, broken, buyer, openTill, see, settle } from "../../../../test/kit/till.ts";
import { createLog } from "../../platform/log.ts";
import { usd } from "../../platform/money.ts";
import * as ledger from "../../ledger/ledger.ts";
import { sandboxRates } from "../rates/rates.ts";
import { NodeTrouble } from "../networks/nodes/nodes.ts";
import { noteFailure } from "../payments.health.ts";
import { takeTurn, turnSeconds } from "./rounds.ts";

const minute = 60;
// Until a transfer would be final: two blocks of Ethereum and a poll. And a minute.
const patience = 2 * 12 + 1 + minute;
const hour = 60 * minute;
const day = 24 * hour;
const never = new AbortController().signal;
const units = (dollars: number) => BigInt(dollars * 1_000_000);

async function open() {
  const till = await openTill();
  const { db, chain, clock, later, real } = till;
  const watch = { db, rates: sandboxRates(), log: createLog("silent"), clock, lateChains: new Map() };
  return {
    ...till,
    balance: () => ledger.balance(db, buyer),
    /** Comes to the address in a reading that does not show it. */
    hide: async (amount: bigint) => {
      const was = chain.isBlind;
      chain.isBlind = true;
      chain.pay("fake1", amount, "erc", "0xbuyer");
      await settle(chain, real);
      chain.isBlind = was;
    },
    /** Turns of the job for so long: for a day one in a quarter of an hour. */
    turns: async (seconds: number) => {
      const step = seconds < day ? turnSeconds : 15 * minute;
      for (let passed = 0; passed < seconds; passed += step) {
        await takeTurn(watch, chain, never);
        later(step);
      }
    },
    fails: async () => {
      chain.isDown = true;
      await expect(real.poll()).rejects.toThrow("does not answer");
      await noteFailure(watch, chain, new NodeTrouble("the node does not answer"));
    },
    unexplained: async () => (await real.unexplained()).map(({ chain: name, count }) => `${name} ${count}`),
    whys: async (id: bigint) =>
      (await real.history(id)).flatMap(({ what, detail }) => (what === "review" ? [detail] : [])),
  };
}

test("the half of a payment that no reading showed is found before the payment ends, and credited", async () => {
  const { chain, real, later, hide, balance } = await open();
  const id = await ask(real);
  chain.pay("fake1", units(50));
  await settle(chain, real);
  await hide(units(50));
  expect(await see(real, id)).toMatchObject({ state: "underpaid", received: "50" });
  later(4 * hour);
  await real.poll();
  await real.poll();
  expect(await see(real, id)).toMatchObject({ state: "credited", credited: usd("100") });
  expect(await balance()).toBe(usd("100"));
  expect(await broken(real)).toEqual([]);
});

test("the half that no search finds is under review with its sum a minute after the end, and credited by a decision", async () => {
  const { chain, real, later, hide, balance, unexplained, whys } = await open();
  const id = await ask(real);
  chain.pay("fake1", units(50));
  await settle(chain, real);
  chain.isMute = true;
  await hide(units(50));
  later(4 * hour);
  await real.poll();
  expect(await see(real, id)).toMatchObject({ state: "underpaid" });
  expect(await unexplained()).toEqual(["ethereum 1"]);
  later(patience);
  await real.poll();
  expect(await see(real, id)).toMatchObject({ state: "review" });
  expect(await whys(id)).toMatchObject([{ why: "unseen", amount: "50", of: "erc" }]);
  expect(await unexplained()).toEqual(["ethereum 1"]);
  expect(await balance()).toBe(0n);
  await real.decide(id, { does: "credit", reason: "it is there", by: "operator" });
  expect(await balance()).toBe(usd("100"));
  expect(await unexplained()).toEqual(["ethereum 0"]);
  expect(await broken(real)).toEqual([]);
});

test("less than a dollar that no transfer explains neither stops a payment nor is asked about again", async () => {
  const { chain, real, later, hide, balance, unexplained } = await open();
  const id = await ask(real);
  chain.pay("fake1", units(50));
  await settle(chain, real);
  chain.isMute = true;
  await hide(units(0.5));
  later(4 * hour);
  await real.poll();
  expect(await see(real, id)).toMatchObject({ state: "credited", credited: usd("50") });
  expect(await unexplained()).toEqual(["ethereum 0"]);
  expect(await balance()).toBe(usd("50"));
});

test("what came after a credit and was not read is found within a day, and credited by the ordinary rules", async () => {
  const { chain, real, hide, turns, balance } = await open();
  const id = await ask(real);
  chain.pay("fake1", units(100));
  await settle(chain, real);
  await hide(units(30));
  await turns(minute);
  await real.poll();
  expect(await balance()).toBe(usd("130"));
  await hide(units(20));
  await turns(day + hour);
  await real.poll();
  expect(await see(real, id)).toMatchObject({ state: "credited", credited: usd("150") });
  expect(await balance()).toBe(usd("150"));
});

test("what came after a credit and no search finds is under review with its sum, and a refusal leaves the credit", async () => {
  const { chain, real, hide, turns, balance, whys } = await open();
  const id = await ask(real);
  chain.pay("fake1", units(100));
  await settle(chain, real);
  chain.isMute = true;
  await hide(units(300));
  await turns(3 * minute);
  expect(await see(real, id)).toMatchObject({ state: "review", credited: usd("100") });
  expect(await whys(id)).toMatchObject([{ why: "unseen", amount: "300", of: "erc" }]);
  await turns(2 * day);
  expect(await whys(id)).toHaveLength(1);
  await real.decide(id, { does: "reject", reason: "our own", by: "operator" });
  expect(await see(real, id)).toMatchObject({ state: "credited", credited: usd("100") });
  await turns(2 * day);
  expect(await see(real, id)).toMatchObject({ state: "credited", credited: usd("100") });
  expect(await balance()).toBe(usd("100"));
});

test("an address that was emptied is no trouble, and what comes to it unseen afterwards is found", async () => {
  const { chain, real, hide, turns, balance, unexplained } = await open();
  await ask(real);
  chain.pay("fake1", units(100), "erc", "0xbuyer");
  await settle(chain, real);
  await turns(day);
  chain.swept.set("fake1", units(100));
  await turns(day + hour);
  expect(await unexplained()).toEqual(["ethereum 0"]);
  await hide(units(40));
  await turns(day + hour);
  await real.poll();
  expect(await balance()).toBe(usd("140"));
});

test("what comes back to an emptied address from another sender waits; who pays again, or pays an address that was not emptied, is credited", async () => {
  const { chain, real, balance, whys } = await open();
  const ids = [await ask(real), await ask(real), await ask(real)] as const;
  for (const place of ["fake1", "fake2", "fake3"]) chain.pay(place, units(100), "erc", "0xbuyer");
  await settle(chain, real);
  for (const place of ["fake1", "fake2"]) chain.swept.set(place, units(100));
  chain.pay("fake1", units(80), "erc", "0xexchange");
  chain.pay("fake2", units(80), "erc", "0xbuyer");
  chain.pay("fake3", units(80), "erc", "0xfriend");
  await settle(chain, real);
  expect(await see(real, ids[0])).toMatchObject({ state: "review", credited: usd("100") });
  expect(await whys(ids[0])).toMatchObject([{ why: "surplus" }]);
  for (const id of ids.slice(1))
    expect(await see(real, id)).toMatchObject({ state: "credited", credited: usd("180") });
  expect(await balance()).toBe(usd("460"));
  await real.decide(ids[0], { does: "reject", reason: "our own", by: "operator" });
  await settle(chain, real);
  expect(await see(real, ids[0])).toMatchObject({ state: "credited", credited: usd("100") });
});

test("thirty-one days after its end an address is still looked at, once a week", async () => {
  const { chain, real, later, hide, turns, balance } = await open();
  await ask(real);
  later(4 * hour);
  await real.poll();
  later(31 * day);
  await hide(units(100));
  await turns(minute);
  chain.mine(3);
  await real.poll();
  expect(await balance()).toBe(usd("100"));
  chain.balancesAsked = [];
  await turns(6 * day);
  expect(chain.balancesAsked).toEqual([]);
  await turns(2 * day);
  expect(chain.balancesAsked).toEqual(["fake1"]);
});

test("open payments are looked at each hour, those of the last month each day", async () => {
  const { chain, real, later, turns } = await open();
  await ask(real);
  await real.poll();
  await turns(minute);
  chain.balancesAsked = [];
  await turns(2 * hour);
  expect(chain.balancesAsked).toEqual(["fake1", "fake1"]);
  later(2 * hour);
  await real.poll();
  await turns(day);
  chain.balancesAsked = [];
  await turns(2 * day);
  expect(chain.balancesAsked).toEqual(["fake1", "fake1"]);
});

test("while a chain is not read nothing is compared; after an outage all of the last month is, at once", async () => {
  const { chain, real, hide, turns, fails, balance } = await open();
  await ask(real);
  chain.pay("fake1", units(100));
  await settle(chain, real);
  await turns(2 * minute);
  await fails();
  chain.balancesAsked = [];
  await turns(2 * hour);
  expect(chain.balancesAsked).toEqual([]);
  chain.isDown = false;
  await hide(units(50));
  await turns(minute);
  await real.poll();
  expect(await balance()).toBe(usd("150"));
});

test("a run by command looks at every address, and says what it asked and what nothing explains", async () => {
  const { db, chain, real, later, hide } = await open();
  const id = await ask(real);
  for (let count = 0; count < 24; count++) await ask(real, "erc", "100", BigInt(100 + count));
  chain.pay("fake1", units(100));
  await settle(chain, real);
  later(40 * day);
  await real.poll();
  chain.isMute = true;
  await hide(units(70));
  const [first] = await real.reconcile();
  expect(first).toEqual({
    chain: "ethereum",
    addresses: 25n,
    asked: 25n,
    explained: 24n,
    unexplained: 1n,
    trouble: undefined,
  });
  later(patience);
  await real.reconcile();
  expect(await see(real, id)).toMatchObject({ state: "review", credited: usd("100") });
  expect((await real.audit()).find(({ name }) => name === "reconciled")).toMatchObject({
    says: expect.stringContaining("ethereum 2030-02-10") as string,
    bad: [],
  });
  await db`update address_balance set unexplained = 1, since = asked_at - interval '2 hours'`;
  await db`update payment set state = 'credited'`;
  expect(await broken(real)).toMatchObject([{ name: "reconciled", bad: [`ethereum:${id}`] }]);
  chain.isDown = true;
  expect(await real.reconcile()).toMatchObject([{ addresses: 0n, trouble: "the node does not answer" }]);
});

const came = fc.record({
  dollars: fc.integer({ min: 2, max: 120 }),
  isHidden: fc.boolean(),
  isMute: fc.boolean(),
  minutes: fc.integer({ min: 1, max: 200 }),
  isCompared: fc.boolean(),
});

test("whatever the nodes hid and however long: once they are well, all that came is credited once or under review", async () => {
  const { chain, real, later } = await open();
  await fc.assert(
    fc.asyncProperty(fc.array(came, { minLength: 1, maxLength: 5 }), async (all) => {
      const id = await ask(real);
      const address = (await see(real, id)).address.toLowerCase();
      for (const { dollars, isHidden, isMute, minutes, isCompared } of all) {
        [chain.isBlind, chain.isMute] = [isHidden, isMute];
        chain.pay(address, units(dollars));
        await settle(chain, real);
        later(minutes * minute);
        await real.poll();
        if (isCompared) await real.reconcile();
      }
      [chain.isBlind, chain.isMute] = [false, false];
      for (const seconds of [4 * hour, minute, minute]) {
        await settle(chain, real);
        later(seconds);
        await real.poll();
        await real.reconcile();
      }
      const { state, credited, transfers } = await see(real, id);
      const sum = all.reduce((dollars, one) => dollars + one.dollars, 0);
      if (state === "review") expect(credited).toBeLessThanOrEqual(usd(String(sum)));
      else expect({ state, credited }).toEqual({ state: "credited", credited: usd(String(sum)) });
      const told = transfers.filter(({ status }) => status !== "gone");
      expect(told.reduce((dollars, { amount }) => dollars + Number(amount), 0)).toBe(sum);
      expect(await broken(real)).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

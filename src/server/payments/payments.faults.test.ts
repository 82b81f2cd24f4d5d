// @module-tag full
// What one bad transfer, one ill node or a crash in between must not do to the others.
import { expect, onTestFinished, test, vi } from "vitest";
import { ask, broken, buyer, openTill, see, settle } from "../../../test/kit/till.ts";
import { createLog } from "../platform/log.ts";
import { usd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import { openFakeChain } from "../../../test/kit/fakeChain.ts";
import { NodeTrouble } from "./networks/nodes/nodes.ts";
import { openPayments } from "./payments.ts";
import { sandboxRates } from "./rates/rates.ts";
import { terms } from "./payments.terms.ts";

const cent = 10_000n;

test("what stood where the chain has changed is verified although the shop dies before it could", async () => {
  const { db, chain, real, clock } = await openTill();
  const id = await ask(real);
  const txid = chain.pay("fake1", 100_000_000n);
  await settle(chain, real);
  chain.forget(3);
  chain.mine(3);
  const dying = { ...chain, verify: () => Promise.reject(new Error("the process ends")) };
  const log = createLog("silent");
  await openPayments({ db, networks: [dying], rates: sandboxRates(), log, clock })
    .poll()
    .catch(() => undefined);
  await db`update chain_transfer set verify_at = '-infinity' where txid = ${txid}`;
  const network = {
    ...chain,
    transfers: (async (since, watched, signal) => {
      const { reorganisedAbove: _, ...reading } = await chain.transfers(since, watched, signal);
      return reading;
    }) satisfies typeof chain.transfers,
  };
  const after = openPayments({ db, networks: [network], rates: sandboxRates(), log, clock });
  await after.poll();
  expect(await see(real, id)).toMatchObject({ state: "review", transfers: [{ status: "gone" }] });
});

test("a transfer that no node can tell holds up neither the others nor what is due, and is asked about ever more seldom", async () => {
  const { db, chain, real, later } = await openTill();
  const [bad, good, idle] = [await ask(real), await ask(real), await ask(real)];
  const riddle = chain.pay("fake1", 100_000_000n);
  chain.mine();
  await real.poll();
  chain.lies.set(riddle, "trouble");
  chain.pay("fake2", 100_000_000n);
  await settle(chain, real);
  later(1);
  await settle(chain, real);
  expect(await see(real, good)).toMatchObject({ state: "credited" });
  later(4 * 60 * 60);
  await settle(chain, real);
  expect(await see(real, idle)).toMatchObject({ state: "expired" });
  chain.verified = [];
  for (let minutes = 0; minutes < 5; minutes++) {
    later(60);
    await real.poll();
  }
  expect(chain.verified.filter((txid) => txid === riddle)).toEqual([]);
  chain.lies.delete(riddle);
  later(24 * 60 * 60);
  await real.poll();
  expect(await see(real, bad)).toMatchObject({ state: "credited" });
  expect(await ledger.balance(db, buyer)).toBe(usd("200"));
  expect(await broken(real)).toEqual([]);
});

test("hundreds of transfers that never become final do not keep a newer one from its credit", async () => {
  const { chain, real, later } = await openTill();
  await ask(real);
  for (let made = 0; made < 500; made++) chain.lies.set(chain.pay("fake1", 2n * cent), "young");
  chain.mine();
  await real.poll();
  later(1);
  const id = await ask(real);
  chain.pay("fake2", 100_000_000n);
  chain.mine(3);
  for (let looks = 0; looks < 2; looks++) {
    await real.poll();
    later(1);
  }
  expect(await see(real, id)).toMatchObject({ state: "credited" });
});

test("payments whose balances cannot be read are taken up a minute later", async () => {
  const { db, chain, real, later } = await openTill();
  const [ill, well] = [await ask(real), await ask(real)];
  let asked = 0;
  const balances = chain.balances?.bind(chain);
  chain.balances = (currency, addresses, signal) => {
    if (addresses.includes("fake1") && asked++ < 1) throw new Error("it answers nonsense");
    return balances?.(currency, addresses, signal) ?? Promise.resolve(undefined);
  };
  later(4 * 60 * 60);
  await real.poll();
  await real.poll();
  expect(asked).toBe(1);
  expect([(await see(real, ill)).state, (await see(real, well)).state]).toEqual(["awaiting", "awaiting"]);
  later(61);
  await real.poll();
  expect([(await see(real, ill)).state, (await see(real, well)).state]).toEqual(["expired", "expired"]);
  expect(await db`select 1 from payment where judge_at is not null`).toHaveLength(0);
});

test("next to nothing, in whichever coin, neither sends a payment to review nor keeps it from its end", async () => {
  const { db, chain, real, later } = await openTill();
  const [paid, unpaid] = [await ask(real), await ask(real)];
  for (const address of ["fake1", "fake2"]) {
    chain.pay(address, terms.eth.least - 1n, "eth");
    chain.pay(address, terms.erc.least - 1n);
  }
  chain.pay("fake1", 100_000_000n);
  await settle(chain, real);
  expect(await see(real, paid)).toMatchObject({ state: "credited", received: "100" });
  later(4 * 60 * 60);
  await real.poll();
  expect(await see(real, unpaid)).toMatchObject({ state: "expired", transfers: [] });
  expect(await ledger.balance(db, buyer)).toBe(usd("100"));
});

test("four chains that are down keep their payments open; the fifth goes on", async () => {
  const { db, clock, later } = await openTill();
  const coins = ["erc", "usdtbep20", "trx", "ton", "ltc"] as const;
  const chains = coins.map((coin) => openFakeChain(coin, clock));
  const rates = sandboxRates();
  const payments = openPayments({ db, networks: chains, rates, log: createLog("silent"), clock });
  const ids: bigint[] = [];
  for (const coin of coins) ids.push(await ask(payments, coin, "100"));
  const [paid, unpaid] = [await ask(payments, "ltc", "100", 8n), await ask(payments, "ltc", "100", 8n)];
  const up = chains[4]!;
  for (const chain of chains) {
    const { due } = (
      await db<{ due: string }[]>`select due::text as due from payment where chain = ${chain.name}`
    )[0]!;
    chain.pay(chain === up ? "fake2" : "fake1", BigInt(due));
    chain.mine(3);
    chain.isDown = chain !== up;
  }
  later(4 * 60 * 60);
  const loops = payments.watch();
  onTestFinished(() => loops.stop());
  const stateOf = async (id: bigint) =>
    (await db<{ state: string }[]>`select state from payment where id = ${id}`)[0]?.state;
  const states = () => Promise.all([...ids, paid, unpaid].map(stateOf));
  const settled = ["awaiting", "awaiting", "awaiting", "awaiting", "expired", "credited", "expired"];
  await vi.waitFor(async () => expect(await states()).toEqual(settled), { timeout: 60_000 });
  const troubled = async () => (await payments.health()).filter(({ failingSince }) => failingSince).length;
  await vi.waitFor(async () => expect(await troubled()).toBe(4), { timeout: 60_000 });
  expect(await states()).toEqual(settled);
  for (const chain of chains) chain.isDown = false;
  const all = ["credited", "credited", "credited", "credited", "expired", "credited", "expired"];
  await vi.waitFor(async () => expect(await states()).toEqual(all), { timeout: 60_000 });
  expect(await ledger.balance(db, buyer)).toBe(usd("400"));
  expect(await ledger.balance(db, 8n)).toBe(usd("100"));
  expect(await broken(payments)).toEqual([]);
});

test("when the nodes of several chains are late alike, the operator is told to look at the clock", async () => {
  const { db, clock } = await openTill();
  const late = (name: "ethereum" | "tron" | "ton", lateSeconds: number) => ({
    ...openFakeChain("erc", clock),
    name,
    transfers: () => Promise.reject(new NodeTrouble("it stands still", undefined, { lateSeconds })),
  });
  const networks = [late("ethereum", 125), late("tron", 131), late("ton", 3000)];
  const log = createLog("silent");
  const payments = openPayments({ db, networks, rates: sandboxRates(), log, clock });
  const loops = payments.watch();
  onTestFinished(() => loops.stop());
  const doubt = "it stands still, or this machine's clock is wrong: other chains are late alike";
  const told = async () =>
    Object.fromEntries((await payments.chains()).map((one) => [one.chain, one.error?.text]));
  const all = { ethereum: doubt, tron: doubt, ton: "it stands still" };
  await vi.waitFor(async () => expect(await told()).toMatchObject(all), { timeout: 60_000 });
});

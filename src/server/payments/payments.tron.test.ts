// @module-tag slow
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createDatabase, type TestDatabase } from "../../../test/kit/database.ts";
import { ask, broken, buyer, see } from "../../../test/kit/till.ts";
import {
  openTronChain,
  type TronChain,
  type TronNode,
  tronWallet as wallet,
} from "../../../test/kit/tron.ts";
import { createLog } from "../platform/log.ts";
import { type Usd, usd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import { openTron } from "./networks/tron/tron.ts";
import { openPayments, type Payments } from "./payments.ts";
import { fixedRates, type Rates } from "./rates/rates.ts";
import { graceSeconds, terms } from "./payments.terms.ts";

// One chain and one database for all, as in a shop: payments must not affect each other.
let chain: TronChain;
let database: TestDatabase;
let first: TronNode;
let second: TronNode;
let payments: Payments;
let price = "0.25";
const rates: Rates = { ...fixedRates({}), rateOf: (id) => fixedRates({ usdt: "1", trx: price }).rateOf(id) };

function open(nodes: TronNode[], confirmations?: number): Payments {
  const urls = nodes.map(({ url }) => url);
  const config = {
    urls,
    id: undefined,
    contracts: { USDT: chain.usdt },
    confirmations,
    pollSeconds: undefined,
  };
  const log = createLog("silent");
  const network = openTron({ config, wallet, log, clock: chain.clock });
  return openPayments({ db: database.db, networks: [network], rates, log, clock: chain.clock });
}

beforeAll(async () => {
  [chain, database] = await Promise.all([openTronChain(), createDatabase()]);
  [first, second] = [await chain.node(), await chain.node()];
  payments = open([first, second]);
  await payments.poll();
  // Before any sale the chain says which addresses were used.
  await vi.waitFor(async () => void (await ask(payments, "trx", "1")), { timeout: 50_000 });
});
afterAll(async () => {
  await chain.close();
  await database.drop();
});

beforeEach(async () => {
  for (const node of [first, second]) [node.trouble, node.behind] = [undefined, 0];
  // A failed node rests for a minute at most.
  await chain.wait(60);
});

const solidified = 20;

async function asked(currency: "trx" | "usdttrc20") {
  price = "0.25";
  const id = await ask(payments, currency, "25");
  const [row] = await database.db<
    { place: string }[]
  >`select canonical as place from payment where id = ${id}`;
  return { id, place: row?.place ?? "" };
}

async function after(blocks: number, by = payments) {
  await chain.mine(blocks);
  await by.poll();
}

async function earned(work: () => Promise<void>): Promise<Usd> {
  const before = await ledger.balance(database.db, buyer);
  await work();
  expect(await broken(payments)).toEqual([]);
  return ((await ledger.balance(database.db, buyer)) - before) as Usd;
}

test.each([
  ["trx", 100_000_000n],
  ["usdttrc20", 25_000_000n],
] as const)("%s is seen in its block and credited when that is solidified, once", async (currency, due) => {
  const { id, place } = await asked(currency);
  expect((await see(payments, id)).address).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/);
  const got = await earned(async () => {
    await (currency === "trx" ? chain.pay(place, due) : chain.send(place, due));
    await after(1);
    expect(await see(payments, id)).toMatchObject({ status: 0, state: "confirming", missing: "0" });
    await after(solidified - 2);
    expect(await see(payments, id)).toMatchObject({ state: "confirming" });
    await after(1);
    expect(await see(payments, id)).toMatchObject({ status: 1, state: "credited", credited: usd("25") });
    // A reading from an hour ago finds everything again.
    await database.db`update chain_cursor set cursor = '1 ' || repeat('0', 64) || ' 0' where chain = 'tron'`;
    await after(1);
    await Promise.all([payments.poll(), payments.poll()]);
  });
  expect(got).toBe(usd("25"));
});

test("too little waits for the rest, too much is worth what it is now, and what comes again is credited again", async () => {
  const { id, place } = await asked("trx");
  const got = await earned(async () => {
    await chain.pay(place, 60_000_000n);
    await after(solidified);
    expect(await see(payments, id)).toMatchObject({ state: "underpaid", received: "60", missing: "40" });
    price = "0.2";
    await chain.pay(place, 142_000_000n);
    await after(solidified);
    expect(await see(payments, id)).toMatchObject({ state: "credited", credited: usd("45.5") });
    await chain.pay(place, 10_000_000n);
    await after(solidified);
  });
  expect(got).toBe(usd("47.5"));
});

test("half of the dollars that no reading showed is found before the payment ends, and credited", async () => {
  const { id, place } = await asked("usdttrc20");
  const got = await earned(async () => {
    await chain.send(place, 12_500_000n);
    await after(solidified);
    for (const node of [first, second]) node.blind = 1000;
    await chain.send(place, 12_500_000n);
    for (let times = 0; times < 3; times++) await after(solidified);
    for (const node of [first, second]) node.blind = 0;
    await after(solidified);
    expect(await see(payments, id)).toMatchObject({ state: "underpaid", received: "12.5" });
    await chain.wait(terms.usdttrc20.lockSeconds + graceSeconds + 60);
    await after(1);
    expect(await see(payments, id)).toMatchObject({ state: "credited", credited: usd("25") });
  });
  expect(got).toBe(usd("25"));
});

test("half of the TRX that a contract paid is no transaction, and under review with its sum once the payment ends", async () => {
  const { id, place } = await asked("trx");
  const got = await earned(async () => {
    await chain.pay(place, 50_000_000n);
    await chain.payInside(place, 50_000_000n);
    await after(solidified + 2);
    expect(await see(payments, id)).toMatchObject({ state: "underpaid", received: "50" });
    await chain.wait(terms.trx.lockSeconds + graceSeconds + 60);
    await after(1);
    expect(await see(payments, id)).toMatchObject({ state: "underpaid" });
    await chain.wait(180);
    await after(1);
    expect(await see(payments, id)).toMatchObject({ state: "review" });
  });
  expect(got).toBe(0n);
  expect((await payments.history(id)).at(-1)).toMatchObject({
    detail: { why: "unseen", amount: "50", of: "trx" },
  });
});

test("one transaction can pay two payments, and one of them twice", async () => {
  const [one, other] = [await asked("usdttrc20"), await asked("usdttrc20")];
  const got = await earned(async () => {
    await chain.sendEach([one.place, other.place, one.place], 12_500_000n);
    await after(solidified);
  });
  expect(got).toBe(usd("25"));
  expect(await see(payments, one.id)).toMatchObject({ state: "credited", received: "25" });
  expect(await see(payments, other.id)).toMatchObject({ state: "underpaid", received: "12.5" });
});

test("worthless tokens, tokens of another contract and failed contracts credit nothing", async () => {
  const [trx, usdt] = [await asked("trx"), await asked("usdttrc20")];
  const got = await earned(async () => {
    await chain.give(trx.place, 100_000_000);
    await chain.sendFake(usdt.place, 25_000_000n);
    await chain.sendAndFail(usdt.place, 25_000_000n);
    await chain.sendAndEnd(usdt.place, 25_000_000n, "OUT_OF_ENERGY");
    await after(solidified);
  });
  expect(got).toBe(0n);
  for (const { id } of [trx, usdt])
    expect(await see(payments, id)).toMatchObject({ state: "awaiting", received: "0" });
});

test("the advertising that strangers send to every address does not make an operator look", async () => {
  const { id, place } = await asked("usdttrc20");
  await chain.send(place, 25_000_000n);
  await chain.pay(place, 1n);
  await after(solidified);
  expect(await see(payments, id)).toMatchObject({ state: "credited" });
  const other = await asked("usdttrc20");
  await chain.pay(other.place, 50_000_000n);
  await after(solidified);
  expect(await see(payments, other.id)).toMatchObject({ state: "review" });
});

test("a transfer in a fork that lost was never there; when it comes again in another block it counts once", async () => {
  const [trx, usdt] = [await asked("trx"), await asked("usdttrc20")];
  await after(1);
  const got = await earned(async () => {
    const undo = await chain.fork();
    const pay = async () => [
      await chain.pay(trx.place, 100_000_000n),
      await chain.send(usdt.place, 25_000_000n),
    ];
    const before = await pay();
    await after(5);
    for (const { id } of [trx, usdt]) expect(await see(payments, id)).toMatchObject({ state: "confirming" });
    await undo();
    await after(8);
    for (const { id } of [trx, usdt])
      expect(await see(payments, id)).toMatchObject({ state: "awaiting", received: "0" });
    expect(await pay()).toEqual(before);
    await after(solidified);
  });
  expect(got).toBe(usd("50"));
});

test("what was credited by a number of blocks and then vanishes is for the operator", async () => {
  const quick = open([first], 2);
  const { id, place } = await asked("usdttrc20");
  await after(1, quick);
  const undo = await chain.fork();
  await chain.send(place, 25_000_000n);
  await after(2, quick);
  expect(await see(payments, id)).toMatchObject({ state: "credited" });
  await undo();
  await after(4, quick);
  expect(await see(payments, id)).toMatchObject({ state: "review", credited: usd("25") });
});

test("while no node is well nothing expires; what came in time is credited at the locked rate", async () => {
  const { id, place } = await asked("trx");
  const refused = { status: 403, text: '{"Error":"the query server is suspended"}' };
  const got = await earned(async () => {
    await chain.pay(place, 100_000_000n);
    await chain.mine();
    for (const node of [first, second]) node.trouble = refused;
    await expect(payments.poll()).rejects.toThrow("no node answers");
    price = "0.1";
    second.trouble = undefined;
    chain.standStill(terms.trx.lockSeconds);
    await expect(payments.poll()).rejects.toThrow("seconds old");
    expect(await see(payments, id)).toMatchObject({ status: 0, state: "awaiting" });
    await chain.wait(60);
    await after(solidified);
    expect(await see(payments, id)).toMatchObject({ state: "credited" });
  });
  expect(got).toBe(usd("25"));
});

test("a second node that lags behind takes nothing away, and nothing is credited before it agrees", async () => {
  const { id, place } = await asked("usdttrc20");
  second.behind = 4;
  await chain.send(place, 25_000_000n);
  await after(1);
  expect(await see(payments, id)).toMatchObject({ state: "confirming" });
  await after(solidified);
  expect(await see(payments, id)).toMatchObject({ state: "confirming" });
  await after(second.behind);
  expect(await see(payments, id)).toMatchObject({ state: "credited" });
});

test("a payment after the deadline is credited at the rate of its arrival", async () => {
  const { id, place } = await asked("trx");
  await chain.wait(terms.trx.lockSeconds + graceSeconds + 60);
  await payments.poll();
  expect(await see(payments, id)).toMatchObject({ status: -1, state: "expired" });
  price = "0.2";
  const got = await earned(async () => {
    await chain.pay(place, 100_000_000n);
    await after(solidified);
  });
  expect(got).toBe(usd("20"));
  expect(await see(payments, id)).toMatchObject({ status: 1, state: "credited" });
});

test("TRX that a contract paid are no transfer, but a payment that has them does not expire", async () => {
  const { id, place } = await asked("trx");
  await chain.payInside(place, 100_000_000n);
  await after(solidified);
  await chain.wait(terms.trx.lockSeconds);
  await payments.poll();
  expect(await see(payments, id)).toMatchObject({ status: 0, state: "awaiting", received: "0" });
});

import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { type CurrencyId, currencies } from "../../contract/currencies.ts";
import * as journal from "../journal/journal.ts";
import { secondsAfter } from "../kit/clock.ts";
import type { Tx } from "../kit/db.ts";
import { createLog } from "../kit/log.ts";
import { type Usd, usd } from "../kit/money.ts";
import * as ledger from "../ledger/ledger.ts";
import { type FakeChain, openFakeChain } from "./networks/network.fake.ts";
import { openSandbox, pay } from "./networks/sandbox.ts";
import { openNetworks, openPayments, openRates, type Payments } from "./payments.ts";
import { fixedRates, type Rates, sandboxRates } from "./payments.rates.ts";
import { graceSeconds } from "./payments.terms.ts";

const log = createLog("silent");
const buyer = 7n;

async function shop(options: { rates?: Rates; ttlSeconds?: number } = {}) {
  const { db, drop } = await createDatabase();
  onTestFinished(drop);
  let now = new Date("2030-01-01T00:00:00Z");
  const clock = () => now;
  const chain = openFakeChain("erc", clock);
  const sandbox = openSandbox(db, clock);
  const rates = options.rates ?? sandboxRates();
  const open = (network: "sandbox" | "chain") =>
    openPayments({
      db,
      networks: [network === "chain" ? chain : sandbox],
      rates,
      ttlSeconds: options.ttlSeconds,
      log,
      clock,
    });
  const later = (seconds: number) => (now = secondsAfter(now, seconds));
  return { db, chain, sandbox: open("sandbox"), real: open("chain"), later, clock };
}

async function ask(payments: Payments, currency: CurrencyId = "erc", dollars = "100") {
  const created = await payments.create({ userId: buyer, currency, usd: usd(dollars) });
  if (typeof created === "string") throw new Error(`not created: ${created}`);
  return created.id;
}

async function see(payments: Payments, id: bigint) {
  const view = await payments.status({ userId: buyer, id });
  if (typeof view === "string") throw new Error(view);
  return view;
}

const broken = async (payments: Payments) => (await payments.audit()).filter(({ bad }) => bad.length > 0);

/** Makes a block, then as many as make it final, and lets the watcher look. */
async function settle(chain: FakeChain, payments: Payments) {
  chain.mine(3);
  await payments.look();
}

test.each(currencies)(
  "in the sandbox $id can be chosen, is paid by an operator and credited at once",
  async ({ id: currency }) => {
    const { db, sandbox } = await shop();
    const id = await ask(sandbox, currency, "25");
    const before = await see(sandbox, id);
    expect(before).toMatchObject({ status: 0, state: "awaiting", received: "0", isSandbox: true });
    expect(before.address).toMatch(/^sandbox-/);
    expect(Number(before.missing)).toBe(Number(before.currencyAmount));
    const paid = await sandbox.confirm(id, "operator");
    expect(paid).toMatchObject({ status: 1, state: "credited", missing: "0", credited: usd("25") });
    expect(await ledger.balance(db, buyer)).toBe(usd("25"));
    expect(await broken(sandbox)).toEqual([]);
  },
);

test("a payment has its own address, which no other ever gets", async () => {
  const { sandbox } = await shop();
  const ids = await Promise.all(Array.from({ length: 30 }, () => ask(sandbox, "trx", "1")));
  const views = await Promise.all(ids.map((id) => see(sandbox, id)));
  expect(new Set(views.map(({ address }) => address)).size).toBe(30);
});

test("an id of a payment does not fit in 32 bits, and only its owner sees it", async () => {
  const { sandbox } = await shop();
  const id = await ask(sandbox);
  expect(id).toBeGreaterThan(2n ** 32n);
  expect(await sandbox.status({ userId: 8n, id })).toBe("no payment");
  expect(await sandbox.status({ userId: buyer, id: id + 1n })).toBe("no payment");
});

test("twenty who confirm the same payment at once pay it once", async () => {
  const { db, sandbox } = await shop();
  const id = await ask(sandbox);
  const answers = await Promise.all(Array.from({ length: 20 }, () => sandbox.confirm(id, "user 1")));
  expect(answers.filter((answer) => answer === "payment closed")).toHaveLength(19);
  expect(await ledger.balance(db, buyer)).toBe(usd("100"));
  expect(await journal.list(db)).toMatchObject([
    {
      by: "user 1",
      did: "payments confirm",
      about: `payment ${id}`,
      after: { paid: "100", currency: "erc" },
    },
  ]);
});

test("a sandbox payment that is paid in parts names what is missing and is credited when it is whole", async () => {
  const { db, sandbox } = await shop();
  const id = await ask(sandbox);
  expect(await sandbox.confirm(id, "operator", "60")).toMatchObject({
    status: 0,
    received: "60",
    missing: "40",
  });
  expect(await ledger.balance(db, buyer)).toBe(0n);
  expect(await sandbox.confirm(id, "operator")).toMatchObject({ status: 1, received: "100", missing: "0" });
  expect(await ledger.balance(db, buyer)).toBe(usd("100"));
  expect(await sandbox.confirm(id, "operator")).toBe("payment closed");
  expect((await sandbox.history(id)).map(({ what }) => what)).toEqual([
    "seen",
    "confirmed",
    "underpaid",
    "seen",
    "confirmed",
    "credited",
  ]);
});

test("an unpaid payment is rejected when its hour is over, and can no longer be paid in the sandbox", async () => {
  const { sandbox, later } = await shop();
  const id = await ask(sandbox);
  later(3599);
  await sandbox.look();
  expect(await see(sandbox, id)).toMatchObject({ status: 0 });
  later(1);
  expect(await sandbox.confirm(id, "operator")).toBe("payment closed");
  await sandbox.look();
  expect(await see(sandbox, id)).toMatchObject({ status: -1, state: "expired" });
  expect(await sandbox.confirm(id, "operator")).toBe("payment closed");
});

test("a process that dies between the payer's transfer and the credit has lost nothing: the next look credits it", async () => {
  const { db, sandbox, clock } = await shop();
  const id = await ask(sandbox);
  const { address } = await see(sandbox, id);
  await db.begin((tx) =>
    pay(tx as Tx, { address, currency: "erc", amount: 100_000_000n, at: clock(), by: "operator" }),
  );
  expect(await see(sandbox, id)).toMatchObject({ status: 0 });
  await sandbox.look();
  expect(await see(sandbox, id)).toMatchObject({ status: 1, credited: usd("100") });
});

test("the setting replaces the life of a payment", async () => {
  const { sandbox, real, clock } = await shop({ ttlSeconds: 5 });
  for (const payments of [sandbox, real])
    expect((await see(payments, await ask(payments))).expiresAt).toEqual(secondsAfter(clock(), 5));
});

test("the loops look by themselves", async () => {
  const { db, sandbox, later } = await shop();
  const id = await ask(sandbox);
  later(3600);
  const loops = sandbox.watch();
  onTestFinished(() => loops.stop());
  await vi.waitFor(async () => expect(await see(sandbox, id)).toMatchObject({ status: -1 }), {
    timeout: 10_000,
  });
  await db`select 1`;
});

test("a transfer is shown when it is seen, credited when it is final, once however often the chain is read", async () => {
  const { db, chain, real } = await shop();
  const id = await ask(real);
  const { address } = await see(real, id);
  chain.pay(address.toLowerCase(), 100_000_000n);
  chain.mine();
  await real.look();
  expect(await see(real, id)).toMatchObject({ status: 0, state: "confirming", received: "100" });
  await settle(chain, real);
  expect(await see(real, id)).toMatchObject({ status: 1, credited: usd("100") });
  await db`delete from chain_cursor`;
  await real.look();
  await Promise.all([real.look(), real.look(), real.look()]);
  expect(await ledger.balance(db, buyer)).toBe(usd("100"));
  expect(await broken(real)).toEqual([]);
});

test("many processes that read and judge the same chain at once neither wait for each other in vain nor credit twice", async () => {
  const faults: string[] = [];
  const loud = createLog("error", { write: (line: string) => void faults.push(line) });
  const { db, chain, real, clock } = await shop();
  const ids: bigint[] = [];
  for (let made = 0; made < 10; made++) ids.push(await ask(real));
  const processes = Array.from({ length: 6 }, () =>
    openPayments({ db, networks: [chain], rates: sandboxRates(), log: loud, clock }),
  );
  for (let round = 0; round < 5; round++) {
    for (const index of ids.keys()) chain.pay(`fake${index}`, 20_000_000n);
    chain.mine();
    await db`delete from chain_cursor`;
    await Promise.all(processes.map((one) => one.look()));
  }
  await settle(chain, real);
  expect(faults).toEqual([]);
  expect(await ledger.balance(db, buyer)).toBe(usd("1000"));
  expect(await broken(real)).toEqual([]);
});

test("a transfer that leaves the best chain before it is final was never there; when it comes again it counts once", async () => {
  const { db, chain, real } = await shop();
  const id = await ask(real);
  chain.pay("fake0", 100_000_000n);
  chain.mine();
  await real.look();
  chain.forget(1);
  await real.look();
  expect(await see(real, id)).toMatchObject({ state: "awaiting", received: "0" });
  chain.pay("fake0", 100_000_000n);
  await settle(chain, real);
  expect(await see(real, id)).toMatchObject({ status: 1 });
  expect(await ledger.balance(db, buyer)).toBe(usd("100"));
});

test("a credited transfer that vanishes is shown to the operator, and nothing is taken from the user", async () => {
  const { db, chain, real } = await shop();
  const id = await ask(real);
  chain.pay("fake0", 100_000_000n);
  await settle(chain, real);
  chain.forget(3);
  await real.look();
  expect(await see(real, id)).toMatchObject({ state: "review" });
  expect(await ledger.balance(db, buyer)).toBe(usd("100"));
});

test("while the node is out of order nothing expires; what came in time counts at the locked rate", async () => {
  const { db, chain, real, later } = await shop();
  const id = await ask(real);
  chain.pay("fake0", 100_000_000n);
  chain.mine();
  chain.isDown = true;
  later(4 * 60 * 60);
  await expect(real.look()).rejects.toThrow("does not answer");
  expect(await see(real, id)).toMatchObject({ status: 0 });
  chain.isDown = false;
  await settle(chain, real);
  expect(await see(real, id)).toMatchObject({ status: 1 });
  expect(await ledger.balance(db, buyer)).toBeGreaterThan(0n);
});

test("a node that shows no transfer but knows a balance lets nothing expire", async () => {
  const { db, chain, real, later } = await shop();
  const id = await ask(real);
  chain.pay("fake0", 100_000_000n);
  chain.mine();
  chain.isBlind = true;
  later(4 * 60 * 60);
  await real.look();
  expect(await see(real, id)).toMatchObject({ state: "awaiting" });
  chain.isBlind = false;
  await db`delete from chain_cursor`;
  await settle(chain, real);
  later(60);
  await real.look();
  expect(await see(real, id)).toMatchObject({ status: 1 });
});

test("a late payment is credited at the rate of its arrival and the operator is told", async () => {
  let price = "1";
  const rates: Rates = { rateOf: (id) => fixedRates({ usdt: price }).rateOf(id) };
  const { db, chain, real, later } = await shop({ rates });
  const id = await ask(real);
  later(3 * 60 * 60);
  chain.mine();
  await real.look();
  expect(await see(real, id)).toMatchObject({ status: -1 });
  price = "0.8";
  later(graceSeconds + 1);
  chain.pay("fake0", 100_000_000n);
  await settle(chain, real);
  expect(await see(real, id)).toMatchObject({ status: 1, credited: usd("80") });
  expect(await ledger.balance(db, buyer)).toBe(usd("80"));
  expect((await real.history(id)).at(-1)).toMatchObject({ what: "credited", detail: { isLate: true } });
});

test("another coin at the right address waits for the operator", async () => {
  const { chain, real } = await shop();
  const id = await ask(real);
  chain.pay("fake0", 10n ** 17n, "eth");
  await settle(chain, real);
  expect(await see(real, id)).toMatchObject({ state: "review", received: "0" });
});

test("the audit finds money that no chain showed, and a transfer that was not credited as it says", async () => {
  const { db, sandbox } = await shop();
  const id = await ask(sandbox);
  await sandbox.confirm(id, "operator");
  await ledger.credit(db, {
    userId: buyer,
    amount: usd("5"),
    gateway: "sandbox",
    idempotencyKey: "sandbox:99:0",
  });
  await db`update chain_transfer set usd = usd + 1`;
  expect(await broken(sandbox)).toMatchObject([
    { name: "credited", bad: [String(id)] },
    { name: "credited once", bad: ["sandbox:1:0"] },
    { name: "top-ups", bad: ["sandbox:1:0", "sandbox:99:0"] },
  ]);
});

test("a currency without a chain or without a rate is not on sale", async () => {
  const { real } = await shop({ rates: fixedRates({ eth: "3000" }) });
  expect(await real.currenciesOnSale()).toEqual([]);
  expect(await real.create({ userId: buyer, currency: "erc", usd: usd("5") })).toBe("no rate");
  expect(await real.create({ userId: buyer, currency: "ltc", usd: usd("5") })).toBe("wallet");
  expect(await real.create({ userId: buyer, currency: "doge", usd: usd("5") })).toBe("wallet");
  const { sandbox } = await shop();
  expect(await sandbox.currenciesOnSale()).toEqual(currencies.map(({ id }) => id));
});

test("on a real chain nobody plays the payer", async () => {
  const { real } = await shop();
  expect(await real.confirm(await ask(real), "operator")).toBe("not sandbox");
});

test("one user cannot use up the addresses", async () => {
  const { sandbox } = await shop();
  for (let asked = 0; asked < 50; asked++) await ask(sandbox, "trx", "1");
  expect(await sandbox.create({ userId: buyer, currency: "trx", usd: usd("1") })).toBe("limit");
  expect(await sandbox.create({ userId: 8n, currency: "trx", usd: usd("1") })).not.toBe("limit");
});

test("with no wallet a demonstration gets the sandbox, and a shop that sells gets nothing", async () => {
  const { db } = await shop();
  expect(openNetworks(db, { demo: true, wallets: {} }).map(({ name }) => name)).toEqual(["sandbox"]);
  expect(openNetworks(db, { demo: false, wallets: {} })).toEqual([]);
  expect(openNetworks(db, { demo: true, wallets: { evm: {} } })).toEqual([]);
  const rates = openRates({ rates: { source: "live" } }, openNetworks(db, { demo: true, wallets: {} }));
  expect(await rates.rateOf("ton")).toBeDefined();
});

const event = fc.oneof(
  fc.record({
    does: fc.constant("pay" as const),
    to: fc.nat({ max: 2 }),
    amount: fc.integer({ min: 1, max: 150_000_000 }),
  }),
  fc.record({ does: fc.constant("mine" as const), blocks: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ does: fc.constant("forget" as const), blocks: fc.integer({ min: 1, max: 2 }) }),
  fc.record({ does: fc.constant("wait" as const), minutes: fc.integer({ min: 1, max: 120 }) }),
  fc.record({ does: fc.constant("rescan" as const) }),
  fc.record({ does: fc.constant("look" as const) }),
);

test("whatever a chain does, the ledger has each final transfer once and never above its locked worth", async () => {
  const { db, chain, real, later } = await shop();
  let nextUser = 1000n;
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 15 }), async (events) => {
      const userId = nextUser++;
      const ids: bigint[] = [];
      for (let made = 0; made < 3; made++) {
        const created = await real.create({ userId, currency: "erc", usd: usd("100") });
        if (typeof created !== "string") ids.push(created.id);
      }
      const views = await real.list({ userId });
      for (const one of events) {
        if (one.does === "pay") chain.pay(views[one.to]?.address.toLowerCase() ?? "", BigInt(one.amount));
        if (one.does === "mine") chain.mine(one.blocks);
        if (one.does === "forget") chain.forget(one.blocks);
        if (one.does === "wait") later(one.minutes * 60);
        if (one.does === "rescan") await db`delete from chain_cursor`;
        if (one.does === "look") await Promise.all([real.look(), real.look()]);
      }
      await settle(chain, real);
      expect(await broken(real)).toEqual([]);
      const ended = await real.list({ userId });
      const balance = ended.reduce((all, { credited }) => all + credited, 0n) as Usd;
      expect(await ledger.balance(db, userId)).toBe(balance);
      for (const { id, credited } of ended) {
        const [row] = await db<{ came: bigint }[]>`
          select coalesce(sum(amount), 0)::bigint as came from chain_transfer where payment_id = ${id} and usd is not null`;
        const came = (row?.came ?? 0n) * 100n;
        expect(credited).toBeLessThanOrEqual(came >= usd("99.5") && came < usd("100") ? usd("100") : came);
      }
    }),
    { numRuns: 20 },
  );
}, 120_000);

import { randomBytes } from "node:crypto";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { openFakeChain } from "../../../test/kit/fakeChain.ts";
import { buyer } from "../../../test/kit/shelf.ts";
import * as journal from "../journal/journal.ts";
import * as ledger from "../ledger/ledger.ts";
import { audit as auditOrders } from "../orders/orders.ts";
import { secondsAfter } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { usd } from "../platform/money.ts";
import { createSeal } from "../platform/seal.ts";
import { openPayments } from "../payments/payments.ts";
import { openSandbox } from "../payments/networks/sandbox.ts";
import { sandboxRates } from "../payments/rates/rates.ts";
import { audit, cancelWaiting, openWithdrawals, type WithdrawalRow } from "./withdrawals.ts";

const { db, drop } = await createDatabase();
afterAll(drop);
const seal = createSeal(Buffer.alloc(32, 5));
const limits = { least: usd("10"), one: usd("100"), day: usd("250") };
const at = new Date("2030-01-01T12:00:00Z");
const clock = () => at;
const never = new AbortController().signal;
const micro = 1_000_000n;

let chain = openFakeChain("erc", clock);
let withdrawals = open();

function open({
  isOffered = true,
  networks = [chain] as Parameters<typeof openPayments>[0]["networks"],
} = {}) {
  const { payouts } = openPayments({ db, networks, rates: sandboxRates(), log: createLog("silent"), clock });
  return openWithdrawals({ db, sealOf: async () => seal, payouts, isOffered, limits });
}

beforeEach(() => {
  chain = openFakeChain("erc", clock);
  withdrawals = open();
});

const newWallet = () => `0x${randomBytes(20).toString("hex")}`;

async function partner(dollars: string): Promise<bigint> {
  const userId = await buyer(db);
  const amount = usd(dollars);
  const key = `earned ${userId}`;
  await ledger.adjust(db, { userId, book: "soft", amount, reason: "test", idempotencyKey: key });
  return userId;
}

type Asked = Parameters<typeof withdrawals.ask>[0];
const asking = (userId: bigint, dollars = "40", more: Partial<Asked> = {}): Asked => ({
  userId,
  way: "soft",
  amount: usd(dollars),
  wallet: "erc",
  address: newWallet(),
  ...more,
});

async function asked(userId: bigint, dollars?: string, more?: Partial<Asked>): Promise<WithdrawalRow> {
  const done = await withdrawals.ask(asking(userId, dollars, more), at);
  if (typeof done === "string") throw new Error(`refused: ${done}`);
  return done;
}

const left = (userId: bigint) => ledger.balance(db, userId, "soft");
const stateOf = async (userId: bigint) =>
  (await withdrawals.list(userId, 1)).withdrawals.map(({ state }) => state);
const operator = { actor: "operator", by: "operator" } as const;
const pay = (id: bigint, transaction: string) => withdrawals.pay({ id, transaction, ...operator }, at);

async function mailsTo(userId: bigint): Promise<string[]> {
  const mails = await db<{ kind: string }[]>`
    select kind from task where user_id = ${userId} and kind like 'withdrawal%' order by id`;
  return mails.map(({ kind }) => kind);
}

async function expectSound(): Promise<void> {
  const found = [...(await audit(db)), ...(await auditOrders(db, { scope: "all" }))];
  expect(found.filter(({ bad }) => bad.length > 0)).toEqual([]);
}

/** A transaction as nodes of EVM write it: the chain in memory calls its own tx0, tx1 … */
function paid(address: string, units: bigint): string {
  const txid = `0x${randomBytes(32).toString("hex")}`;
  chain.payAs(txid, address, units);
  return txid;
}

test("what is asked for is held: it is in neither the balance nor what was paid, and the owner gets a mail", async () => {
  const userId = await partner("100");
  const row = await asked(userId, "40");
  expect(row).toMatchObject({ state: "waiting", amount: usd("40"), units: 40n * micro, currency: "erc" });
  expect(await ledger.earnings(db, userId, "soft")).toMatchObject({
    balance: usd("60"),
    payed: 0n,
    waiting: usd("40"),
  });
  const { lines } = await ledger.statement(db, userId, { book: "soft" });
  expect(lines[0]).toMatchObject({ kind: "withdraw", amount: usd("-40"), balance: usd("60") });
  expect(await mailsTo(userId)).toEqual(["withdrawal-asked"]);
  await expectSound();
});

test("what cannot be asked for is refused by name, and holds nothing", async () => {
  const userId = await partner("100");
  const refused = async (more: Partial<Asked>, dollars = "40") =>
    withdrawals.ask(asking(userId, dollars, more), at);
  expect(await refused({}, "9.99")).toBe("too small");
  expect(await refused({}, "100.01")).toBe("too large");
  expect(await refused({ way: "referrals" })).toBe("more than due");
  expect(await refused({ wallet: "ltc" })).toBe("wallet");
  expect(await refused({ address: "0x52908400098527886E0F7030069857D2E4169Ee7" })).toBe("address");
  expect(await refused({ address: "0xdAC17F958D2ee523a2206206994597C13D831ec7" })).toBe("address");
  expect(await open({ isOffered: false }).ask(asking(userId), at)).toBe("no withdrawals");
  await db`insert into address_counter (family) values ('fake ethereum') on conflict do nothing`;
  const own = newWallet();
  await db`
    insert into payment (user_id, currency, chain, usd, due, rate, rate_source, family, address_index, address, canonical, created_at, expires_at)
    values (${userId}, 'erc', 'ethereum', 1, 1, 1, 'test', 'fake ethereum', 0, 'Shown', ${own}, now(), now() + interval '1 hour')`;
  expect(await refused({ address: own.toUpperCase().replace("0X", "0x") })).toBe("own address");
  expect(await left(userId)).toBe(usd("100"));
  expect(await stateOf(userId)).toEqual([]);
  expect(await mailsTo(userId)).toEqual([]);
});

test("many at once hold no more than is due, and no more than a day allows", async () => {
  const poor = await partner("55");
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => withdrawals.ask(asking(poor, "10"), at)),
  );
  expect(answers.filter((one) => one === "more than due")).toHaveLength(15);
  expect(await left(poor)).toBe(usd("5"));
  const rich = await partner("10000");
  const many = await Promise.all(Array.from({ length: 12 }, () => withdrawals.ask(asking(rich, "50"), at)));
  expect(many.filter((one) => one === "too large")).toHaveLength(7);
  expect(await withdrawals.terms(rich, at)).toMatchObject({ most: 0n, leftToday: 0n });
  const tomorrow = secondsAfter(at, 24 * 60 * 60 + 1);
  expect(await withdrawals.terms(rich, tomorrow)).toMatchObject({ most: usd("100"), leftToday: usd("250") });
  await expectSound();
});

test("the same request under one key is one withdrawal, however often and at once it comes", async () => {
  const userId = await partner("100");
  const one = asking(userId, "20", { key: "once" });
  const answers = await Promise.all(Array.from({ length: 6 }, () => withdrawals.ask(one, at)));
  expect(new Set(answers.map((row) => (typeof row === "string" ? row : row.id))).size).toBe(1);
  expect(await withdrawals.ask({ ...one, amount: usd("30") }, at)).toBe("key used");
  expect(await left(userId)).toBe(usd("80"));
});

test("who asked can cancel while it waits, and the sum is back; nobody else can", async () => {
  const userId = await partner("100");
  const { id } = await asked(userId);
  expect(await withdrawals.cancel({ userId: await partner("1"), id }, at)).toBe("no withdrawal");
  const twice = await Promise.all([1, 2].map(() => withdrawals.cancel({ userId, id }, at)));
  for (const row of twice) expect(row).toMatchObject({ state: "canceled" });
  expect(await ledger.earnings(db, userId, "soft")).toMatchObject({
    balance: usd("100"),
    earned: usd("100"),
    payed: 0n,
    waiting: 0n,
  });
  const days = await ledger.earnedByDay(db, userId, "soft", new Date(0));
  expect(days.map(({ credit }) => credit)).toEqual([usd("100")]);
  expect(await pay(id, paid(newWallet(), 1n))).toBe("withdrawal decided");
  await expectSound();
});

test("a refusal gives the sum back with the reason, once, and is mailed", async () => {
  const userId = await partner("100");
  const { id } = await asked(userId);
  const refusing = { id, reason: "Write to us first.", ...operator };
  expect(await withdrawals.refuse({ ...refusing, actor: userId }, at)).toBe("yourself");
  expect(await withdrawals.refuse({ ...refusing, id: id + 1n }, at)).toBe("no withdrawal");
  const twice = await Promise.all([1, 2].map(() => withdrawals.refuse(refusing, at)));
  for (const row of twice) expect(row).toMatchObject({ state: "refused", reason: "Write to us first." });
  expect(await left(userId)).toBe(usd("100"));
  expect(await mailsTo(userId)).toEqual(["withdrawal-asked", "withdrawal-refused"]);
  const [noted, ...more] = await journal.list(db, { about: `withdrawal ${id}` });
  expect(noted).toMatchObject({ did: "withdrawals refuse", reason: "Write to us first." });
  expect(more).toEqual([]);
  await expectSound();
});

test("a final transaction pays it: two clicks at once pay once, and the ledger has the payout", async () => {
  const userId = await partner("100");
  const { id, canonical } = await asked(userId);
  const transaction = paid(canonical, 40n * micro);
  chain.mine(5);
  expect(await withdrawals.pay({ id, transaction, actor: userId, by: `user ${userId}` }, at)).toBe(
    "yourself",
  );
  const clicks = await Promise.all(
    [1, 2, 3].map(() => pay(id, transaction.toUpperCase().replace("0X", "0x"))),
  );
  for (const done of clicks) expect(done).toMatchObject({ state: "paid", checked: true });
  expect(await ledger.earnings(db, userId, "soft")).toMatchObject({
    earned: usd("100"),
    payed: usd("40"),
    balance: usd("60"),
    waiting: 0n,
  });
  expect(await mailsTo(userId)).toEqual(["withdrawal-asked", "withdrawal-paid"]);
  expect(await journal.list(db, { about: `withdrawal ${id}` })).toHaveLength(1);
  expect(await withdrawals.refuse({ id, reason: "late", ...operator }, at)).toBe("withdrawal decided");
  await expectSound();
});

test("a transaction that does not pay it is refused by name, and it goes on waiting", async () => {
  const userId = await partner("200");
  const { id, canonical } = await asked(userId, "40");
  const other = await asked(userId, "30", { address: canonical });
  const [elsewhere, little, enough] = [
    paid(newWallet(), 40n * micro),
    paid(canonical, 39_999_999n),
    paid(canonical, 40n * micro),
  ];
  const coins = `0x${randomBytes(32).toString("hex")}`;
  chain.payAs(coins, canonical, 40n * micro, "eth");
  chain.mine(5);
  expect(await pay(id, "not one")).toBe("transaction");
  expect(await pay(id, `0x${randomBytes(32).toString("hex")}`)).toBe("unknown transaction");
  expect(await pay(id, elsewhere)).toBe("wrong recipient");
  expect(await pay(id, coins)).toBe("wrong coin");
  expect(await pay(id, little)).toEqual({ tooLittle: "39.999999", wanted: "40" });
  expect(await pay(other.id, enough)).toMatchObject({ state: "paid" });
  expect(await pay(id, enough)).toBe("transaction used");
  expect(await stateOf(userId)).toEqual(expect.arrayContaining(["waiting", "paid"]));
  await expectSound();
});

test("one transaction that pays several addresses pays the withdrawal of each", async () => {
  const userId = await partner("100");
  const both = [await asked(userId, "20"), await asked(userId, "30")];
  const transaction = paid(both[0]!.canonical, 20n * micro);
  chain.payAs(transaction, both[1]!.canonical, 30n * micro);
  chain.mine(5);
  for (const { id } of both)
    expect(await pay(id, transaction)).toMatchObject({ state: "paid", checked: true });
  await expectSound();
});

test("of several withdrawals that one transaction is entered for at once it pays one", async () => {
  const userId = await partner("200");
  const first = await asked(userId, "20");
  const others = [];
  for (let made = 0; made < 6; made += 1) others.push(await asked(userId, "20", { address: first.address }));
  const transaction = paid(first.canonical, 20n * micro);
  chain.mine(5);
  const answers = await Promise.all([first, ...others].map(({ id }) => pay(id, transaction)));
  expect(answers.filter((one) => one === "transaction used")).toHaveLength(6);
  expect((await stateOf(userId)).filter((state) => state === "paid")).toHaveLength(1);
  await expectSound();
});

test("a node that does not answer says nothing of a transaction: it is asked again, and nothing is recorded", async () => {
  const userId = await partner("100");
  const { id, canonical } = await asked(userId);
  const transaction = paid(canonical, 40n * micro);
  chain.mine(5);
  chain.isDown = true;
  expect(await pay(id, transaction)).toBe("chain unreachable");
  chain.isDown = false;
  chain.lies.set(transaction, "trouble");
  expect(await pay(id, transaction)).toBe("chain unreachable");
  expect(await stateOf(userId)).toEqual(["waiting"]);
  chain.lies.clear();
  expect(await pay(id, transaction)).toMatchObject({ state: "paid" });
});

test("what is not final is sent: it cannot be canceled, and a job ends it once it is final", async () => {
  const userId = await partner("100");
  const { id, canonical } = await asked(userId);
  const transaction = paid(canonical, 40n * micro);
  expect(await pay(id, transaction)).toMatchObject({ state: "sent", checked: true });
  expect(await withdrawals.cancel({ userId, id }, at)).toBe("withdrawal decided");
  await withdrawals.lookAtSent(at, never);
  chain.mine(1);
  await withdrawals.lookAtSent(at, never);
  expect(await stateOf(userId)).toEqual(["sent"]);
  chain.isDown = true;
  await withdrawals.lookAtSent(at, never);
  expect(await stateOf(userId)).toEqual(["sent"]);
  await expectSound();
  chain.isDown = false;
  chain.mine(5);
  await Promise.all([withdrawals.lookAtSent(at, never), withdrawals.lookAtSent(at, never)]);
  expect(await stateOf(userId)).toEqual(["paid"]);
  expect(await ledger.earnings(db, userId, "soft")).toMatchObject({ payed: usd("40") });
  expect(await mailsTo(userId)).toEqual(["withdrawal-asked", "withdrawal-paid"]);
  await expectSound();
});

test("a sent transaction that the chain drops waits a day, then the operator is asked for another one", async () => {
  const userId = await partner("100");
  const { id, canonical } = await asked(userId);
  const transaction = paid(canonical, 40n * micro);
  chain.mine(1);
  await pay(id, transaction);
  chain.forget(1);
  await withdrawals.lookAtSent(secondsAfter(at, 60 * 60), never);
  expect(await stateOf(userId)).toEqual(["sent"]);
  await withdrawals.lookAtSent(secondsAfter(at, 25 * 60 * 60), never);
  expect((await withdrawals.list(userId, 1)).withdrawals).toMatchObject([{ state: "waiting", txid: null }]);
  const [row] = await db<{ found: string }[]>`select found from withdrawal where id = ${id}`;
  expect(row?.found).toBe("unknown transaction");
  const again = paid(canonical, 40n * micro);
  chain.mine(5);
  expect(await pay(id, again)).toMatchObject({ state: "paid" });
  await expectSound();
});

test("where the shop watches no chain, the transaction is recorded unchecked", async () => {
  withdrawals = open({ networks: [openSandbox(db, clock)] });
  const userId = await partner("100");
  const { id } = await asked(userId, "40", { wallet: "trx", address: "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH" });
  expect(await pay(id, "play 1")).toMatchObject({ state: "paid", checked: false });
  await expectSound();
});

test("who says that somebody else was in the account has what waits canceled", async () => {
  const userId = await partner("100");
  const { canonical, id } = await asked(userId, "40");
  await pay(id, paid(canonical, 40n * micro));
  await asked(userId, "30");
  await db.begin((tx) => cancelWaiting(tx, userId, at));
  expect((await stateOf(userId)).toSorted()).toEqual(["canceled", "sent"]);
  expect(await left(userId)).toBe(usd("60"));
  await expectSound();
});

test("a request that dies between its steps leaves nothing behind", async () => {
  const userId = await partner("100");
  const pids: number[] = [];
  let request: Promise<unknown> | undefined;
  await db.begin(async (tx) => {
    await tx`select from account where user_id = ${userId} and book = 'soft' for update`;
    request = withdrawals.ask(asking(userId), at).catch((fault: unknown) => fault);
    // It has written its row and waits for the account.
    await expect
      .poll(async () => {
        const waiting = await tx<{ pid: number }[]>`
          select pid from pg_stat_activity where datname = current_database() and pg_backend_pid() = any (pg_blocking_pids(pid))`;
        pids.push(...waiting.map(({ pid }) => pid));
        return pids.length;
      })
      .toBeGreaterThan(0);
    await tx`select pg_terminate_backend(${pids[0] ?? 0})`;
    expect(await request).toBeInstanceOf(Error);
  });
  expect(await stateOf(userId)).toEqual([]);
  expect(await left(userId)).toBe(usd("100"));
  await expectSound();
});

test("the audit names a withdrawal that ended without its money, and a held sum that nobody asked for", async () => {
  const userId = await partner("100");
  const { id } = await asked(userId);
  const broken = async () => (await audit(db)).filter(({ bad }) => bad.length > 0);
  await db`update withdrawal set state = 'canceled', closed_at = now() where id = ${id}`;
  expect(await broken()).toMatchObject([
    { name: "held for withdrawals", bad: [expect.stringMatching(/^account \d+$/) as string] },
    { name: "withdrawals", bad: [String(id)] },
  ]);
  await db`update withdrawal set state = 'waiting', closed_at = null where id = ${id}`;
  await expectSound();
});

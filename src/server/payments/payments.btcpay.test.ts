import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { type BtcpayServer, openBtcpayServer, signature } from "../../../test/kit/btcpay.ts";
import { createDatabase, type TestDatabase } from "../../../test/kit/database.ts";
import { startShop } from "../../../test/kit/shop.ts";
import { ask, broken, buyer, see } from "../../../test/kit/till.ts";
import { secondsAfter } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { type Usd, usd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import { openBtcpay } from "./networks/btcpay/btcpay.ts";
import { openIssuedAddresses } from "./addresses/issued.ts";
import { openPayments, type Payments } from "./payments.ts";
import { fixedRates } from "./rates/rates.ts";
import { graceSeconds, terms } from "./payments.terms.ts";

// One server and one database for all, as in a shop: payments must not affect each other.
let btcpay: BtcpayServer;
let database: TestDatabase;
let payments: Payments;
let now = new Date("2030-01-01T00:00:00Z");
const clock = () => now;
const later = (seconds: number) => void (now = secondsAfter(now, seconds));
const lines: string[] = [];
const path = join(mkdtempSync(join(tmpdir(), "postern-btcpay-")), "addresses.csv");

const configOf = (methods: Record<string, string> = { ltc: "LTC-CHAIN" }) => {
  const { url, apiKey, storeId } = btcpay;
  return { url, apiKey, storeId, webhookSecret: undefined, methods };
};

function open(methods?: Record<string, string>): Payments {
  const log = createLog("info", { write: (line: string) => void lines.push(line) });
  const networks = [openBtcpay({ config: configOf(methods), clock })];
  const rates = fixedRates({ ltc: "80", eth: "3000" });
  return openPayments({ db: database.db, networks, rates, log, clock, issued: openIssuedAddresses(path) });
}

beforeAll(async () => {
  [btcpay, database] = await Promise.all([openBtcpayServer(clock), createDatabase()]);
  payments = open();
});
afterAll(async () => {
  await btcpay.close();
  await database.drop();
  rmSync(join(path, ".."), { recursive: true });
});
beforeEach(() => {
  Object.assign(btcpay, { refusal: undefined, losesAnswers: false, isSynchronising: false, pool: undefined });
  btcpay.methods = ["LTC-CHAIN"];
  // A failed node rests for a minute at most.
  later(61);
});

async function asked(by = payments) {
  const id = await ask(by, "ltc", "40");
  return { id, invoice: btcpay.invoices.at(-1)?.id ?? "" };
}

async function earned(work: () => Promise<void>): Promise<Usd> {
  const before = await ledger.balance(database.db, buyer);
  await work();
  expect(await broken(payments)).toEqual([]);
  return ((await ledger.balance(database.db, buyer)) - before) as Usd;
}

test("an invoice gives the address; what is paid is shown while it is processed, and credited once when it is settled", async () => {
  const { id, invoice } = await asked();
  const made = btcpay.invoices.at(-1);
  // No invoices are made to see which addresses were used.
  expect(btcpay.invoices).toHaveLength(1);
  expect(made?.asked).toMatchObject({
    amount: "40.0",
    currency: "USD",
    checkout: { paymentMethods: ["LTC-CHAIN"] },
  });
  expect(await see(payments, id)).toMatchObject({
    address: made?.destination,
    currencyAmount: "0.50000",
    uri: `litecoin:${made?.destination}?amount=0.5`,
  });
  const got = await earned(async () => {
    const payment = btcpay.pay(invoice, "0.50000000");
    await payments.poll();
    expect(await see(payments, id)).toMatchObject({
      state: "confirming",
      transfers: [{ amount: "0.5", status: "seen", txid: payment.id.slice(0, -2) }],
    });
    payment.status = "Settled";
    for (const by of [payments, payments, open()]) await by.poll();
  });
  expect(got).toBe(usd("40"));
  expect(await see(payments, id)).toMatchObject({ status: 1, state: "credited" });
  expect((await payments.chains()).find(({ chain }) => chain === "btcpay")).toMatchObject({
    isOnSale: true,
    height: 2_900_000n,
    takings: [{ currency: "ltc", received: "0.5" }],
  });
});

test("too little waits for the rest, and what is over is credited too", async () => {
  const { id, invoice } = await asked();
  const got = await earned(async () => {
    btcpay.pay(invoice, "0.2", { status: "Settled" });
    await payments.poll();
    expect(await see(payments, id)).toMatchObject({ state: "underpaid", missing: "0.3" });
    btcpay.pay(invoice, "0.4", { status: "Settled" });
    await payments.poll();
  });
  expect(await see(payments, id)).toMatchObject({ state: "credited" });
  expect(got).toBe(usd("48"));
});

test.each(["0.5000000", "0.500000000", "5E-1", "0.50000000000"])(
  "an amount that is told as %s is read",
  async (value) => {
    const { id, invoice } = await asked();
    btcpay.pay(invoice, value, { status: "Settled" });
    await payments.poll();
    expect(await see(payments, id)).toMatchObject({ state: "credited", credited: usd("40") });
  },
);

test("a payment whose amount cannot be read waits alone", async () => {
  const [bad, good] = [await asked(), await asked()];
  const riddle = btcpay.pay(bad.invoice, "half a coin", { status: "Settled" });
  btcpay.pay(good.invoice, "0.5", { status: "Settled" });
  await payments.poll();
  expect(await see(payments, good.id)).toMatchObject({ state: "credited" });
  later(terms.ltc.lockSeconds + graceSeconds + 100);
  await payments.poll();
  expect(await see(payments, bad.id)).toMatchObject({ state: "awaiting" });
  Object.assign(riddle, { value: "0.5" });
  later(61);
  await payments.poll();
  expect(await see(payments, bad.id)).toMatchObject({ state: "credited" });
});

test("two payments of one transaction are two, and one without a number of its output is one", async () => {
  const { id, invoice } = await asked();
  const got = await earned(async () => {
    for (const [name, value] of Object.entries({ "f00d-0": "0.25", "f00d-1": "0.2", beef: "0.25" }))
      btcpay.pay(invoice, value, { id: name, status: "Settled" });
    await payments.poll();
  });
  expect(got).toBe(usd("56"));
  expect((await see(payments, id)).transfers.map(({ txid }) => txid).toSorted()).toEqual([
    "beef",
    "f00d",
    "f00d",
  ]);
});

test("what was double spent after it was seen is gone, and what came instead is credited", async () => {
  const { id, invoice } = await asked();
  const got = await earned(async () => {
    const first = btcpay.pay(invoice, "0.5");
    await payments.poll();
    first.status = "Invalid";
    await payments.poll();
    expect(await see(payments, id)).toMatchObject({ state: "awaiting", transfers: [{ status: "gone" }] });
    btcpay.pay(invoice, "0.5", { status: "Settled" });
    await payments.poll();
  });
  expect(got).toBe(usd("40"));
});

test("while it is out of order nothing is sold, and the buyer is told so", async () => {
  const before = (await payments.list()).length;
  btcpay.refusal = 503;
  expect(await payments.create({ userId: buyer, currency: "ltc", usd: usd("5") })).toBe("wallet");
  btcpay.refusal = undefined;
  later(61);
  btcpay.losesAnswers = true;
  expect(await payments.create({ userId: buyer, currency: "ltc", usd: usd("5") })).toBe("wallet");
  btcpay.losesAnswers = false;
  later(61);
  expect(await payments.list()).toHaveLength(before);
  // The invoice whose answer was lost stays unpaid; the next one is another.
  const { id } = await asked();
  expect((await see(payments, id)).address).toBe(btcpay.invoices.at(-1)?.destination);
});

test("a method that its store has not set up sells nothing, and does not keep the others from being read", async () => {
  const both = open({ ltc: "LTC-CHAIN", eth: "ETH-CHAIN" });
  const { invoice, id } = await asked(both);
  for (let tries = 0; tries < 3; tries++)
    expect(await both.create({ userId: buyer, currency: "eth", usd: usd("5") })).toBe("wallet");
  btcpay.pay(invoice, "0.5", { status: "Settled" });
  await both.poll();
  expect(await see(both, id)).toMatchObject({ state: "credited" });
  expect(lines.some((line) => line.includes("ETH-CHAIN is not set up"))).toBe(true);
});

test("while it cannot be read or is behind its chain nothing expires, and what came meanwhile came in time", async () => {
  const [first, second] = [await asked(), await asked()];
  btcpay.refusal = 502;
  const payment = btcpay.pay(first.invoice, "0.5");
  later(terms.ltc.lockSeconds + graceSeconds + 3600);
  await expect(payments.poll()).rejects.toThrow("502");
  btcpay.refusal = undefined;
  btcpay.isSynchronising = true;
  later(61);
  await expect(payments.poll()).rejects.toThrow("LTC-CHAIN is not synchronised there");
  for (const { id } of [first, second]) expect((await see(payments, id)).state).toBe("awaiting");
  btcpay.isSynchronising = false;
  payment.status = "Settled";
  later(61);
  expect(await earned(() => payments.poll())).toBe(usd("40"));
  expect((await see(payments, first.id)).state).toBe("credited");
  expect((await see(payments, second.id)).state).toBe("expired");
  expect(await payments.history(first.id)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        what: "credited",
        detail: expect.not.objectContaining({ isLate: true }) as unknown,
      }),
    ]),
  );
});

test("an invoice that it does not know any more expires no payment and keeps no other from its credit", async () => {
  const [lost, other] = [await asked(), await asked()];
  const index = btcpay.invoices.findIndex(({ id }) => id === lost.invoice);
  const [taken] = btcpay.invoices.splice(index, 1);
  btcpay.pay(other.invoice, "0.5", { status: "Settled" });
  later(terms.ltc.lockSeconds + graceSeconds + 60);
  expect(await earned(() => payments.poll())).toBe(usd("40"));
  expect((await see(payments, lost.id)).state).toBe("awaiting");
  if (taken) btcpay.invoices.push(taken);
  // A failed payment is due again in a minute.
  later(60);
  await payments.poll();
  expect((await see(payments, lost.id)).state).toBe("expired");
});

test("old addresses are looked at in rounds, and what comes there late is credited", async () => {
  const { id, invoice } = await asked();
  later(terms.ltc.lockSeconds + 2 * 3600);
  await payments.poll();
  expect((await see(payments, id)).state).toBe("expired");
  later(8 * 24 * 3600);
  await payments.poll();
  const questions = btcpay.asked.length;
  await payments.poll();
  expect(btcpay.asked.slice(questions).filter((one) => one.includes(invoice))).toEqual([]);
  btcpay.pay(invoice, "0.5", { status: "Settled" });
  later(6 * 3600);
  expect(await earned(() => payments.poll())).toBe(usd("40"));
});

test("an address that another payment has had is refused, whatever became of that payment, and the log says so", async () => {
  const { id, invoice } = await asked();
  btcpay.pay(invoice, "0.5", { status: "Settled" });
  await payments.poll();
  btcpay.pool = (await see(payments, id)).address;
  lines.length = 0;
  const count = (await payments.list()).length;
  const again = () => payments.create({ userId: buyer + 1n, currency: "ltc", usd: usd("40") });
  expect(await Promise.all([again(), again()])).toEqual(["wallet", "wallet"]);
  expect(await payments.list()).toHaveLength(count);
  expect(lines.join("")).toContain("an address was given that another payment has had");
  // Of two that are given one fresh address at the same moment one gets it.
  btcpay.pool = "ltc1qnever";
  const outcomes = await Promise.all([again(), again()]);
  expect(outcomes.filter((outcome) => outcome === "wallet")).toHaveLength(1);
});

test("the same amount of a transaction at an invoice is credited once, whatever number the server gives it", async () => {
  const { id, invoice } = await asked();
  const txid = "b".repeat(64);
  const got = await earned(async () => {
    const payment = btcpay.pay(invoice, "0.5", { status: "Settled", id: `${txid}-0` });
    await payments.poll();
    Object.assign(payment, { id: `${txid}-1` });
    later(61);
    await payments.poll();
    btcpay.pay(invoice, "0.5", { status: "Settled", id: `${txid}-2` });
    later(61);
    await payments.poll();
  });
  expect(got).toBe(usd("40"));
  expect(await see(payments, id)).toMatchObject({ state: "credited", transfers: { length: 1 } });
});

test("the key is in no message, and the invoices are in the list of what was given", async () => {
  const other = open();
  btcpay.refusal = 401;
  expect(await other.create({ userId: buyer, currency: "ltc", usd: usd("5") })).toBe("wallet");
  expect(lines.join("")).toContain("it answers 401");
  expect(lines.join("")).not.toContain(btcpay.apiKey);
  expect(readFileSync(path, "utf8")).toContain(`,${btcpay.invoices.at(-1)?.destination}\n`);
});

test("whatever is paid in whatever order is credited once, when it is settled", async () => {
  const event = fc.record({
    which: fc.nat({ max: 3 }),
    what: fc.constantFrom("pay", "settle", "fail", "look", "outage" as const),
    // A dollar or more: what is less waits for more (payments.state.test.ts).
    units: fc.integer({ min: 1_250_000, max: 100_000_000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 14 }), async (events) => {
      // The account has never paid: its open payments of the runs before are over.
      later(3 * 3600);
      const { id, invoice } = await asked();
      const paid: ReturnType<BtcpayServer["pay"]>[] = [];
      for (const { which, what, units } of events) {
        const payment = paid[which % Math.max(1, paid.length)];
        if (what === "pay")
          paid.push(
            btcpay.pay(invoice, `${Math.floor(units / 1e8)}.${String(units % 1e8).padStart(8, "0")}`),
          );
        if (payment?.status === "Processing" && what === "settle") payment.status = "Settled";
        if (payment?.status === "Processing" && what === "fail") payment.status = "Invalid";
        if (what === "look") await payments.poll();
        if (what === "outage") {
          btcpay.refusal = 503;
          await expect(payments.poll()).rejects.toThrow("503");
          btcpay.refusal = undefined;
          later(61);
        }
      }
      await payments.poll();
      await payments.poll();
      const settled = paid.filter(({ status }) => status === "Settled").map(({ value }) => value);
      const { transfers, state } = await see(payments, id);
      const credited = transfers.filter(({ status }) => status === "credited");
      // More than the whole sum again after the credit waits for the operator.
      if (state === "review") expect(credited.length).toBeLessThan(settled.length);
      else expect(credited).toHaveLength(state === "credited" ? settled.length : 0);
      expect(await broken(payments)).toEqual([]);
    }),
    { numRuns: 8 },
  );
});

test("a signed call turns the page without waiting for the poll; others and repeated ones do nothing", async () => {
  const server = await openBtcpayServer();
  onTestFinished(() => server.close());
  const secret = "3pvZ8WbYhE6dJmQk";
  const settings = {
    BTCPAY_URL: `${server.url}/`,
    BTCPAY_API_KEY: server.apiKey,
    BTCPAY_STORE_ID: server.storeId,
    BTCPAY_CURRENCIES: "ltc=LTC-CHAIN",
    BTCPAY_WEBHOOK_SECRET: secret,
  };
  const first = await startShop();
  onTestFinished(() => first.stop());
  // The worker that polls has no BTCPay Server, and this one does not poll.
  const shop = await startShop({ ...settings, ROLES: "web", RATES: "fixed:ltc=80" }, first);
  onTestFinished(() => shop.stop());
  const token = await first.member();
  const { id } = await shop.get("/payments/create", { token, wallet: "ltc", amount: "40" });
  const [invoice] = server.invoices;
  server.pay(invoice?.id ?? "", "0.5", { status: "Settled" });
  const status = async () =>
    (await shop.get("/payments/status", { token, id: String(id) }))["payment_status"];
  const body = JSON.stringify({
    type: "InvoicePaymentSettled",
    invoiceId: invoice?.id,
    storeId: server.storeId,
  });
  const call = async (headers: Record<string, string>) => {
    const init = { method: "POST", headers: { "content-type": "application/json", ...headers }, body };
    return (await fetch(`${shop.url}/api/btcpay/webhook`, init)).status;
  };
  expect(await call({})).toBe(401);
  expect(await call({ "btcpay-sig": signature("another secret", body) })).toBe(401);
  expect(await status()).toBe(0);
  const right = { "btcpay-sig": signature(secret, body) };
  expect(await call(right)).toBe(200);
  expect(await status()).toBe(1);
  expect(await Promise.all([call(right), call(right), call(right)])).toEqual([200, 200, 200]);
  const { data } = await shop.get("/user/information", { token });
  expect(Number((data as { balance: string | number }).balance)).toBe(40);
  server.refusal = 503;
  expect(await call(right)).toBe(503);
});

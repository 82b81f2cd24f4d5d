// Payments of one shop, on the sandbox and on a chain in memory, with a manual clock.
import { onTestFinished } from "vitest";
import type { CurrencyId } from "../../src/contract/currencies.ts";
import { secondsAfter } from "../../src/server/platform/clock.ts";
import { createLog } from "../../src/server/platform/log.ts";
import { usd } from "../../src/server/platform/money.ts";
import { type FakeChain, openFakeChain } from "./fakeChain.ts";
import { openSandbox } from "../../src/server/payments/networks/sandbox.ts";
import { openPayments, type Payments } from "../../src/server/payments/payments.ts";
import { type Rates, sandboxRates } from "../../src/server/payments/rates/rates.ts";
import { createDatabase } from "./database.ts";

/** The user of the payments. */
export const buyer = 7n;

/** Opens payments on their own database: `real` uses `chain`, `sandbox` the sandbox. */
export async function openTill(options: { rates?: Rates; ttlSeconds?: number } = {}) {
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
      log: createLog("silent"),
      clock,
    });
  const later = (seconds: number) => (now = secondsAfter(now, seconds));
  return { db, chain, sandbox: open("sandbox"), real: open("chain"), later, clock };
}

export async function ask(payments: Payments, currency: CurrencyId = "erc", dollars = "100", userId = buyer) {
  const created = await payments.create({ userId, currency, usd: usd(dollars) });
  if (typeof created === "string") throw new Error(`not created: ${created}`);
  return created.id;
}

export async function see(payments: Payments, id: bigint) {
  const view = await payments.status({ userId: buyer, id });
  if (typeof view === "string") throw new Error(view);
  return view;
}

export const broken = async (payments: Payments) =>
  (await payments.audit()).filter(({ bad }) => bad.length > 0);

export async function settle(chain: FakeChain, payments: Payments) {
  chain.mine(3);
  await payments.poll();
}

// A shop on a real chain of Ethereum's kind, with a clock that can advance.
import { onTestFinished, vi } from "vitest";
import * as clocks from "../../src/server/platform/clock.ts";
import { createLog } from "../../src/server/platform/log.ts";
import { type Usd, usd } from "../../src/server/platform/money.ts";
import * as ledger from "../../src/server/ledger/ledger.ts";
import { openEvm } from "../../src/server/payments/networks/evm/evm.ts";
import type { Token } from "../../src/server/payments/networks/identity.ts";
import { openPayments, type Payments } from "../../src/server/payments/payments.ts";
import { fixedRates } from "../../src/server/payments/rates/rates.ts";
import { openWallet } from "../../src/server/payments/wallets/wallets.ts";
import { createDatabase } from "./database.ts";
import { confirmations, type EvmChain, evmWallet, type Kind } from "./evmchain.ts";
import { ask, buyer, see } from "./till.ts";

interface Options {
  readonly urls?: string[];
  readonly id?: number;
  readonly ttlSeconds?: number;
  /** Replaces the default tokens. */
  readonly tokens?: readonly Token[];
  readonly isNew?: boolean;
  /** The chain says what is final, and not a number of blocks. */
  readonly asksFinal?: boolean;
  /** Collects the lines of the log. */
  readonly lines?: string[];
}

export async function openEvmTill(chain: EvmChain, { name, other }: Kind, options: Options = {}) {
  const { db, drop } = await createDatabase();
  onTestFinished(drop);
  let ahead = 0;
  const clock = () => clocks.secondsAfter(clocks.now(), ahead);
  const prices = { eth: usd("2000"), bnb: usd("500"), usdt: usd("1") };
  const { lines } = options;
  const log = lines
    ? createLog("warn", { write: (line: string) => void lines.push(line) })
    : createLog("silent");
  const wallet = openWallet("evm", evmWallet(), { demo: false });
  const open = (which: Kind["name"]) => {
    const { urls = [chain.url], id = chain.chainId } = options;
    const contracts = { USDT: chain.dollars[which] };
    const config = {
      urls,
      id,
      contracts,
      confirmations: options.asksFinal ? undefined : confirmations,
      pollSeconds: 1,
    };
    return openEvm({ config, wallet, log, clock, ...(options.tokens && { tokens: options.tokens }) }, which);
  };
  const rates = fixedRates({});
  const now = (id: string) => (id === "eth" ? prices.eth : id === "bep20" ? prices.bnb : prices.usdt);
  const rateOf = (id: string) => Promise.resolve({ usd: now(id), source: "test" });
  const openShop = (...networks: ReturnType<typeof open>[]) =>
    openPayments({ db, networks, rates: { ...rates, rateOf }, ttlSeconds: options.ttlSeconds, log, clock });
  const network = open(name);
  const payments = openShop(network);
  // The chain was polled before the first payment.
  if (!options.isNew) await payments.poll();
  return {
    db,
    network,
    payments,
    prices: prices as Record<string, Usd>,
    again: () => openShop(open(name)),
    withOther: () => openShop(network, open(other)),
    later: (seconds: number) => (ahead += seconds),
    balance: () => ledger.balance(db, buyer),
    pass: async (blocks: number, shop: Payments = payments) => {
      await chain.mine(blocks);
      await shop.poll();
    },
    settle: async (shop: Payments = payments) => {
      await chain.mine(confirmations);
      await shop.poll();
    },
  };
}

export async function askEvm(payments: Payments, currency: Kind["coin" | "token"], dollars = "100") {
  // The shop first asks the chain for used addresses.
  await vi.waitFor(
    async () => {
      const one = (await payments.currencies()).find((view) => view.currency.id === currency);
      if (one?.why !== undefined) throw new Error(`${currency} is not on sale: ${one.why}`);
    },
    { timeout: 60_000, interval: 100 },
  );
  const id = await ask(payments, currency, dollars);
  return { id, address: (await see(payments, id)).address };
}

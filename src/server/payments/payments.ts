// Top-ups: what a user is asked to pay, and how it stands. The chains are watched by payments.watcher.ts.
import { currencies, type CurrencyId } from "../../contract/currencies.ts";
import * as clocks from "../kit/clock.ts";
import { attempt, type Db } from "../kit/db.ts";
import { every } from "../kit/every.ts";
import type { Log } from "../kit/log.ts";
import type { Usd } from "../kit/money.ts";
import * as journal from "../journal/journal.ts";
import type { Network } from "./networks/network.ts";
import { openSandbox, paidTo, pay } from "./networks/sandbox.ts";
import { enough, type State, wireStatus } from "./payments.judge.ts";
import { fixedRates, type Rates, sandboxRates } from "./payments.rates.ts";
import * as rows from "./payments.sql.ts";
import { currencyOf, dueFor, readCoins, sandboxLockSeconds, showCoins, terms } from "./payments.terms.ts";
import { pass, type Watch } from "./payments.watcher.ts";

export type { Invariant } from "./payments.sql.ts";
export type { State } from "./payments.judge.ts";
export type { Network } from "./networks/network.ts";
export type { Rates } from "./payments.rates.ts";

/** A payment as people see it; amounts of coins are decimal texts. */
export interface PaymentView {
  readonly id: bigint;
  readonly userId: bigint;
  readonly state: State;
  /** 0 pending, 1 confirmed, -1 rejected (spec B §4). */
  readonly status: -1 | 0 | 1;
  readonly currency: CurrencyId;
  readonly currencyName: string;
  readonly network: string;
  /** Exactly what is to be paid. */
  readonly currencyAmount: string;
  readonly address: string;
  readonly usd: Usd;
  readonly received: string;
  /** "0" once enough came. */
  readonly missing: string;
  readonly credited: Usd;
  readonly isSandbox: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Which payments to list: all, or those of a user or in some states, older than the id `before`. */
export interface Filter {
  readonly userId?: bigint;
  readonly states?: readonly State[];
  readonly before?: bigint;
  readonly size?: number;
}

export interface Payments {
  /**
   * Asks a user for a payment of so many dollars: its own address, the exact amount at a locked rate.
   * "wallet": the currency is not on sale. "limit": he has too many that wait already.
   */
  create(asked: {
    userId: bigint;
    currency: string;
    usd: Usd;
  }): Promise<{ id: bigint } | "wallet" | "no rate" | "limit">;
  /** How a user's own payment stands. */
  status(asked: { userId: bigint; id: bigint }): Promise<PaymentView | "no payment">;
  /**
   * Plays the payer of a sandbox payment: pays what is missing, or so many `coins`, and answers how the payment stands
   * after that. `by` is written into the journal: "operator", or "user 17" for an administrator.
   */
  confirm(
    id: bigint,
    by: string,
    coins?: string,
  ): Promise<PaymentView | "no payment" | "not sandbox" | "payment closed" | "amount">;
  /** Payments, the newest first. */
  list(filter?: Filter): Promise<PaymentView[]>;
  /** What happened to a payment, in order. */
  history(id: bigint): Promise<{ at: Date; what: string; detail: unknown }[]>;
  /** Currencies that have a chain and a rate now. */
  currenciesOnSale(): Promise<CurrencyId[]>;
  /** What must hold of payments, with what breaks it. */
  audit(): Promise<rows.Invariant[]>;
  /** Reads every network once and settles what follows; the loops do it by themselves. */
  look(): Promise<void>;
  /** Starts a loop for each network; answers how to end them. */
  watch(): { stop(): Promise<void> };
}

interface Opened {
  readonly db: Db;
  readonly networks: readonly Network[];
  readonly rates: Rates;
  /** Replaces the life of every payment; undefined: by coin. */
  readonly ttlSeconds?: number | undefined;
  readonly log: Log;
  readonly clock?: () => Date;
}

// Each payment uses up an address of the wallet for ever, so one user cannot ask for them without end.
const awaitingMax = 50;

const listSize = 50;

/** Opens the payments on a database, with the chains and rates that are configured. */
export function openPayments(opened: Opened): Payments {
  const { db, networks, rates, log } = opened;
  const clock = opened.clock ?? clocks.now;
  const watch: Watch = { db, rates, log, clock };
  const settle = async (network: Network, signal = new AbortController().signal) => {
    // Another pass may have read the chain just before the transfer was there: then this one has to read again.
    for (let tries = 0; tries < 10; tries++) if (await pass(watch, network, signal)) return;
  };
  return {
    create: (asked) => create({ ...opened, clock }, asked),
    status: async ({ userId, id }) => {
      const row = await rows.selectPayment(db, id);
      return row?.userId === userId ? viewOf(row) : "no payment";
    },
    confirm: async (id, by, coins) => {
      const paid = await payInSandbox(watch, networks, { id, by, coins });
      if (typeof paid === "string") return paid;
      await settle(paid.network);
      const row = await rows.selectPayment(db, id);
      return row ? viewOf(row) : "no payment";
    },
    list: async ({ userId, states, before, size } = {}) => {
      const filter = { userId: userId ?? null, before: before ?? null, size: size ?? listSize };
      return (await rows.selectPayments(db, { ...filter, states: states ? [...states] : null })).map(viewOf);
    },
    history: (id) => rows.selectEvents(db, id),
    currenciesOnSale: () => onSale(networks, rates),
    audit: () => rows.selectInvariants(db),
    look: async () => {
      for (const network of networks) await settle(network);
    },
    watch: () => {
      const jobs = networks.map((network) =>
        every({
          name: `payments ${network.name}`,
          seconds: network.pollSeconds,
          db,
          log,
          work: async (signal) => void (await pass(watch, network, signal)),
        }),
      );
      return { stop: async () => void (await Promise.all(jobs.map((job) => job.stop()))) };
    },
  };
}

/** The chains that the settings name; with no wallet at all a demonstration gets the sandbox (run-contract.md). */
export function openNetworks(
  db: Db,
  config: { demo: boolean; wallets: Readonly<Record<string, unknown>> },
  clock: () => Date = clocks.now,
): Network[] {
  const hasWallet = Object.values(config.wallets).some((wallet) => wallet !== undefined);
  return config.demo && !hasWallet ? [openSandbox(db, clock)] : [];
}

/** The rates that the settings name. The sandbox has its own, so that it works without the internet. */
export function openRates(
  config: { rates: { source: "live" } | { source: "fixed"; usd: Readonly<Record<string, string>> } },
  networks: readonly Network[],
): Rates {
  const table = config.rates.source === "fixed" ? config.rates.usd : {};
  return networks.some((network) => network.isSandbox) ? sandboxRates(table) : fixedRates(table);
}

async function create(
  { db, networks, rates, ttlSeconds, log, clock }: Opened & { clock: () => Date },
  asked: { userId: bigint; currency: string; usd: Usd },
): Promise<{ id: bigint } | "wallet" | "no rate" | "limit"> {
  const currency = currencyOf(asked.currency);
  const network = currency && networks.find((one) => one.currencies.includes(currency.id));
  if (!currency || !network) return "wallet";
  const now = clock();
  if ((await rows.countAwaiting(db, asked.userId, now)).count >= awaitingMax) return "limit";
  const rate = await rates.rateOf(currency.id);
  if (!rate) return "no rate";
  // A number that is taken and then not used leaves a gap, which is better than an address given twice.
  const { index } = await rows.takeIndex(db, network.family);
  const place = await network.address(currency.id, index);
  const lockSeconds = network.isSandbox ? sandboxLockSeconds : terms[currency.id].lockSeconds;
  const payment = {
    ...asked,
    ...place,
    chain: network.name,
    due: dueFor(asked.usd, rate.usd, currency),
    rate: rate.usd,
    rateSource: rate.source,
    family: network.family,
    index,
    createdAt: now,
    expiresAt: clocks.secondsAfter(now, ttlSeconds ?? lockSeconds),
  };
  const { id } = await rows.insertPayment(db, payment);
  log.info(
    { payment: String(id), user: String(asked.userId), currency: currency.id },
    "a payment was asked for",
  );
  return { id };
}

/** Decides under the payment's lock how much is missing, so that two who confirm at once pay it once. */
async function payInSandbox(
  { db, clock }: Watch,
  networks: readonly Network[],
  { id, by, coins }: { id: bigint; by: string; coins: string | undefined },
): Promise<{ network: Network } | "no payment" | "not sandbox" | "payment closed" | "amount"> {
  return attempt(db, async (tx) => {
    const payment = await rows.lockPayment(tx, id);
    if (!payment) return "no payment";
    const network = networks.find((one) => one.name === payment.chain);
    if (!network?.isSandbox) return "not sandbox";
    const now = clock();
    const isOpen = payment.state === "awaiting" || payment.state === "underpaid";
    const missing = payment.due - (await paidTo(tx, payment.canonical));
    if (!isOpen || missing <= 0n || now >= payment.expiresAt) return "payment closed";
    const currency = payment.currency as CurrencyId;
    const amount = coins === undefined ? missing : readCoins(coins, currency);
    if (amount === undefined || amount === 0n) return "amount";
    await pay(tx, { address: payment.canonical, currency, amount, at: now, by });
    const after = { paid: showCoins(amount, currency), currency };
    await journal.note(tx, { by, did: "payments confirm", about: `payment ${id}`, after });
    return { network };
  });
}

async function onSale(networks: readonly Network[], rates: Rates): Promise<CurrencyId[]> {
  const served = currencies.filter(({ id }) => networks.some((network) => network.currencies.includes(id)));
  const priced = await Promise.all(served.map(async ({ id }) => ((await rates.rateOf(id)) ? [id] : [])));
  return priced.flat();
}

function viewOf(row: rows.PaymentRow): PaymentView {
  const currency = currencyOf(row.currency);
  if (!currency) throw new Error(`the payment ${row.id} is in ${row.currency}, which is no currency`);
  const isEnough = row.received >= enough(row.due);
  return {
    id: row.id,
    userId: row.userId,
    state: row.state,
    status: wireStatus[row.state],
    currency: currency.id,
    currencyName: currency.name,
    network: currency.network,
    currencyAmount: showCoins(row.due, currency.id, currency.decimals),
    address: row.address,
    usd: row.usd as Usd,
    received: showCoins(row.received, currency.id),
    missing: isEnough ? "0" : showCoins(row.due - row.received, currency.id),
    credited: row.credited as Usd,
    isSandbox: row.chain === "sandbox",
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
  };
}

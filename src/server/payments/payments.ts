// Top-ups: what a user is asked to pay, and how it stands. The chains are watched by payments.watcher.ts.
import { join } from "node:path";
import type { Invariant } from "../../contract/audit.ts";
import { currencies, type Currency, type CurrencyId } from "../../contract/currencies.ts";
import { pageSize, topUpMinDollars } from "../../contract/limits.ts";
import * as clocks from "../kit/clock.ts";
import { attempt, type Db } from "../kit/db.ts";
import { every } from "../kit/scheduler.ts";
import { type Config, resolveSecret } from "../kit/config.ts";
import type { Log } from "../kit/log.ts";
import { showUsd, type Usd, usd } from "../kit/money.ts";
import { createSeal, type Seal } from "../kit/seal.ts";
import * as journal from "../journal/journal.ts";
import type { Network } from "./networks/network.ts";
import { NodeTrouble } from "./networks/nodes.ts";
import { openNetworks } from "./networks/networks.ts";
import { identitiesOf, mainIdentities, type Identities } from "./networks/identity.ts";
import { paidTo, pay } from "./networks/sandbox.ts";
import { selectInvariants } from "./payments.audit.sql.ts";
import { decide, type Decision, type NotDecided } from "./payments.decide.ts";
import { type Given, openGiven } from "./payments.given.ts";
import { noteFailure } from "./payments.health.ts";
import { openOperatorView, type OperatorView } from "./payments.operator.ts";
import type { State } from "./payments.judge.ts";
import { type Numbers, openNumbers } from "./payments.numbers.ts";
import { openRates } from "./payments.rates.live.ts";
import type { Rates } from "./payments.rates.ts";
import { countPayments, selectOwnPayments } from "./payments.own.sql.ts";
import * as rows from "./payments.sql.ts";
import { currencyOf, dueFor, readCoins, sandboxLockSeconds, showCoins, terms } from "./payments.terms.ts";
import { detailOf, type PaymentDetail, type PaymentView, viewOf } from "./payments.views.ts";
import type { Watch } from "./payments.settling.ts";
import { pass } from "./payments.watcher.ts";

export type { State } from "./payments.judge.ts";
export type { Network } from "./networks/network.ts";
export { missingFor, walletOf } from "./networks/networks.ts";
export { checkWallet } from "./wallets/wallets.ts";
export { skipNumbers } from "./payments.numbers.ts";
export type { Rates, RateView, SourceView } from "./payments.rates.ts";
export type { Decision, NotDecided } from "./payments.decide.ts";
export type { ChainHealth } from "./payments.health.ts";
export type { ChainView, ReportedPayment } from "./payments.operator.ts";
export type { PaymentDetail, PaymentView } from "./payments.views.ts";
export { currencyOf, showCoins } from "./payments.terms.ts";

/** A currency, from how many dollars it can be paid in, and why it cannot now. */
export interface CurrencyView {
  readonly currency: Currency;
  readonly min: Usd;
  readonly why: "wallet" | "no rate" | undefined;
}

/** The outcome of asking for a payment. */
export type Created = { id: bigint } | "wallet" | "amount" | "no rate" | "limit";

/** Which payments to list: all, or those of a user or in some states, older than the id `before`. */
export interface Filter {
  readonly userId?: bigint;
  readonly states?: readonly State[];
  readonly before?: bigint;
  readonly size?: number;
}

export interface Payments extends OperatorView {
  /**
   * Asks a user for a payment of so many dollars: its own address, the exact amount at a locked rate.
   * "wallet": the currency is not on sale. "amount": it is less than `leastOf` it. "limit": he has too many that
   * wait already.
   */
  create(asked: { userId: bigint; currency: string; usd: Usd }): Promise<Created>;
  /** Page `page` (from 1) of ten of a user's own payments, the newest first. */
  own(userId: bigint, page: number): Promise<{ payments: PaymentView[]; pages: number; nextPage: boolean }>;
  /** How a user's own payment stands. */
  status(asked: { userId: bigint; id: bigint }): Promise<PaymentDetail | "no payment">;
  /**
   * Plays the payer of a sandbox payment: pays what is missing, or so many `coins`, and answers how the payment stands
   * after that. `by` is written into the journal: "operator", or "user 17" for an administrator.
   */
  confirm(
    id: bigint,
    by: string,
    coins?: string,
  ): Promise<PaymentDetail | "no payment" | "not sandbox" | "payment closed" | "amount">;
  /** Decides about a payment that is under review, or ended without a credit. Answers how it stands after that. */
  decide(id: bigint, decision: Decision): Promise<PaymentDetail | NotDecided>;
  /** Payments, the newest first. */
  list(filter?: Filter): Promise<PaymentView[]>;
  /** What happened to a payment, in order. */
  history(id: bigint): Promise<{ at: Date; what: string; detail: unknown }[]>;
  /** From how many dollars a currency is taken. */
  leastOf(currency: string): Usd;
  /** Every currency: on sale are those that have a chain and a rate now. */
  currencies(): Promise<CurrencyView[]>;
  /** What coins cost, and who says so. */
  readonly rates: Rates;
  /** What must hold of payments, with what breaks it. */
  audit(): Promise<Invariant[]>;
  /** Reads every network once, or the named one, and settles what follows; the loops do it by themselves. */
  look(name?: Network["name"]): Promise<void>;
  /** Starts a loop for each network and one for the rates; answers how to end them. */
  watch(): { stop(): Promise<void> };
}

type Minimums = Readonly<Partial<Record<string, string>>>;

interface Opened {
  readonly db: Db;
  readonly networks: readonly Network[];
  readonly rates: Rates;
  /** Where every address is listed that was given away; undefined: nowhere. */
  readonly given?: Given;
  /** Chain ids and token contracts, for the links that open a wallet; undefined: the main networks'. */
  readonly identities?: Identities;
  /** Replaces the life of every payment; undefined: by coin. */
  readonly ttlSeconds?: number | undefined;
  /** From how many dollars a currency is taken, where that is more than the dollar that everyone is taken from. */
  readonly minimums?: Minimums | undefined;
  readonly log: Log;
  readonly clock?: () => Date;
  /** Wallets that pay are noted with it, as a mark of who was credited. */
  readonly seal?: () => Seal;
}

// Each payment uses up an address of the wallet for ever, so one user cannot ask for them without end.
const awaitingMax = 50;

const listSize = 50;

// After a start the chains are asked which addresses were used: a buyer waits for that, a list says what is on sale now.
const buyerPatienceSeconds = 20;
const listPatienceSeconds = 1;

/** Opens the payments on a database, with the chains and rates that are configured. */
export function openPayments(opened: Opened): Payments {
  const { db, networks, rates, log } = opened;
  const clock = opened.clock ?? clocks.now;
  const watch: Watch = { db, rates, log, clock, seal: opened.seal };
  const numbers = openNumbers({ db, networks, given: opened.given, log, clock });
  const settle = async (network: Network, signal = new AbortController().signal) => {
    // Another pass may have read the chain just before the transfer was there: then this one has to read again.
    for (let tries = 0; tries < 10; tries++) if (await pass(watch, network, signal)) return;
  };
  const detailed = async (id: bigint): Promise<PaymentDetail | undefined> => {
    const row = await rows.selectPayment(db, id);
    return row && detailOf(row, await rows.selectTransfers(db, id), opened.identities ?? mainIdentities);
  };
  return {
    create: (asked) => create({ ...opened, clock, numbers }, asked),
    status: async ({ userId, id }) => {
      const detail = await detailed(id);
      return detail?.userId === userId ? detail : "no payment";
    },
    own: async (userId, page) => {
      const [{ count }, listed] = await Promise.all([
        countPayments(db, userId),
        selectOwnPayments(db, userId, { offset: (page - 1) * pageSize, size: pageSize }),
      ]);
      const pages = Math.ceil(count / pageSize);
      return { payments: listed.map(viewOf), pages, nextPage: page < pages };
    },
    confirm: async (id, by, coins) => {
      const paid = await payInSandbox(watch, networks, { id, by, coins });
      if (typeof paid === "string") return paid;
      await settle(paid.network);
      return (await detailed(id)) ?? "no payment";
    },
    decide: async (id, decision) => {
      const decided = await decide(watch, id, decision);
      return decided === "decided" ? ((await detailed(id)) ?? "no payment") : decided;
    },
    list: async ({ userId, states, before, size } = {}) => {
      const filter = { userId: userId ?? null, before: before ?? null, size: size ?? listSize };
      return (await rows.selectPayments(db, { ...filter, states: states ? [...states] : null })).map(viewOf);
    },
    history: (id) => rows.selectEvents(db, id),
    currencies: () => Promise.all(currencies.map((currency) => standing(currency, { ...opened, numbers }))),
    leastOf: (currency) => leastOf(currency, opened.minimums),
    rates,
    audit: () => selectInvariants(db),
    ...openOperatorView(watch, networks),
    look: async (name) => {
      for (const network of networks) if (name === undefined || network.name === name) await settle(network);
    },
    watch: () => startLoops(watch, networks),
  };
}

// Often enough that two sources out of four stay fresh although the others fail.
const ratesSeconds = 30;

/** Each runs once across all processes. */
function startLoops(watch: Watch, networks: readonly Network[]): { stop(): Promise<void> } {
  const { db, log, rates } = watch;
  const jobs = networks.map((network) =>
    every({
      name: `payments ${network.name}`,
      seconds: network.pollSeconds,
      db,
      log,
      work: (signal) => readOnce(watch, network, signal),
    }),
  );
  if (rates.isLive) {
    const job = every({ name: "rates", seconds: ratesSeconds, db, log, work: rates.poll });
    // A shop that has just been set up has none yet, and nobody can pay until it has.
    job.now().catch((fault: unknown) => log.error({ err: fault, job: "rates" }, "a job failed"));
    jobs.push(job);
  }
  return { stop: async () => void (await Promise.all(jobs.map((job) => job.stop()))) };
}

async function readOnce(watch: Watch, network: Network, signal: AbortSignal): Promise<void> {
  try {
    await pass(watch, network, signal);
  } catch (fault) {
    if (signal.aborted) throw fault;
    await noteFailure(watch, network, fault);
  }
}

/** The payments of the settings: their chains, their rates. Throws ConfigError when a wallet is wrong. */
export function paymentsOf({ db, config, log }: { db: Db; config: Config; log: Log }): Payments {
  const networks = openNetworks({ db, config, log });
  const { chains, paymentMinimums: minimums, paymentTtlSeconds: ttlSeconds } = config;
  const rates = openRates({ db, config: config.rates, networks, log });
  const given = openGiven(join(config.dataDir, "addresses.csv"));
  const seal = () => createSeal(resolveSecret(config));
  const identities = identitiesOf(chains);
  return openPayments({ db, networks, rates, given, identities, minimums, ttlSeconds, log, seal });
}

async function create(
  {
    db,
    networks,
    rates,
    ttlSeconds,
    minimums,
    log,
    clock,
    numbers,
  }: Opened & { clock: () => Date; numbers: Numbers },
  asked: { userId: bigint; currency: string; usd: Usd },
): Promise<Created> {
  const currency = currencyOf(asked.currency);
  const network = currency && networks.find((one) => one.currencies.includes(currency.id));
  if (!currency || !network || !(await numbers.isReady(network, buyerPatienceSeconds))) return "wallet";
  if (asked.usd < leastOf(currency.id, minimums)) return "amount";
  const now = clock();
  if ((await rows.countAwaiting(db, asked.userId, now)).count >= awaitingMax) return "limit";
  const rate = await rates.rateOf(currency.id);
  if (!rate) return "no rate";
  // A number that is taken and then not used leaves a gap, which is better than an address given twice.
  const place = await numbers.take(network, currency.id, asked.usd).catch((fault: unknown) => {
    if (!(fault instanceof NodeTrouble)) throw fault;
    log.warn({ currency: currency.id, why: fault.message }, "no address could be had: nothing was sold");
    return undefined;
  });
  if (!place) return "wallet";
  const lockSeconds = network.isSandbox ? sandboxLockSeconds : terms[currency.id].lockSeconds;
  const payment = {
    ...asked,
    ...place,
    chain: network.name,
    due: dueFor(asked.usd, rate.usd, currency),
    rate: rate.usd,
    rateSource: rate.source,
    family: network.family,
    createdAt: now,
    expiresAt: clocks.secondsAfter(now, ttlSeconds ?? lockSeconds),
  };
  const { id } = await rows.insertPayment(db, payment, {
    due: showCoins(payment.due, currency.id),
    currency: currency.id,
    dollars: showUsd(asked.usd),
    rate: showUsd(rate.usd),
    source: rate.source,
  });
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

async function standing(
  currency: Currency,
  { networks, numbers, rates, minimums }: Opened & { numbers: Numbers },
): Promise<CurrencyView> {
  const network = networks.find((one) => one.currencies.includes(currency.id));
  const isServed = network !== undefined && (await numbers.isReady(network, listPatienceSeconds));
  const why = !isServed ? "wallet" : (await rates.rateOf(currency.id)) ? undefined : "no rate";
  return { currency, min: leastOf(currency.id, minimums), why };
}

const leastOf = (id: string, minimums: Minimums = {}) => usd(minimums[id] ?? String(topUpMinDollars));

// Top-ups: what a user must pay, and the state of it. payments.watcher.ts watches the chains.
import { join } from "node:path";
import type { Invariant } from "../../contract/office/audit.ts";
import { currencies, type Currency, type CurrencyId } from "../../contract/currencies.ts";
import { pageSize, topUpMinDollars } from "../../contract/limits.ts";
import * as clocks from "../platform/clock.ts";
import { attempt, type Db, type Sql } from "../platform/db/db.ts";
import { schedule } from "../platform/jobs/scheduler.ts";
import type { Config } from "../platform/config/config.ts";
import type { Log } from "../platform/log.ts";
import { type Usd, usd } from "../platform/money.ts";
import type { Seal } from "../platform/seal.ts";
import { sealOf } from "../platform/secret-key.ts";
import * as journal from "../journal/journal.ts";
import type { Network } from "./networks/network.ts";
import { type Fees, openFees } from "./networks/fees.ts";
import { openNetworks } from "./networks/networks.ts";
import { identitiesOf, mainIdentities, type Identities } from "./networks/identity.ts";
import { paidTo, pay } from "./networks/sandbox.ts";
import { selectInvariants } from "./payments.audit.sql.ts";
import { create, type Created } from "./payments.create.ts";
import { askForCredit, decide, drop, type Decision, type NotDecided } from "./payments.decide.ts";
import { type IssuedAddresses, openIssuedAddresses } from "./addresses/issued.ts";
import { noteFailure } from "./payments.health.ts";
import { longerFrom, secondsOf } from "./payments.finality.ts";
import { openOperatorView, type OperatorView } from "./payments.operator.ts";
import type { State } from "./payments.state.ts";
import { type AddressIndexes, openAddressIndexes } from "./addresses/indexes.ts";
import { openPayouts, type Payouts } from "./payouts/payouts.ts";
import { openRates } from "./rates/rates.live.ts";
import type { Rates } from "./rates/rates.ts";
import { selectPayments } from "./payments.operator.sql.ts";
import { countPayments, type OwnFilter, selectOwnPayments, selectPaymentsOf } from "./payments.own.sql.ts";
import * as rows from "./payments.sql.ts";
import { readCoins, showCoins } from "./payments.terms.ts";
import { detailOf, type PaymentDetail, type PaymentView, viewOf } from "./payments.views.ts";
import type { Watch } from "./payments.crediting.ts";
import { pass } from "./payments.watcher.ts";
import { isReconciled } from "./reconciling/reconcile.ts";
import { type Reconciled, reconcileNow, takeTurn, turnSeconds } from "./reconciling/rounds.ts";

export type { State } from "./payments.state.ts";
export { stateCounts } from "./payments.crediting.ts";
export type { Network } from "./networks/network.ts";
export { pay as payInSandbox } from "./networks/sandbox.ts";
export { missingFor, walletOf } from "./networks/networks.ts";
export { checkWallet } from "./wallets/wallets.ts";
export { skipIndexes } from "./addresses/indexes.ts";
export type { Rates, RateView, SourceView } from "./rates/rates.ts";
export type { Decision, NotDecided } from "./payments.decide.ts";
export type { ChainHealth } from "./payments.health.ts";
export type { ChainView, ReportedPayment } from "./payments.operator.ts";
export { listedOnWire, onWire, type PaymentDetail, type PaymentView } from "./payments.views.ts";
export type { Reconciled } from "./reconciling/rounds.ts";
export { isOutage, type Payouts, type Verdict } from "./payouts/payouts.ts";
export { nameCoins, showCoins } from "./payments.terms.ts";

export interface CurrencyView {
  readonly currency: Currency;
  readonly min: Usd;
  readonly why: "wallet" | "no rate" | undefined;
  /** What a transfer usually costs its sender, and how long until it is credited, where that is known. */
  readonly fee: Usd | undefined;
  readonly seconds: number | undefined;
  /** From so many dollars on it takes longer. */
  readonly larger: readonly { readonly from: Usd; readonly seconds: number }[];
}

export interface Filter {
  readonly userId?: bigint;
  readonly states?: readonly State[];
  /** The address of the payment, or a transaction that came to it. */
  readonly place?: string | undefined;
  readonly before?: bigint;
  readonly size?: number;
}

export interface Payments extends OperatorView {
  /** Asks for a payment at a locked rate. "wallet": not on sale. "amount": below `leastOf`. "limit": too many unpaid payments. */
  create(wanted: { userId: bigint; currency: string; usd: Usd }): Promise<Created>;
  own(
    userId: bigint,
    page: number,
    filter?: OwnFilter,
  ): Promise<{ payments: PaymentView[]; pages: number; nextPage: boolean; found: number }>;
  status(query: { userId: bigint; id: bigint }): Promise<PaymentDetail | "no payment">;
  /** Pays a sandbox payment: `coins`, or what is missing. `by` goes into the journal: "operator", or "user 17". */
  confirm(
    id: bigint,
    by: string,
    coins?: string,
  ): Promise<PaymentDetail | "no payment" | "not sandbox" | "payment closed" | "amount">;
  /** Has what came credited in the next seconds, though it is less than was asked. A second call does nothing more. */
  creditReceived(query: {
    userId: bigint;
    id: bigint;
  }): Promise<PaymentDetail | "no payment" | "nothing to credit">;
  /** The buyer will not pay it, or with `undo` will. "payment closed": something came, or its time is up. */
  drop(query: {
    userId: bigint;
    id: bigint;
    undo: boolean;
  }): Promise<PaymentDetail | "no payment" | "payment closed">;
  /** Decides about a payment in review, or ended without a credit. Returns its state after that. */
  decide(id: bigint, decision: Decision): Promise<PaymentDetail | NotDecided>;
  list(filter?: Filter): Promise<PaymentView[]>;
  history(id: bigint): Promise<{ at: Date; what: string; detail: unknown }[]>;
  leastOf(currency: string): Usd;
  /** On sale are the currencies with a chain and a rate now. */
  currencies(): Promise<CurrencyView[]>;
  readonly rates: Rates;
  readonly payouts: Payouts;
  /** Checks what payments promise; of top-ups in the ledger those after a transfer, when it is named. */
  audit(since?: { transferId: bigint }): Promise<Invariant[]>;
  /** Reads every network once, or the named one, and credits what follows; `watch` does it in loops. */
  poll(name?: Network["name"]): Promise<void>;
  /** Compares the balance of every address ever given with its recorded transfers, chain by chain. */
  reconcile(): Promise<Reconciled[]>;
  watch(): { stop(): Promise<void> };
}

type Minimums = Readonly<Partial<Record<string, string>>>;

interface Opened {
  readonly db: Db;
  readonly networks: readonly Network[];
  readonly rates: Rates;
  /** Where issued addresses are listed; undefined: nowhere. */
  readonly issued?: IssuedAddresses;
  /** Chain ids and token contracts for wallet links; undefined: those of the main networks. */
  readonly identities?: Identities;
  /** Replaces the lifetime of every payment; undefined: by coin. */
  readonly ttlSeconds?: number | undefined;
  readonly minimums?: Minimums | undefined;
  readonly log: Log;
  readonly clock?: () => Date;
  /** Hashes the wallets that pay, as identifiers of the credited users. */
  readonly seal?: () => Seal;
}

const listSize = 50;

// A buyer waits longer for it than a list (payments.create.ts).
const listPatienceSeconds = 1;

export function openPayments(opened: Opened): Payments {
  const { db, networks, rates, log, identities = mainIdentities } = opened;
  const clock = opened.clock ?? clocks.now;
  const watch: Watch = { db, rates, log, clock, lateChains: new Map(), seal: opened.seal };
  const indexes = openAddressIndexes({ db, networks, issued: opened.issued, log, clock });
  const fees = openFees({ rates, log, clock });
  const pollNetwork = async (network: Network, signal = new AbortController().signal) => {
    // Another pass may have read the chain just before the transfer was there: then this one reads again.
    for (let tries = 0; tries < 10; tries++) if (await pass(watch, network, signal)) return;
  };
  const detailed = async (id: bigint): Promise<PaymentDetail | undefined> => {
    const row = await rows.selectPayment(db, id);
    const transfers = row && (await rows.selectTransfers(db, id));
    return transfers && detailOf(row, transfers, { identities, networks, now: clock() });
  };
  return {
    create: (wanted) =>
      create({ ...opened, clock, indexes, leastOf: (id) => leastOf(id, opened.minimums) }, wanted),
    status: async ({ userId, id }) => {
      const detail = await detailed(id);
      return detail?.userId === userId ? detail : "no payment";
    },
    own: (userId, page, filter) => listOwn(db, userId, page, filter),
    confirm: async (id, by, coins) => {
      const paid = await payInSandbox(watch, networks, { id, by, coins });
      if (typeof paid === "string") return paid;
      await pollNetwork(paid.network);
      return (await detailed(id)) ?? "no payment";
    },
    creditReceived: async (query) => {
      const outcome = await askForCredit(watch, query);
      return outcome === "asked" ? ((await detailed(query.id)) ?? "no payment") : outcome;
    },
    drop: async (query) => {
      const outcome = await drop(watch, query);
      return outcome === "done" ? ((await detailed(query.id)) ?? "no payment") : outcome;
    },
    decide: async (id, decision) => {
      const decided = await decide(watch, id, decision);
      return decided === "decided" ? ((await detailed(id)) ?? "no payment") : decided;
    },
    list: async ({ userId, states, place = null, before, size } = {}) => {
      const filter = { userId: userId ?? null, place, before: before ?? null, size: size ?? listSize };
      return (await selectPayments(db, { ...filter, states: states ? [...states] : null })).map(viewOf);
    },
    history: (id) => rows.selectEvents(db, id),
    currencies: () =>
      Promise.all(currencies.map((currency) => standing(currency, { ...opened, indexes, fees }))),
    leastOf: (currency) => leastOf(currency, opened.minimums),
    rates,
    payouts: openPayouts({ db, networks, rates }),
    audit: (since) => selectInvariants(db, since?.transferId ?? 0n),
    ...openOperatorView(watch, networks),
    poll: async (name) => {
      for (const network of networks)
        if (name === undefined || network.name === name) await pollNetwork(network);
    },
    reconcile: () => reconcileNow(watch, networks),
    watch: () => startLoops(watch, networks),
  };
}

// Keeps two sources out of four fresh even when the others fail.
const ratesSeconds = 30;

function startLoops(watch: Watch, networks: readonly Network[]): { stop(): Promise<void> } {
  const { db, log, rates } = watch;
  const jobs = networks.map((network) =>
    schedule({
      name: `payments ${network.name}`,
      seconds: network.pollSeconds,
      db,
      log,
      work: (signal) => readOnce(watch, network, signal),
    }),
  );
  for (const network of networks.filter(isReconciled))
    jobs.push(
      schedule({
        name: `reconcile ${network.name}`,
        seconds: turnSeconds,
        db,
        log,
        work: (signal) => takeTurn(watch, network, signal),
      }),
    );
  if (rates.isLive) {
    const job = schedule({ name: "rates", seconds: ratesSeconds, db, log, work: rates.poll });
    // A new shop has no rates yet, and sells nothing until it has.
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

/** Opens the payments of the settings. Throws ConfigError when a wallet is wrong. */
export function paymentsOf({
  db,
  config,
  log,
  clock = clocks.now,
}: {
  db: Db;
  config: Config;
  log: Log;
  clock?: () => Date;
}): Payments {
  const networks = openNetworks({ db, config, log, clock });
  const { chains, paymentMinimums: minimums, paymentTtlSeconds: ttlSeconds } = config;
  const rates = openRates({ db, config: config.rates, networks, log });
  const issued = openIssuedAddresses(join(config.dataDir, "addresses.csv"));
  const seal = () => sealOf(config);
  const identities = identitiesOf(chains);
  return openPayments({ db, networks, rates, issued, identities, minimums, ttlSeconds, log, clock, seal });
}

async function listOwn(db: Db, userId: bigint, page: number, filter: OwnFilter = {}) {
  const [{ count: found }, listed] = await Promise.all([
    countPayments(db, userId, filter),
    selectOwnPayments(db, userId, { ...filter, offset: (page - 1) * pageSize, size: pageSize }),
  ]);
  const pages = Math.ceil(found / pageSize);
  return { payments: listed.map(viewOf), pages, nextPage: page < pages, found };
}

/** Computes the missing sum under the payment's lock, so that two confirmations at once pay it once. */
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
    const missing = payment.due - (await paidTo(tx, payment.currency, payment.canonical));
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

/** The payments of top-ups, by the keys of their transfers in the ledger. */
export async function paymentsOfTransfers(sql: Sql, keys: string[]): Promise<ReadonlyMap<string, bigint>> {
  if (keys.length === 0) return new Map();
  return new Map((await selectPaymentsOf(sql, keys)).map(({ key, paymentId }) => [key, paymentId]));
}

async function standing(
  currency: Currency,
  { networks, indexes, rates, minimums, fees }: Opened & { indexes: AddressIndexes; fees: Fees },
): Promise<CurrencyView> {
  const network = networks.find((one) => one.currencies.includes(currency.id));
  const isServed = network !== undefined && (await indexes.isReady(network, listPatienceSeconds));
  const rate = isServed ? await rates.rateOf(currency.id) : undefined;
  const why = !isServed ? "wallet" : rate ? undefined : "no rate";
  const fee = why === undefined && network ? await fees(network, currency.id) : undefined;
  const min = leastOf(currency.id, minimums);
  const seconds = network && secondsOf(network, usd("0"));
  const larger = network ? longerFrom(network, currency.id, rate?.usd) : [];
  return { currency, min, why, fee, seconds, larger };
}

const leastOf = (id: string, minimums: Minimums = {}) => usd(minimums[id] ?? String(topUpMinDollars));

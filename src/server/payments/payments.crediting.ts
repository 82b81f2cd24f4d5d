import type { CurrencyId } from "../../contract/currencies.ts";
import { paymentStates } from "../../contract/payments.ts";
import { stepOf } from "../events/events.ts";
import { attempt, type Db, type Tx } from "../platform/db/db.ts";
import { Counts } from "../platform/counts.ts";
import type { Log } from "../platform/log.ts";
import { showUsd, type Usd } from "../platform/money.ts";
import type { Seal } from "../platform/seal.ts";
import * as ledger from "../ledger/ledger.ts";
import { noteIdentifiers } from "../users/users.ts";
import type { ChainTransfer, Network } from "./networks/network.ts";
import {
  type Payment,
  cameAtOf,
  isLate,
  nextState,
  type Seen,
  type State,
  type NextState,
  wireStatus,
} from "./payments.state.ts";
import type { Rates } from "./rates/rates.ts";
import * as rows from "./payments.sql.ts";
import { isDust, showCoins, worth } from "./payments.terms.ts";

/** How many payments came to each state. */
export const stateCounts = new Counts<State>(paymentStates);

export interface Watch {
  readonly db: Db;
  readonly rates: Rates;
  readonly log: Log;
  readonly clock: () => Date;
  /** How old the newest blocks are of the chains that fail for that alone. */
  readonly lateChains: Map<string, number>;
  /** Hashes the wallet that paid, as an identifier of the user. */
  readonly seal?: (() => Seal) | undefined;
}

/** Computes and stores the next state of a payment; `currencies` are those that came to it, `cameBack` as in `Payment`. */
export async function creditDue(
  watch: Watch,
  due: rows.PaymentRow,
  { currencies, cameBack }: { currencies: ReadonlySet<string>; cameBack: boolean },
): Promise<void> {
  const { db, clock, log } = watch;
  const rate = await watch.rates.rateOf(due.currency as CurrencyId);
  const present = new Map<string, Usd | undefined>();
  for (const currency of currencies)
    if (currency !== due.currency)
      present.set(currency, (await watch.rates.rateOf(currency as CurrencyId))?.usd);
  const news = await attempt(db, async (tx) => {
    const payment = await rows.lockPayment(tx, due.id);
    if (!payment) return undefined;
    const now = clock();
    const transfers = await rows.selectTransfers(tx, due.id);
    const isPriced = ({ currency }: rows.TransferRow) => currency === due.currency || present.has(currency);
    // Another coin came meanwhile: the next pass knows its rate.
    if (!transfers.every(isPriced)) return undefined;
    const current = { ...paymentOf(payment), cameBack };
    const seen = transfers.map((row) => ({ ...seenOf(row), worth: worthAt(row, present.get(row.currency)) }));
    const next = nextState(current, seen, rate?.usd, now);
    const credit = await carryOut(tx, watch, { payment, transfers, next });
    if (next.state === payment.state && credit === 0n) return undefined;
    const detail = {
      ...tellOf(payment, next, transfers, credit),
      ...(credit > 0n ? { locked: showUsd(payment.rate) } : {}),
      ...(credit > 0n && rate ? { present: showUsd(rate.usd) } : {}),
    };
    await rows.insertEvent(tx, { paymentId: due.id, at: now, what: next.state, detail });
    return { state: next.state, isMoved: next.state !== payment.state, detail };
  });
  if (!news) return;
  if (news.isMoved) stateCounts.add(news.state);
  const level = news.state === "review" || news.detail.isLate || news.detail.isSurplus ? "warn" : "info";
  log[level]({ payment: String(due.id), ...news.detail }, `a payment is ${news.state}`);
}

const worthAt = ({ amount, currency }: rows.TransferRow, rate: Usd | undefined) =>
  rate === undefined ? undefined : worth(amount, rate, currency as CurrencyId);

/** Credits what the next state gives and stores the state. Returns what was credited. */
export async function carryOut(
  tx: Tx,
  { clock, seal }: Pick<Watch, "clock" | "seal">,
  follows: {
    payment: rows.PaymentRow;
    transfers: readonly rows.TransferRow[];
    next: Pick<NextState, "state" | "credits" | "dueAt">;
  },
): Promise<Usd> {
  const { payment, transfers, next } = follows;
  const { id, userId } = payment;
  for (const { key, usd } of next.credits) {
    const row = transfers.find((transfer) => keyOf(transfer) === key);
    if (!row) throw new Error(`the judge credits ${key}, which the payment ${id} does not have`);
    await rows.setCredited(tx, row, usd);
    if (usd === 0n) continue;
    // A repeat is no fault: the ledger already had this transfer, and its row was behind.
    await ledger.credit(tx, { userId, amount: usd, gateway: row.chain, idempotencyKey: key });
    if (seal && row.sender !== null)
      await noteIdentifiers(tx, seal(), userId, { wallet: row.sender }, clock());
  }
  const credit = next.credits.reduce((all, { usd }) => all + usd, 0n) as Usd;
  await rows.updateState(tx, id, { state: next.state, dueAt: next.dueAt, credit });
  if (next.state !== payment.state || credit > 0n) await tell(tx, [{ id, userId, state: next.state }]);
  return credit;
}

/** Records transfers of a chain once each. Returns their payments, to those of which something is new. */
export async function keepTransfers(
  { db, clock, log }: Watch,
  network: Pick<Network, "name" | "family">,
  transfers: readonly ChainTransfer[],
): Promise<bigint[]> {
  const kept = await attempt(db, async (tx) => {
    const addresses = transfers.map(({ address }) => address);
    await rows.lockPaymentsAt(tx, { family: network.family, chain: network.name }, addresses, null);
    return keepSeen(tx, network.family, transfers, clock());
  });
  tellSeen(log, network.name, kept);
  return kept;
}

/** The same within a transaction that has locked the payments. */
export async function keepSeen(
  tx: Tx,
  family: string,
  transfers: readonly ChainTransfer[],
  now: Date,
): Promise<bigint[]> {
  const news: bigint[] = [];
  for (const seen of transfers) {
    if (isDust(seen.amount, seen.currency)) continue;
    const kept = await rows.keepTransfer(tx, family, rowOf(seen, now));
    if (!kept) continue;
    news.push(kept.paymentId);
    await rows.retractBalance(tx, kept.paymentId, seen);
    const detail = {
      transfer: keyOf(seen),
      amount: showCoins(seen.amount, seen.currency),
      of: seen.currency,
    };
    await rows.insertEvent(tx, { paymentId: kept.paymentId, at: now, what: "seen", detail });
  }
  if (news.length > 0) await noteNews(tx, news, now);
  return news;
}

export function tellSeen(log: Log, chain: string, news: readonly bigint[]): void {
  for (const paymentId of news) log.info({ payment: String(paymentId), chain }, "a transfer was seen");
}

function rowOf(seen: ChainTransfer, at: Date) {
  const { block } = seen;
  return {
    ...seen,
    height: block?.height ?? null,
    hash: block?.hash ?? null,
    blockAt: block?.at ?? null,
    sender: seen.from ?? null,
    at,
  };
}

export async function noteNews(tx: Tx, paymentIds: bigint[], now: Date): Promise<void> {
  await tell(tx, await rows.noteNews(tx, paymentIds, now));
}

const statusOf = { 0: "pending", 1: "confirmed", [-1]: "rejected" } as const;

export async function tell(tx: Tx, payments: { id: bigint; userId: bigint; state: State }[]): Promise<void> {
  await rows.callLogPayments(
    tx,
    payments.map(({ id, userId, state }) => ({ id, userId, status: statusOf[wireStatus[state]] })),
  );
}

export async function tellStep(
  tx: Tx,
  { id, userId, state }: { id: bigint; userId: bigint; state: State },
): Promise<void> {
  await rows.callLogPayments(tx, [{ id, userId, status: stepOf(statusOf[wireStatus[state]]) }]);
}

function tellOf(
  payment: rows.PaymentRow,
  next: NextState,
  transfers: readonly rows.TransferRow[],
  credit: bigint,
) {
  const credited = next.credits.map(({ key }) => key);
  const isLateOne = transfers.some(
    (transfer) => credited.includes(keyOf(transfer)) && isLate(payment, cameAtOf(transfer)),
  );
  return {
    credited: showUsd(credit),
    ...(next.why ? { why: next.why } : {}),
    ...(isLateOne ? { isLate: true } : {}),
    ...(credit > 0n && payment.credited + credit > payment.usd ? { isSurplus: true } : {}),
  };
}

export function paymentOf(payment: rows.PaymentRow): Payment {
  return { ...payment, currency: payment.currency as CurrencyId, usd: payment.usd as Usd };
}

export function seenOf(row: rows.TransferRow): Seen {
  return {
    key: keyOf(row),
    currency: row.currency,
    amount: row.amount,
    cameAt: cameAtOf(row),
    alive: row.alive,
    confirmed: row.confirmedAt !== null,
    disputed: row.disputed !== null,
    decided: row.decidedAt !== null,
    credited: row.usd as Usd | null,
    byBalance: row.byBalance,
  };
}

export const keyOf = ({ chain, txid, index }: rows.TransferKey) => `${chain}:${txid}:${index}`;

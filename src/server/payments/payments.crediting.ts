import type { CurrencyId } from "../../contract/currencies.ts";
import { stepOf } from "../events/events.ts";
import { secondsAfter } from "../platform/clock.ts";
import { attempt, type Db, type Tx } from "../platform/db/db.ts";
import type { Log } from "../platform/log.ts";
import { showUsd, type Usd } from "../platform/money.ts";
import type { Seal } from "../platform/seal.ts";
import * as ledger from "../ledger/ledger.ts";
import { noteIdentifiers } from "../users/users.ts";
import {
  type Asked,
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
import { graceSeconds, showCoins } from "./payments.terms.ts";

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

export async function creditDue(watch: Watch, due: rows.PaymentRow): Promise<void> {
  const { db, clock, log } = watch;
  const rate = await watch.rates.rateOf(due.currency as CurrencyId);
  const news = await attempt(db, async (tx) => {
    const payment = await rows.lockPayment(tx, due.id);
    if (!payment) return undefined;
    const now = clock();
    const transfers = await rows.selectTransfers(tx, due.id);
    const asked = askedOf(payment);
    const next = nextState(asked, transfers.map(seenOf), rate?.usd, now);
    const credit = await carryOut(tx, watch, { payment, transfers, next });
    if (next.state === payment.state && credit === 0n) return undefined;
    const told = {
      ...tellOf(payment, next, transfers, credit),
      ...(credit > 0n ? { locked: showUsd(payment.rate) } : {}),
      ...(credit > 0n && rate ? { present: showUsd(rate.usd) } : {}),
    };
    await rows.insertEvent(tx, { paymentId: due.id, at: now, what: next.state, detail: told });
    return { state: next.state, told };
  });
  if (!news) return;
  const level = news.state === "review" || news.told.isLate || news.told.isSurplus ? "warn" : "info";
  log[level]({ payment: String(due.id), ...news.told }, `a payment is ${news.state}`);
}

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

// A node that hides transfers is asked once a minute and not at each poll.
const askAgainSeconds = 60;
// After so long the transfer will not show by itself: an operator must look.
const unseenSeconds = 60 * 60;

/** Keeps a payment open while its address holds coins without a transfer. */
export async function leaveOpen(watch: Watch, due: rows.PaymentRow, unseen: bigint): Promise<void> {
  const { db, clock, log } = watch;
  const now = clock();
  const isOver = now > secondsAfter(due.expiresAt, graceSeconds + unseenSeconds);
  const first = await rows.selectEvent(db, due.id, "unseen");
  const isNew = first === undefined;
  await attempt(db, async (tx) => {
    const payment = await rows.lockPayment(tx, due.id);
    if (payment?.state !== "awaiting" || payment.received > 0n) return;
    if (isNew) await rows.insertEvent(tx, { paymentId: due.id, at: now, what: "unseen", detail: {} });
    if (!isOver) return void (await rows.postpone(tx, due.id, secondsAfter(now, askAgainSeconds)));
    await rows.insertBalance(tx, payment, unseen, first?.at ?? now);
    await rows.noteNews(tx, [payment.id], now);
    const next = { state: "review", credits: [], dueAt: null } as const;
    await carryOut(tx, watch, { payment, transfers: [], next });
    const amount = showCoins(unseen, due.currency as CurrencyId);
    const detail = { why: "unseen", amount, of: due.currency };
    await rows.insertEvent(tx, { paymentId: due.id, at: now, what: "review", detail });
  });
  const what = isOver ? "it is under review" : "it does not expire yet";
  if (isNew || isOver)
    log.warn(
      { payment: String(due.id) },
      `an unpaid payment has a balance that no transfer tells of; ${what}`,
    );
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

export function askedOf(payment: rows.PaymentRow): Asked {
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

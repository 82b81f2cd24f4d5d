// A loop per network: read, verify, compute states, credit. Passes may overlap safely (compare-and-set cursor, locks).
import { type CurrencyId } from "../../contract/currencies.ts";
import { secondsAfter } from "../platform/clock.ts";
import { attempt } from "../platform/db/db.ts";
import type { ChainTransfer, Network, Reading, WatchClass } from "./networks/network.ts";
import { noteReading } from "./payments.health.ts";
import {
  creditDue,
  keepSeen,
  keyOf,
  noteNews,
  tellSeen,
  tellStep,
  type Watch,
} from "./payments.crediting.ts";
import { needOf, stakeOf } from "./payments.finality.ts";
import * as rows from "./payments.sql.ts";
import { watchDays } from "./payments.terms.ts";
import { compare } from "./reconciling/reconcile.ts";

// Per pass, so that a backlog does not hold one connection for minutes.
const passSize = 500;

// Late and double payments mostly come within the hour: the address stays among the open ones for so long.
const openSeconds = 60 * 60;

/** Reads a network to its tip and credits. False when another pass came between. Throws on trouble; then nothing expired. */
export async function pass(watch: Watch, network: Network, signal: AbortSignal): Promise<boolean> {
  const began = watch.clock();
  for (let isBehind = true; isBehind && !signal.aborted;) {
    const since = (await rows.selectCursor(watch.db, network.name))?.cursor ?? null;
    const reading = await network.transfers(since, (which) => watchedOf(watch, network, which), signal);
    if (!(await store(watch, network, since, reading))) return false;
    await makeSure(watch, network, signal);
    await noteReading(watch, network, reading);
    isBehind = (reading.behind ?? 0n) > 0n;
  }
  await updateDueStates(watch, network, began, signal);
  return true;
}

const day = 24 * 60 * 60;
// A payment lives a week at most (PAYMENT_TTL_S), so older rows cannot have ended lately.
const lifeMaxSeconds = 7 * day;

async function watchedOf(
  { db, clock }: Watch,
  network: Network,
  which: WatchClass | undefined,
): Promise<ReadonlySet<string>> {
  const now = clock();
  const since = {
    created: secondsAfter(now, -(watchDays * day + lifeMaxSeconds)),
    month: secondsAfter(now, -watchDays * day),
    week: secondsAfter(now, -7 * day),
    open: secondsAfter(now, -openSeconds),
  };
  const watched = await rows.selectWatched(db, network.family, since, which ?? null);
  return new Set(watched.map(({ canonical }) => canonical));
}

async function store(
  { db, clock, log }: Watch,
  network: Network,
  since: string | null,
  reading: Reading,
): Promise<boolean> {
  const now = clock();
  const stored = await attempt(db, async (tx) => {
    const { cursor, tip } = reading;
    const move = { chain: network.name, from: since, to: cursor, height: tip.height, at: now };
    if (!(await rows.moveCursor(tx, move))) return "moved";
    const addresses = reading.transfers.map(({ address }) => address);
    const above = reading.reorganisedAbove ?? null;
    if (addresses.length > 0 || above !== null)
      await rows.lockPaymentsAt(tx, { family: network.family, chain: network.name }, addresses, above);
    if (above !== null) await rows.doubtAbove(tx, network.name, above);
    return keepSeen(tx, network.family, reading.transfers, now);
  });
  if (stored === "moved") return false;
  tellSeen(log, network.name, stored);
  return true;
}

/** Verifies transfers that are not final, or in a changed part. Ends at the first trouble, because the nodes rest then. */
async function makeSure(watch: Watch, network: Network, signal: AbortSignal): Promise<void> {
  const { db, clock, log } = watch;
  const unsure = await rows.selectUnsure(db, network.name, clock(), passSize);
  for (const row of unsure) {
    const now = clock();
    try {
      const isSettled = await verify(watch, network, row, signal);
      if (isSettled && row.doubted) await rows.setUndoubted(db, row);
    } catch (fault) {
      if (signal.aborted) throw fault;
      await rows.setVerifyAt(db, row, secondsAfter(now, restOf(row, now)));
      log.warn(
        { err: fault, transfer: keyOf(row) },
        "a transfer could not be verified; it is asked about again",
      );
      return;
    }
    // The backlog exceeds a pass: the rest comes first in the next.
    if (unsure.length === passSize) await rows.setVerifyAt(db, row, now);
  }
}

const restMinSeconds = 60;

/** A tenth of its age: soon again after a short outage, rarely for old transfers. */
const restOf = ({ firstSeen }: rows.TransferRow, now: Date) =>
  Math.max(restMinSeconds, (now.getTime() - firstSeen.getTime()) / 10_000);

/** Asks the chain about a transfer and stores the answer. Returns whether that is settled: final, or gone. */
async function verify(
  watch: Watch,
  network: Network,
  row: rows.TransferRow,
  signal: AbortSignal,
): Promise<boolean> {
  const { came, askedUsd, due } = row;
  // Of another coin than was asked the dollars are not known.
  const stake = came === null ? undefined : stakeOf(network.name, { ...row, usd: askedUsd, due }, came);
  const verified = await network.verify(transferOf(row), needOf(network, stake), signal);
  if (!verified.found) {
    await change(watch, row, "gone", rows.setGone);
    return true;
  }
  if (verified.amount !== row.amount) {
    // Before it is final, the next poll may find it as it was read.
    if (verified.isFinal) await dispute(watch, row, verified.amount);
    return verified.isFinal;
  }
  if (verified.depth) await deepen(watch, row, verified.depth);
  if (verified.isFinal)
    await change(watch, row, "confirmed", (tx, key) => rows.setConfirmed(tx, key, watch.clock()));
  return verified.isFinal;
}

async function dispute(watch: Watch, row: rows.TransferRow, amount: bigint): Promise<void> {
  const news = await change(watch, row, "disputed", (tx, key) => rows.setDisputed(tx, key, amount));
  const detail = { transfer: keyOf(row), read: String(row.amount), verified: String(amount) };
  if (news) watch.log.error(detail, "a chain tells another amount than before; an operator must look");
}

async function deepen(
  { db }: Watch,
  row: rows.TransferRow,
  depth: { now: number; wanted: number },
): Promise<void> {
  // Deeper than wanted is no news.
  const now = Math.min(depth.now, depth.wanted);
  if (now === row.depthNow && depth.wanted === row.depthWanted) return;
  await attempt(db, async (tx) => {
    const payment = await rows.lockPayment(tx, row.paymentId);
    const isNews = payment && (await rows.setDepth(tx, row, { now, wanted: depth.wanted }));
    if (isNews) await tellStep(tx, payment);
  });
}

async function change(
  { db, clock }: Watch,
  row: rows.TransferRow,
  what: "gone" | "confirmed" | "disputed",
  set: typeof rows.setGone,
): Promise<boolean> {
  return attempt(db, async (tx) => {
    const now = clock();
    await rows.lockPayment(tx, row.paymentId);
    const changed = await set(tx, row);
    if (!changed) return false;
    await noteNews(tx, [changed.paymentId], now);
    await rows.insertEvent(tx, { paymentId: row.paymentId, at: now, what, detail: { transfer: keyOf(row) } });
    return true;
  });
}

// Payments that end at once cost minutes of a slow node: reading goes on in between.
const updateMilliseconds = 20_000;

/** Computes the due states. What exceeds the time limit stays due. */
async function updateDueStates(
  watch: Watch,
  network: Network,
  began: Date,
  signal: AbortSignal,
): Promise<void> {
  const end = performance.now() + updateMilliseconds;
  const due = await rows.selectDue(watch.db, network.name, watch.clock(), passSize);
  const atOnce = network.balancesAtOnce ?? 1;
  for (let from = 0; from < due.length; from += atOnce) {
    const some = due.slice(from, from + atOnce);
    const open = await leftOpen(watch, network, some, signal);
    for (const payment of some) {
      if (signal.aborted || performance.now() > end) return;
      if (!open.has(payment.id)) await updateState(watch, network, { due: payment, began }, signal);
    }
  }
}

async function updateState(
  watch: Watch,
  network: Network,
  { due, began }: { due: rows.PaymentRow; began: Date },
  signal: AbortSignal,
): Promise<void> {
  try {
    const came = await verifyAgain(watch, network, { due, began }, signal);
    const currencies = new Set(came.map(({ currency }) => currency));
    const cameBack = await hasComeBack(network, due, came, signal);
    await creditDue(watch, due, { currencies, cameBack });
  } catch (fault) {
    if (!signal.aborted) await rest(watch, [due], fault);
  }
}

/** It is due again in a minute; the others must not wait for it. */
async function rest({ db, clock, log }: Watch, those: readonly rows.PaymentRow[], fault: unknown) {
  for (const { id } of those) await rows.postponeFailed(db, id, secondsAfter(clock(), restMinSeconds));
  const detail = { err: fault, payments: those.map(({ id }) => String(id)) };
  log.error(detail, "the state of payments could not be computed");
}

/** Those that must not end in this pass: their addresses hold more than their transfers explain, or could not be asked about. */
async function leftOpen(
  watch: Watch,
  network: Network,
  due: readonly rows.PaymentRow[],
  signal: AbortSignal,
): Promise<ReadonlySet<bigint>> {
  const now = watch.clock();
  const ending = due.filter(
    ({ state, expiresAt, creditAsked }) =>
      ["awaiting", "underpaid", "confirming"].includes(state) && (creditAsked || now >= expiresAt),
  );
  try {
    const { open, found } = await compare(watch, network, ending, signal);
    if (found.size > 0) await makeSure(watch, network, signal);
    for (const id of open) await rows.postpone(watch.db, id, secondsAfter(now, restMinSeconds));
    return open;
  } catch (fault) {
    if (!signal.aborted) await rest(watch, ending, fault);
    return new Set(ending.map(({ id }) => id));
  }
}

async function verifyAgain(
  watch: Watch,
  network: Network,
  { due, began }: { due: rows.PaymentRow; began: Date },
  signal: AbortSignal,
): Promise<rows.TransferRow[]> {
  const came = await rows.selectTransfers(watch.db, due.id);
  for (const row of came) {
    const { alive, usd, decidedAt, confirmedAt, chain } = row;
    const isForCredit = alive && usd === null && decidedAt === null && chain === network.name;
    if (isForCredit && confirmedAt !== null && confirmedAt < began) await verify(watch, network, row, signal);
  }
  return came;
}

/** Whether more came to a credited address that was emptied, from who had not paid it: exchanges send a sweep back so. */
async function hasComeBack(
  network: Network,
  { state, canonical, currency }: rows.PaymentRow,
  came: readonly rows.TransferRow[],
  signal: AbortSignal,
): Promise<boolean> {
  if (state !== "credited") return false;
  const final = came.filter(({ alive, confirmedAt }) => alive && confirmedAt !== null);
  const ours = final.filter((row) => row.chain === network.name && row.currency === currency);
  const senders = new Set(ours.flatMap(({ usd, sender }) => (usd === null ? [] : [sender])));
  const more = ours.filter(({ usd, decidedAt }) => usd === null && decidedAt === null);
  if (more.every(({ sender }) => sender !== null && senders.has(sender))) return false;
  const [balance] = (await network.balances?.(currency as CurrencyId, [canonical], signal)) ?? [];
  const recorded = ours.reduce((sum, { amount }) => sum + amount, 0n);
  // Fees of the chain take less than a hundredth.
  return balance !== undefined && (recorded - balance) * 100n > recorded;
}

function transferOf(row: rows.TransferRow): ChainTransfer {
  const { blockHeight: height, blockHash: hash, blockAt: at } = row;
  const block = height !== null && hash !== null && at !== null ? { height, hash, at } : null;
  return { ...row, currency: row.currency as CurrencyId, block };
}

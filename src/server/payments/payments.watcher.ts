// One loop for each network: read what is new, keep it with the cursor, make sure of it, judge, credit.
// Only one process at a time does it (kit/every.ts), but nothing relies on that: an administrator who confirms a sandbox
// payment does a pass of his own. The cursor moves by compare-and-set, transfers are kept once, a payment is judged under its lock.
import { type CurrencyId } from "../../contract/currencies.ts";
import { secondsAfter } from "../kit/clock.ts";
import { attempt, type Db, type Tx } from "../kit/db.ts";
import type { Log } from "../kit/log.ts";
import { showUsd, type Usd } from "../kit/money.ts";
import * as ledger from "../ledger/ledger.ts";
import type { ChainTransfer, Network, Reading } from "./networks/network.ts";
import { isLate, judge, type Seen, type State, type Verdict, wireStatus } from "./payments.judge.ts";
import type { Rates } from "./payments.rates.ts";
import * as rows from "./payments.sql.ts";
import { showCoins, watchDays } from "./payments.terms.ts";

/** What a pass works with. */
export interface Watch {
  readonly db: Db;
  readonly rates: Rates;
  readonly log: Log;
  readonly clock: () => Date;
}

// A pass takes so many at most, so that a backlog after an outage does not hold one connection for minutes.
const passSize = 500;

// A node that hides transfers is asked again, and complained of, once a minute and not at each look.
const askAgainSeconds = 60;

/**
 * Reads a network once and settles what follows. False when another pass came between: then its news were stored by
 * that one, which read to at least as far. Throws when the network is in trouble; then nothing has expired.
 */
export async function pass(watch: Watch, network: Network, signal: AbortSignal): Promise<boolean> {
  const since = (await rows.selectCursor(watch.db, network.name))?.cursor ?? null;
  const reading = await network.transfers(since, () => watchedOf(watch, network), signal);
  if (!(await store(watch, network, since, reading))) return false;
  await makeSure(watch, network, reading.reorganisedAbove ?? null, signal);
  await judgeDue(watch, network, signal);
  return true;
}

async function watchedOf({ db, clock }: Watch, network: Network): Promise<ReadonlySet<string>> {
  const since = new Date(clock().getTime() - watchDays * 24 * 60 * 60 * 1000);
  const watched = await rows.selectWatched(db, network.family, since);
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
    if (addresses.length > 0) await rows.lockPaymentsAt(tx, network.family, addresses);
    const news: bigint[] = [];
    for (const seen of reading.transfers) {
      const kept = await rows.keepTransfer(tx, network.family, rowOf(seen, now));
      if (!kept) continue;
      news.push(kept.paymentId);
      const detail = {
        transfer: keyOf(seen),
        amount: showCoins(seen.amount, seen.currency),
        of: seen.currency,
      };
      await rows.insertEvent(tx, { paymentId: kept.paymentId, at: now, what: "seen", detail });
    }
    if (news.length > 0) await noteNews(tx, news, now);
    return news;
  });
  if (stored === "moved") return false;
  for (const paymentId of stored)
    log.info({ payment: String(paymentId), chain: network.name }, "a transfer was seen");
  return true;
}

function rowOf(seen: ChainTransfer, at: Date) {
  const { block } = seen;
  return {
    ...seen,
    height: block?.height ?? null,
    hash: block?.hash ?? null,
    blockAt: block?.at ?? null,
    at,
  };
}

/** Looks again at what is not final, and at what stood where the chain has changed. */
async function makeSure(
  watch: Watch,
  network: Network,
  above: bigint | null,
  signal: AbortSignal,
): Promise<void> {
  for (const row of await rows.selectUnsure(watch.db, network.name, above, passSize)) {
    const said = await network.verify(transferOf(row), signal);
    if (said.found && said.amount !== row.amount) {
      const transfer = { transfer: keyOf(row), chain: row.chain };
      watch.log.error(transfer, "a chain tells another amount than before; the transfer is left out");
    } else if (!said.found) await change(watch, row, "gone", rows.setGone);
    else if (said.isFinal)
      await change(watch, row, "confirmed", (tx, key) => rows.setConfirmed(tx, key, watch.clock()));
  }
}

async function change(
  { db, clock }: Watch,
  row: rows.TransferRow,
  what: "gone" | "confirmed",
  set: typeof rows.setGone,
): Promise<void> {
  await attempt(db, async (tx) => {
    const now = clock();
    await rows.lockPayment(tx, row.paymentId);
    const changed = await set(tx, row);
    if (!changed) return;
    await noteNews(tx, [changed.paymentId], now);
    await rows.insertEvent(tx, { paymentId: row.paymentId, at: now, what, detail: { transfer: keyOf(row) } });
  });
}

async function judgeDue(watch: Watch, network: Network, signal: AbortSignal): Promise<void> {
  for (const due of await rows.selectDue(watch.db, network.name, watch.clock(), passSize)) {
    if (signal.aborted) return;
    try {
      if (await isUnseen(network, due, signal)) {
        await rows.postpone(watch.db, due.id, secondsAfter(watch.clock(), askAgainSeconds));
        watch.log.warn(
          { payment: String(due.id) },
          "an unpaid payment has a balance; it does not expire yet",
        );
      } else await judgeOne(watch, due.id);
    } catch (fault) {
      // It stays due, so the next pass takes it up again; the others must not wait for it.
      watch.log.error({ err: fault, payment: String(due.id) }, "a payment could not be judged");
    }
  }
}

/** Whether something lies at the address of a payment that shows nothing: a node may have kept it from us. */
async function isUnseen(network: Network, due: rows.PaymentRow, signal: AbortSignal): Promise<boolean> {
  if (due.state !== "awaiting" || due.received > 0n || !network.balance) return false;
  return (await network.balance(due.currency as CurrencyId, due.canonical, signal)) > 0n;
}

async function judgeOne(watch: Watch, id: bigint): Promise<void> {
  const { db, clock, log } = watch;
  const news = await attempt(db, async (tx) => {
    const payment = await rows.lockPayment(tx, id);
    if (!payment) return undefined;
    const now = clock();
    const transfers = await rows.selectTransfers(tx, id);
    const asked = { ...payment, currency: payment.currency as CurrencyId, usd: payment.usd as Usd };
    const rate = await watch.rates.rateOf(asked.currency);
    const verdict = judge(asked, transfers.map(seenOf), rate?.usd, now);
    for (const { key, usd } of verdict.credits) {
      const row = transfers.find((transfer) => keyOf(transfer) === key);
      if (!row) throw new Error(`the judge credits ${key}, which the payment ${id} does not have`);
      await rows.setCredited(tx, row, usd);
      if (usd === 0n) continue;
      const { userId } = payment;
      // A repeat is no fault: the ledger had this transfer already, and now its row says so too.
      await ledger.credit(tx, { userId, amount: usd, gateway: row.chain, idempotencyKey: key });
    }
    const credit = verdict.credits.reduce((all, { usd }) => all + usd, 0n);
    await rows.updateJudged(tx, id, { state: verdict.state, judgeAt: verdict.judgeAt, credit });
    const isNews = verdict.state !== payment.state || credit > 0n;
    if (!isNews) return undefined;
    await tell(tx, [{ id, userId: payment.userId, state: verdict.state }]);
    const told = tellOf(asked, verdict, transfers, credit);
    await rows.insertEvent(tx, { paymentId: id, at: now, what: verdict.state, detail: told });
    return { state: verdict.state, told };
  });
  if (!news) return;
  const level = news.state === "review" || news.told.isLate || news.told.isSurplus ? "warn" : "info";
  log[level]({ payment: String(id), ...news.told }, `a payment is ${news.state}`);
}

async function noteNews(tx: Tx, paymentIds: bigint[], now: Date): Promise<void> {
  await tell(tx, await rows.noteNews(tx, paymentIds, now));
}

const statusOf = { 0: "pending", 1: "confirmed", [-1]: "rejected" } as const;

async function tell(tx: Tx, payments: { id: bigint; userId: bigint; state: State }[]): Promise<void> {
  await rows.callLogPayments(
    tx,
    payments.map(({ id, userId, state }) => ({ id, userId, status: statusOf[wireStatus[state]] })),
  );
}

/** What the operator wants to know of a verdict: late ones and surplus are reported to him (product.md, Payments). */
function tellOf(
  asked: { usd: bigint; expiresAt: Date },
  verdict: Verdict,
  transfers: readonly rows.TransferRow[],
  credit: bigint,
) {
  const credited = verdict.credits.map(({ key }) => key);
  const isLateOne = transfers.some(
    (transfer) => credited.includes(keyOf(transfer)) && isLate(asked, seenOf(transfer).cameAt),
  );
  return {
    credited: showUsd(credit),
    ...(verdict.why ? { why: verdict.why } : {}),
    ...(isLateOne ? { isLate: true } : {}),
    ...(credit > asked.usd ? { isSurplus: true } : {}),
  };
}

function seenOf(row: rows.TransferRow): Seen {
  const { firstSeen, blockAt } = row;
  return {
    key: keyOf(row),
    currency: row.currency,
    amount: row.amount,
    cameAt: blockAt && blockAt > firstSeen ? blockAt : firstSeen,
    alive: row.alive,
    confirmed: row.confirmedAt !== null,
    credited: row.usd as Usd | null,
  };
}

function transferOf(row: rows.TransferRow): ChainTransfer {
  const { blockHeight: height, blockHash: hash, blockAt: at } = row;
  const block = height !== null && hash !== null && at !== null ? { height, hash, at } : null;
  return { ...row, currency: row.currency as CurrencyId, block };
}

const keyOf = ({ chain, txid, index }: rows.TransferKey) => `${chain}:${txid}:${index}`;

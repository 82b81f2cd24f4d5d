// What the operator does with a withdrawal: enters the transaction that paid it, or refuses it. A job looks again at what was not final.
import type { CurrencyId } from "../../contract/currencies.ts";
import * as journal from "../journal/journal.ts";
import { secondsAfter } from "../platform/clock.ts";
import { attempt, type Db, type Tx } from "../platform/db/db.ts";
import { showUsd, usdFromUnits } from "../platform/money.ts";
import type { Seal } from "../platform/seal.ts";
import { isOutage, nameCoins, type Payouts, showCoins, type Verdict } from "../payments/payments.ts";
import { payIn, refuseIn } from "./withdrawals.end.ts";
import * as rows from "./withdrawals.sql.ts";

type Row = rows.WithdrawalRow;

interface Parts {
  readonly db: Db;
  readonly sealOf: () => Promise<Seal>;
  readonly payouts: Payouts;
}

/** Whose act it is, and for the journal. */
interface Acting {
  readonly id: bigint;
  readonly actor: "operator" | bigint;
  readonly by: string;
}

export type Refusing = Acting & { readonly reason: string };
export type NotRefused = "no withdrawal" | "withdrawal decided" | "yourself";
export type NotPaid =
  | NotRefused
  | "transaction"
  | "transaction used"
  | "chain unreachable"
  | Extract<Verdict, "unknown transaction" | "wrong recipient" | "wrong coin">
  | { readonly tooLittle: string; readonly wanted: string };

export interface Paid {
  readonly row: Row;
  readonly state: "sent" | "paid";
  readonly checked: boolean;
}

/** Enters a transaction. "sent": it pays enough and is not final. The same transaction once more answers as before. */
export async function pay(
  parts: Parts,
  { id, actor, by, transaction }: Acting & { readonly transaction: string },
  at: Date,
): Promise<Paid | NotPaid> {
  const { db, payouts, sealOf } = parts;
  const row = await rows.selectOne(db, id);
  if (!row) return "no withdrawal";
  if (row.userId === actor) return "yourself";
  const txid = payouts.transactionOf(row.currency as CurrencyId, transaction);
  if (txid === undefined) return "transaction";
  if (row.state !== "waiting") return again(row, txid);
  const verdict = await lookOr(payouts, row, txid, AbortSignal.timeout(lookMilliseconds));
  const refusal = refusalOf(verdict, row);
  if (refusal !== undefined) return refusal;
  const seal = await sealOf();
  const checked = verdict !== "unwatched";
  return attempt(db, async (tx) => {
    const locked = await rows.lockWithdrawal(tx, id);
    if (!locked) return "no withdrawal";
    if (locked.state !== "waiting") return again(locked, txid);
    if (!(await rows.setSent(tx, { id, txid, by, checked, at }))) return "transaction used";
    const sent: Row = { ...locked, state: "sent", txid, checked, sentBy: by };
    const isPaid = verdict === "final" || verdict === "unwatched";
    const state = isPaid ? ("paid" as const) : ("sent" as const);
    const done = isPaid ? await payIn(tx, seal, sent, at) : sent;
    await note(tx, done, { by, after: { state, transaction: txid, checked } });
    return { row: done, state, checked };
  });
}

// A person waits for it, behind whose call a proxy may end after half a minute.
const lookMilliseconds = 25_000;

/** The operator pressed twice, or two of them entered the same. */
function again(row: Row, txid: string): Paid | "withdrawal decided" {
  const { state, checked } = row;
  if ((state !== "sent" && state !== "paid") || row.txid !== txid) return "withdrawal decided";
  return { row, state, checked };
}

async function lookOr(
  payouts: Payouts,
  row: Row,
  txid: string,
  signal: AbortSignal,
): Promise<Verdict | "chain unreachable"> {
  const { currency, canonical, units, amount } = row;
  const sought = { currency: currency as CurrencyId, txid, canonical, units, usd: usdFromUnits(amount) };
  try {
    return await payouts.look(sought, signal);
  } catch (fault) {
    if (isOutage(fault) || signal.aborted) return "chain unreachable";
    throw fault;
  }
}

function refusalOf(
  verdict: Verdict | "chain unreachable",
  { units, currency }: Row,
): Exclude<NotPaid, NotRefused | "transaction" | "transaction used"> | undefined {
  if (verdict === "unwatched" || verdict === "pending" || verdict === "final") return undefined;
  if (typeof verdict === "string") return verdict;
  const coins = (amount: bigint) => showCoins(amount, currency as CurrencyId);
  return { tooLittle: coins(verdict.tooLittle), wanted: coins(units) };
}

/** Gives the sum back to the earnings and tells who asked why. */
export async function refuse(
  { db, sealOf }: Parts,
  { id, actor, by, reason }: Refusing,
  at: Date,
): Promise<Row | NotRefused> {
  const seal = await sealOf();
  return attempt(db, async (tx) => {
    const row = await rows.lockWithdrawal(tx, id);
    if (!row) return "no withdrawal";
    if (row.userId === actor) return "yourself";
    if (row.state === "refused" && row.reason === reason) return row;
    if (row.state !== "waiting") return "withdrawal decided";
    const refused = await refuseIn(tx, seal, row, reason, at);
    await note(tx, refused, { by, did: "withdrawals refuse", after: { state: "refused" }, reason });
    return refused;
  });
}

// Until then a node may lag, or the transaction waits for a block.
const missingSeconds = 24 * 60 * 60;

/**
 * Looks at each sent transaction. A final one ends its withdrawal; one that pays somebody else, or that no node has shown for a day, has it
 * wait for another transaction. While no node answers nothing is known, and it stays as it is.
 */
export async function lookAtSent(parts: Parts, at: Date, signal: AbortSignal): Promise<void> {
  const { db, payouts } = parts;
  for (const row of await rows.selectSent(db)) {
    if (signal.aborted) return;
    const verdict = await lookOr(payouts, row, row.txid ?? "", signal);
    // A look that was ended says nothing of the chain.
    if (signal.aborted) return;
    const isMissing = verdict === "unknown transaction";
    const isLate = secondsAfter(row.sentAt, missingSeconds) <= at;
    if (verdict === "chain unreachable" || verdict === "pending" || (isMissing && !isLate))
      await rows.setFound(db, row.id, verdict === "pending" ? null : verdict);
    else await decide(parts, row, verdict, at);
  }
}

async function decide({ db, sealOf }: Parts, row: Row, verdict: Verdict, at: Date): Promise<void> {
  const seal = await sealOf();
  await attempt(db, async (tx) => {
    const locked = await rows.lockWithdrawal(tx, row.id);
    // Another process has decided meanwhile.
    if (locked?.state !== "sent" || locked.txid !== row.txid) return undefined;
    const by = locked.sentBy ?? "operator";
    const { txid: transaction } = locked;
    if (verdict === "final" || verdict === "unwatched") {
      const checked = verdict === "final";
      await note(tx, await payIn(tx, seal, locked, at), {
        by,
        after: { state: "paid", transaction, checked },
      });
      return undefined;
    }
    const found = typeof verdict === "string" ? verdict : "too little";
    await rows.setWaiting(tx, row.id, found);
    await note(tx, locked, {
      by,
      before: { state: "sent", transaction },
      after: { state: "waiting", found },
    });
    return undefined;
  });
}

interface Noted {
  readonly by: string;
  readonly did?: "withdrawals pay" | "withdrawals refuse";
  readonly before?: object;
  readonly after: object;
  readonly reason?: string;
}

function note(tx: Tx, { id, userId, amount, units, currency, address }: Row, noted: Noted) {
  const { by, did = "withdrawals pay", before, after, reason } = noted;
  const detail = {
    user: userId,
    amount: showUsd(usdFromUnits(amount)),
    coins: nameCoins(units, currency),
    address,
  };
  return journal.note(tx, {
    by,
    did,
    about: `withdrawal ${id}`,
    ...(before !== undefined && { before }),
    after: { ...detail, ...after },
    reason,
  });
}

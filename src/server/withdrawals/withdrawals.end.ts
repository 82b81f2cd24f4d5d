// How a withdrawal ends: the money leaves the account that holds it once, in the transaction that says so.
import type { Tx } from "../platform/db/db.ts";
import { showUsd, usdFromUnits } from "../platform/money.ts";
import type { Seal } from "../platform/seal.ts";
import * as ledger from "../ledger/ledger.ts";
import { queue } from "../mailer/mailer.ts";
import { nameCoins } from "../payments/payments.ts";
import * as rows from "./withdrawals.sql.ts";

type Row = rows.WithdrawalRow;

/** The caller has locked the row, and it is open. */
async function end(tx: Tx, row: Row, as: "paid" | "refused" | "canceled", at: Date, reason?: string) {
  const { id, userId, book } = row;
  const amount = usdFromUnits(row.amount);
  const to = as === "paid" ? "owner" : "book";
  await ledger.endWithdrawal(tx, { id, userId, book, amount, to, ...(reason !== undefined && { reason }) });
  await rows.setClosed(tx, { id, state: as, reason: reason ?? null, at });
  return { ...row, state: as, reason: reason ?? null, closedAt: at };
}

export const cancelIn = (tx: Tx, row: Row, at: Date): Promise<Row> => end(tx, row, "canceled", at);

/** Cancels all that wait, when the owner says that somebody else was in the account: who asked is not known. */
export async function cancelWaiting(tx: Tx, userId: bigint, at: Date): Promise<void> {
  for (const row of await rows.lockWaiting(tx, userId)) await cancelIn(tx, row, at);
}

export async function payIn(tx: Tx, seal: Seal, row: Row, at: Date): Promise<Row> {
  const paid = await end(tx, row, "paid", at);
  await tell(tx, seal, paid, "withdrawal-paid", { transaction: row.txid ?? "" });
  return paid;
}

export async function refuseIn(tx: Tx, seal: Seal, row: Row, reason: string, at: Date): Promise<Row> {
  const refused = await end(tx, row, "refused", at, reason);
  await tell(tx, seal, refused, "withdrawal-refused", { reason });
  return refused;
}

async function tell(
  tx: Tx,
  seal: Seal,
  { userId, amount, units, currency, address }: Row,
  kind: "withdrawal-paid" | "withdrawal-refused",
  more: { transaction: string } | { reason: string },
): Promise<void> {
  const { email: to, language } = await rows.selectAsker(tx, userId);
  const coins = nameCoins(units, currency);
  const values = { amount: showUsd(usdFromUnits(amount)), coins, address, ...more };
  await queue(tx, seal, { to, kind, language, values }, { userId });
}

// What concerned the security of accounts: kept for ninety days, for their owners and for the operator.
import { securityDays, securitySize } from "../../contract/limits.ts";
import { secondsAfter } from "../platform/clock.ts";
import type { Sql, Tx } from "../platform/db/db.ts";
import * as rows from "./security.sql.ts";

export type { Happened } from "./security.sql.ts";

export async function keep(sql: Sql, happened: rows.Happened): Promise<void> {
  await rows.insertEvent(sql, happened);
}

/** The newest first; `next` where there are more. */
export async function list(
  sql: Sql,
  userId: bigint,
  before?: rows.Mark,
): Promise<{ events: rows.EventRow[]; next: rows.Mark | undefined }> {
  const found = await rows.selectEvents(sql, userId, before, securitySize + 1);
  const events = found.slice(0, securitySize);
  return { events, next: found.length > securitySize ? events.at(-1) : undefined };
}

export const forget = (sql: Sql, at: Date): Promise<number> =>
  rows.deleteEvents(sql, secondsAfter(at, -securityDays * 24 * 60 * 60));

/** What was kept for an account that is closed. */
export const forgetUser = (tx: Tx, userId: bigint) => rows.deleteEventsOf(tx, userId);

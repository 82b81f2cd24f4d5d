import { randomInt, timingSafeEqual } from "node:crypto";
import { codeDigits, codeLifeSeconds, codeResendSeconds, codeTries } from "../../contract/limits.ts";
import { secondsAfter } from "../kit/clock.ts";
import type { Sql, Tx } from "../kit/db.ts";
import type { Seal } from "../kit/seal.ts";
import { type CodePurpose, deleteCode, hasCode, putCode, selectSentAt, tryCode } from "./users.sql.ts";

/**
 * Makes the one living code of a user for a purpose. Answers the code, or the seconds to wait
 * when the last one is less than a minute old; of two that ask at once one waits.
 */
export async function issueCode(
  tx: Tx,
  seal: Seal,
  { userId, purpose }: { userId: bigint; purpose: CodePurpose },
  at: Date,
): Promise<string | number> {
  const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, "0");
  const isNew = await putCode(tx, {
    userId,
    purpose,
    hash: hashOf(seal, userId, purpose, code),
    sentAt: at,
    expiresAt: secondsAfter(at, codeLifeSeconds),
    tries: codeTries,
    resendBefore: secondsAfter(at, -codeResendSeconds),
    resendAfter: secondsAfter(at, codeResendSeconds),
  });
  return isNew ? code : Math.max(1, await secondsToWait(tx, userId, purpose, at));
}

/** Whole seconds until a new code may be sent; 0 when it may be now. */
export async function secondsToWait(
  sql: Sql,
  userId: bigint,
  purpose: CodePurpose,
  at: Date,
): Promise<number> {
  const sent = await selectSentAt(sql, userId, purpose);
  if (!sent || sent.sentAt > secondsAfter(at, codeResendSeconds)) return 0;
  const leftMs = secondsAfter(sent.sentAt, codeResendSeconds).getTime() - at.getTime();
  return Math.max(0, Math.ceil(leftMs / 1000));
}

/**
 * Tries a code and, when it is the right one, uses it up: of two that show it at once one gets "ok". Each try counts,
 * so the transaction must be committed whatever the answer is.
 */
export async function useCode(
  tx: Tx,
  seal: Seal,
  { userId, purpose, code }: { userId: bigint; purpose: CodePurpose; code: string },
  at: Date,
): Promise<"ok" | "invalid code" | "token expired"> {
  const living = await tryCode(tx, userId, purpose, at);
  if (!living) return (await hasCode(tx, userId, purpose)) ? "token expired" : "invalid code";
  if (!timingSafeEqual(living.hash, hashOf(seal, userId, purpose, code))) return "invalid code";
  await deleteCode(tx, userId, purpose);
  return "ok";
}

function hashOf(seal: Seal, userId: bigint, purpose: CodePurpose, code: string): Buffer {
  return seal.hash(`code ${purpose}`, `${userId} ${code}`);
}

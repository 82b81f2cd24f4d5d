import { randomInt, timingSafeEqual } from "node:crypto";
import { codeDigits, codeLifeSeconds, codeResendSeconds, codeTries } from "../../contract/limits.ts";
import { secondsAfter } from "../platform/clock.ts";
import type { Sql, Tx } from "../platform/db/db.ts";
import type { Seal } from "../platform/seal.ts";
import { networkOf } from "../platform/network-address.ts";
import {
  type CodePurpose,
  countTry,
  deleteCode,
  forgetTries,
  hasAsked,
  lockCode,
  noteAsked,
  putCode,
  selectSentAt,
} from "./users.sql.ts";

/** For so long an address from which a code was asked for is taken for its owner's. */
const askedSeconds = 60 * 60;

/**
 * Makes the one living code of a user for a purpose. Answers the code, or the seconds to wait
 * when the last one is less than a minute old; of two that ask at once one waits.
 */
export async function issueCode(
  tx: Tx,
  seal: Seal,
  { userId, purpose, from }: { userId: bigint; purpose: CodePurpose; from: string | undefined },
  at: Date,
): Promise<string | number> {
  const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, "0");
  const isNew = await putCode(tx, {
    userId,
    purpose,
    hash: hashOf(seal, userId, purpose, code),
    sentAt: at,
    expiresAt: secondsAfter(at, codeLifeSeconds),
    resendBefore: secondsAfter(at, -codeResendSeconds),
    resendAfter: secondsAfter(at, codeResendSeconds),
  });
  if (isNew) {
    await forgetTries(tx, userId, purpose);
    if (from !== undefined) await noteAsked(tx, trierOf(seal, { userId, purpose, from }, at), at);
  }
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
 * Tries a code and, when it is the right one, uses it up: of two that show it at once one gets "ok". Tries are counted by network
 * address, so a stranger's leave the owner his own. Each counts, so the transaction must be committed whatever the answer is. A wrong
 * code is told the same whether there is a living one or not.
 */
export async function useCode(
  tx: Tx,
  seal: Seal,
  asked: { userId: bigint; purpose: CodePurpose; code: string; from: string },
  at: Date,
): Promise<"ok" | "invalid code" | "token expired"> {
  const { userId, purpose, code } = asked;
  const sent = await lockCode(tx, userId, purpose);
  if (!sent) return "invalid code";
  const { tries } = await countTry(tx, trierOf(seal, asked, at));
  if (!timingSafeEqual(sent.hash, hashOf(seal, userId, purpose, code))) return "invalid code";
  if (sent.expiresAt <= at || tries > codeTries) return "token expired";
  await deleteCode(tx, userId, purpose);
  return "ok";
}

/** Whether a code of this account was asked for from a network address of late. */
export const askedFrom = (sql: Sql, seal: Seal, userId: bigint, from: string, at: Date): Promise<boolean> =>
  hasAsked(sql, userId, networkHash(seal, from), secondsAfter(at, -askedSeconds));

const networkHash = (seal: Seal, from: string) => seal.hash("code try", networkOf(from));

const trierOf = (
  seal: Seal,
  { userId, purpose, from }: { userId: bigint; purpose: CodePurpose; from: string },
  at: Date,
) => ({ userId, purpose, network: networkHash(seal, from), endsAt: secondsAfter(at, askedSeconds) });

function hashOf(seal: Seal, userId: bigint, purpose: CodePurpose, code: string): Buffer {
  return seal.hash(`code ${purpose}`, `${userId} ${code}`);
}

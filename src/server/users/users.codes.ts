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

const askedSeconds = 60 * 60;

/** Makes the only valid code of a purpose. Returns the code, or the seconds to wait when the last is younger than a minute. */
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

/** Tries a code and uses it up. Tries count per network address. Commit whatever the answer is, else the try does not count. */
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

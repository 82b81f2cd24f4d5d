// Six digits by mail, and a link in the same mail. The digits are guarded by limits of tries, the link by its 128 bits.
import { randomInt, timingSafeEqual } from "node:crypto";
import { customAlphabet } from "nanoid";
import {
  codeDigits,
  codeLifeSeconds,
  codeResendSeconds,
  codeTries,
  linkLetters,
} from "../../contract/limits.ts";
import { secondsAfter } from "../platform/clock.ts";
import type { Sql, Tx } from "../platform/db/db.ts";
import type { Seal } from "../platform/seal.ts";
import { networkOf } from "../platform/network-address.ts";
import { queue } from "../mailer/mailer.ts";
import {
  type CodePurpose,
  countTry,
  deleteCodes,
  hasAsked,
  lockCodes,
  noteAsked,
  putCode,
  selectSentAt,
} from "./users.sql.ts";

export type CodeRefused = "invalid code" | "token expired";

const askedSeconds = 60 * 60;
/** Codes whose digits open: more would make guessing easier. Links of all living ones do. */
const codesMax = 3;

interface Mailed {
  readonly link: string;
  readonly code: string;
}

/** Letters alone: no program takes a run of digits in them for the code. */
export const newLink = customAlphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", linkLetters);

/** Whether what was sent as the code is the secret of a link. */
export const isLink = (code: string): boolean => code.length === linkLetters;

interface Asking {
  readonly userId: bigint;
  readonly purpose: CodePurpose;
  readonly from: string;
  readonly isAtHome: boolean;
  /** The address that the code is for: it opens no other. */
  readonly newEmail?: string;
}

/** Makes a code, which replaces one that the same network asked for. Returns the seconds to wait when the last is younger than a minute. */
async function issueCode(tx: Tx, seal: Seal, asked: Asking, at: Date): Promise<Mailed | number> {
  const { userId, purpose, from, isAtHome, newEmail } = asked;
  const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, "0");
  const link = newLink();
  const isNew = await putCode(tx, {
    userId,
    purpose,
    network: networkHash(seal, from),
    atHome: isAtHome,
    hash: hashOf(seal, userId, purpose, code, newEmail),
    linkHash: hashOf(seal, userId, purpose, link, newEmail),
    sentAt: at,
    expiresAt: secondsAfter(at, codeLifeSeconds),
    resendBefore: secondsAfter(at, -codeResendSeconds),
    resendAfter: secondsAfter(at, codeResendSeconds),
  });
  if (!isNew) return Math.max(1, await secondsToWait(tx, userId, purpose, at));
  await noteAsked(tx, trierOf(seal, asked, at), at);
  return { link, code };
}

/** The same, and mails it. Returns 0, or the seconds to wait. */
export async function sendCode(
  tx: Tx,
  seal: Seal,
  to: Asking & { readonly email: string; readonly language: string },
  at: Date,
): Promise<number> {
  const values = await issueCode(tx, seal, to, at);
  if (typeof values === "number") return values;
  const { userId, email, language, purpose, newEmail } = to;
  // A link would open one address, and both are needed.
  const mailed = newEmail === undefined ? values : { code: values.code, email: newEmail };
  await queue(tx, seal, { to: email, kind: `${purpose}-code`, language, values: mailed }, { userId });
  return 0;
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

export interface Tried {
  readonly userId: bigint;
  readonly purpose: CodePurpose;
  /** The six digits, or the secret of the link. */
  readonly code: string;
  readonly from: string;
  readonly newEmail?: string;
}

/** Tries a code. Wrong digits count per network address, over all living codes: commit whatever the answer is. */
export async function tryCode(
  tx: Tx,
  seal: Seal,
  asked: Tried,
  at: Date,
): Promise<"ok" | "invalid code" | "token expired"> {
  const { userId, purpose, code, newEmail } = asked;
  const codes = await lockCodes(tx, userId, purpose, at);
  const [newest] = codes;
  if (!newest) return "invalid code";
  const hashes = seal.hashes(`code ${purpose}`, textOf(userId, code, newEmail));
  const isKept = (kept: Uint8Array) =>
    hashes.some((hash) => hash !== undefined && timingSafeEqual(kept, hash));
  if (isLink(code)) {
    const linked = codes.find(({ linkHash }) => linkHash !== null && isKept(linkHash));
    if (!linked) return "invalid code";
    return linked.expiresAt > at ? "ok" : "token expired";
  }
  const right = codes.slice(0, codesMax).find((sent) => isKept(sent.hash));
  const { tries } = await countTry(tx, trierOf(seal, asked, at), right !== undefined);
  if (!right) return "invalid code";
  return right.expiresAt > at && tries < codeTries ? "ok" : "token expired";
}

/** Tries a code and uses it up, with all others of its purpose. */
export async function useCode(tx: Tx, seal: Seal, asked: Tried, at: Date): ReturnType<typeof tryCode> {
  const tried = await tryCode(tx, seal, asked, at);
  if (tried === "ok") await deleteCodes(tx, asked.userId, asked.purpose);
  return tried;
}

export const askedFrom = (sql: Sql, seal: Seal, userId: bigint, from: string, at: Date): Promise<boolean> =>
  hasAsked(sql, userId, seal.hashes("code try", networkOf(from)), secondsAfter(at, -askedSeconds));

const networkHash = (seal: Seal, from: string) => seal.hash("code try", networkOf(from));

const trierOf = (
  seal: Seal,
  { userId, purpose, from }: { userId: bigint; purpose: CodePurpose; from: string },
  at: Date,
) => ({ userId, purpose, network: networkHash(seal, from), endsAt: secondsAfter(at, askedSeconds) });

function hashOf(seal: Seal, userId: bigint, purpose: CodePurpose, code: string, newEmail?: string): Buffer {
  return seal.hash(`code ${purpose}`, textOf(userId, code, newEmail));
}

const textOf = (userId: bigint, code: string, newEmail: string | undefined) =>
  newEmail === undefined ? `${userId} ${code}` : `${userId} ${code} ${newEmail}`;

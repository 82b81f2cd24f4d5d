// What opens an account: its token and password. A new password, and "this was not me", end all that opened it before.
import { customAlphabet } from "nanoid";
import { disownSeconds, tokenLength } from "../../contract/limits.ts";
import { defaultLanguage } from "../../i18n/languages.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { attempt, type Db, notify, type Tx } from "../platform/db/db.ts";
import { isLocal } from "../platform/network-address.ts";
import { openOrNone, type Seal } from "../platform/seal.ts";
import { anotherKey, isOwnKey } from "../platform/secret-key.ts";
import * as journal from "../journal/journal.ts";
import { channel } from "./users.admin.ts";
import { type CodeRefused, sendCode, tryCode, useCode } from "./users.codes.ts";
import { leaveHome } from "./users.identifiers.sql.ts";
import { hasAddress, noteIdentifiers, telegramMarks } from "./users.identifiers.ts";
import { deleteLinksOf } from "./users.links.sql.ts";
import { type From, tellOwner, tryDisown } from "./users.notices.ts";
import { voidDisowns } from "./users.notices.sql.ts";
import { leftBy, moveTo } from "./users.own.ts";
import * as own from "./users.own.sql.ts";
import { hashPassword, noPassword } from "./users.password.ts";
import * as rows from "./users.sql.ts";
import { deleteSessions } from "./users.sessions.sql.ts";
import { removeAddedAfter } from "./factors/factors.ts";
import { revokeTokens } from "./users.tokens.sql.ts";

export interface Access {
  readonly db: Db;
  readonly seal: Seal;
  /** Ends other access to the account in the transaction of a new password; programs only if they are not kept. */
  readonly expel?: ((tx: Tx, userId: bigint, at: Date, keepPrograms: boolean) => Promise<void>) | undefined;
}

export const nowhere = "127.0.0.1";
/** Has no codes: what is asked without an account takes the same steps. */
const nobody = 0n;

export const tokenText = customAlphabet(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
  tokenLength,
);

/** By it a scanner of leaked secrets knows a token; its form is as it always was, so no client does. */
const tokenPrefix = "postern";

export function newToken(seal: Seal) {
  const text = tokenPrefix + tokenText(tokenLength - tokenPrefix.length);
  return { text, hash: seal.hash("token", text), sealed: seal.seal(text) };
}

async function renewToken(tx: Tx, seal: Seal, userId: bigint): Promise<string> {
  const token = newToken(seal);
  await rows.setToken(tx, userId, token);
  await notify(tx, channel, String(userId));
  return token.text;
}

/** `by`: whose wish it was. Undefined: the shop's, which tells the owner nothing. */
export async function replaceToken(
  { db, seal }: Access,
  userId: bigint,
  at: Date,
  by?: From,
): Promise<string> {
  const { token } = await attempt(db, async (tx) => {
    const renewed = await renewToken(tx, seal, userId);
    if (by) await tellOwner(tx, seal, { userId, kind: "token-replaced", from: by }, at);
    return { token: renewed };
  });
  return token;
}

/** After the loss of the shop's key no token can be read: then it is replaced. */
export async function tokenOf(access: Access, userId: bigint): Promise<string> {
  const row = await rows.selectToken(access.db, userId);
  const text = row && openOrNone(access.seal, row.token);
  return text ?? replaceLost(access, userId);
}

async function replaceLost(access: Access, userId: bigint): Promise<string> {
  // The shop may have a newer key that this process does not know: then nothing is lost.
  if (!(await isOwnKey(access.db, access.seal))) throw new Error(anotherKey);
  return replaceToken(access, userId, now());
}

export interface NewPassword {
  readonly code: string;
  readonly password: string;
  readonly keepPrograms?: boolean | undefined;
  readonly language?: string | undefined;
  /** Asks a service, which may take its time: only about the password of who has the code. */
  readonly isLeaked?: ((password: string) => Promise<boolean>) | undefined;
}

export async function changePassword(
  access: Access,
  userId: bigint | undefined,
  { code, password, keepPrograms = false, language = defaultLanguage, isLeaked }: NewPassword,
  at: Date,
  by: From,
): Promise<CodeRefused | "password too common" | undefined> {
  const { db, seal } = access;
  const from = by.address ?? nowhere;
  const asked = { userId: userId ?? nobody, purpose: "reset" as const, code, from };
  // Looked at first: nobody without the code makes the shop hash. Used up after: a full queue loses nothing.
  const first = await attempt(db, async (tx) => ({ tried: await tryCode(tx, seal, asked, at) }));
  if (first.tried !== "ok") return first.tried;
  if (await isLeaked?.(password)) return "password too common";
  const hash = await hashPassword(password);
  const { refusal } = await attempt(db, async (tx) => {
    const used = await useCode(tx, seal, asked, at);
    if (used !== "ok") return { refusal: used };
    await endAccess(tx, access, asked.userId, at, keepPrograms);
    await rows.setPassword(tx, asked.userId, hash);
    await rows.forgetRegistration(tx, asked.userId, language);
    await renewToken(tx, seal, asked.userId);
    await noteIdentifiers(tx, seal, asked.userId, { address: from }, at);
    // A mail to an address that the account has left goes on undoing that.
    await voidDisowns(tx, asked.userId, (await rows.selectUser(tx, asked.userId))?.email);
    await tellOwner(tx, seal, { userId: asked.userId, kind: "password-changed", from: by }, at);
    return { refusal: undefined };
  });
  return refusal;
}

/**
 * "This was not me": by the link of a mail, ends all that opens the account, its password too, and mails a code for a new one. The link
 * itself sets none: it lives for days, and mails are passed on. An account that has left the address goes back to it.
 */
export function disown(
  access: Access,
  email: string,
  code: string,
  at: Date,
  by: From,
): Promise<{ userId: bigint; refusal: CodeRefused | undefined }> {
  const { db, seal } = access;
  return attempt(db, async (tx) => {
    const userId = ((await rows.selectLogin(tx, email)) ?? (await leftBy(tx, email, at)))?.id ?? nobody;
    const tried = await tryDisown(tx, seal, { userId, code }, at);
    if (tried !== "ok") return { userId, refusal: tried };
    // Of two calls at once the second finds the link used up.
    const user = await rows.lockUser(tx, userId);
    if (!user || (await voidDisowns(tx, userId)) === 0) return { userId, refusal: "invalid code" as const };
    const isBack = email !== user.email;
    if (isBack) await moveTo(tx, seal, userId, email, at);
    await shutOut(tx, access, { ...user, email }, by, at);
    // What was added while the link lives may be the intruder's, and would keep the owner out; older ones stay.
    await removeAddedAfter(tx, userId, secondsAfter(at, -disownSeconds));
    const after = isBack ? { email: "back" } : undefined;
    await journal.note(tx, { by: `user ${userId}`, did: "users disown", about: `user ${userId}`, after });
    return { userId, refusal: undefined };
  });
}

/** Ends all that opens an account, its password too, and mails a code for a new one. Links "this was not me" of before end. */
async function shutOut(
  tx: Tx,
  access: Access,
  { id: userId, email, language }: rows.User,
  { address: from = nowhere }: From,
  at: Date,
): Promise<void> {
  await endForGood(tx, access, userId, at);
  await leaveHome(tx, userId);
  await voidDisowns(tx, userId);
  await sendCode(tx, access.seal, { userId, purpose: "reset", from, isAtHome: false, email, language }, at);
}

/** Ends all access, that by the password too. */
async function endForGood(tx: Tx, access: Access, userId: bigint, at: Date): Promise<void> {
  await endAccess(tx, access, userId, at, false);
  await rows.setPassword(tx, userId, noPassword());
  await renewToken(tx, access.seal, userId);
}

/** Ends all access for ever, and forgets who it was: the account's owner closes it. */
export async function closeAccess(tx: Tx, access: Access, userId: bigint, at: Date): Promise<void> {
  await endForGood(tx, access, userId, at);
  const { telegramId = null } = (await own.selectTelegram(tx, userId)) ?? {};
  const telegram = telegramId === null ? undefined : telegramMarks(access.seal, telegramId);
  await own.forgetUser(tx, userId, { telegram, at });
}

export interface Reset {
  readonly userId: bigint;
  readonly reason?: string | undefined;
  /** Whose act it is, for the journal. */
  readonly by: string;
}

/**
 * For an owner who cannot get in, or is not alone there: ends all access and mails the owner a code for a new password, which nobody else
 * sees. Of a colleague it would be a way to be rid of them.
 */
export function resetAccess(
  access: Access,
  { userId, reason, by }: Reset,
  at: Date,
): Promise<"no user" | "office account" | { email: string }> {
  return attempt(access.db, async (tx) => {
    const user = await rows.lockUser(tx, userId);
    if (!user) return "no user";
    if (user.isAdmin) return "office account";
    await shutOut(tx, access, user, {}, at);
    await journal.note(tx, { by, did: "users reset", about: `user ${userId}`, reason });
    return { email: user.email };
  });
}

async function endAccess(
  tx: Tx,
  { expel }: Access,
  userId: bigint,
  at: Date,
  keepPrograms: boolean,
): Promise<void> {
  await expel?.(tx, userId, at, keepPrograms);
  if (!keepPrograms) await revokeTokens(tx, userId, at);
  await deleteSessions(tx, userId);
  await deleteLinksOf(tx, userId);
}

/** After a right password: the account is at home there, and its owner is told of a place that is new. */
export async function signedIn(
  { db, seal }: Access,
  { userId, email, by }: { userId: bigint; email: string; by: From },
  at: Date,
): Promise<void> {
  const { address = nowhere } = by;
  await attempt(db, async (tx) => {
    // Of two at once from a new place one is told.
    await rows.lockUser(tx, userId);
    if (!isLocal(address) && !(await hasAddress(tx, seal, userId, address, at)))
      await tellOwner(tx, seal, { userId, kind: "signed-in-elsewhere", from: by }, at);
    await noteIdentifiers(tx, seal, userId, { address }, at);
    await noteIdentifiers(tx, seal, userId, { email }, at);
  });
}

// What the owner of an account changes of it: the password, with the current one, and the e-mail address, with codes to both addresses.
import { disownSeconds } from "../../contract/limits.ts";
import { secondsAfter } from "../platform/clock.ts";
import { attempt, type Db, notify, type Sql, type Tx } from "../platform/db/db.ts";
import type { Seal } from "../platform/seal.ts";
import * as journal from "../journal/journal.ts";
import { channel } from "./users.admin.ts";
import { type CodeRefused, sendCode, tryCode } from "./users.codes.ts";
import { noteIdentifiers, hasAddress } from "./users.identifiers.ts";
import { deleteLinksOf } from "./users.links.sql.ts";
import { type From, tellOwner } from "./users.notices.ts";
import * as own from "./users.own.sql.ts";
import { hashPassword, isPassword } from "./users.password.ts";
import { deleteSessions } from "./users.sessions.sql.ts";
import * as rows from "./users.sql.ts";

export interface Own {
  /** Sets a password with the current one; answers how many other sessions ended. What programs hold stays. */
  setPassword(
    asked: OwnPassword,
    at: Date,
    by: From,
  ): Promise<{ ended: number } | "invalid password" | "password too common">;
  /** Mails a code to the old address and one to the new. Returns 0, or the seconds to wait. */
  askEmail(asked: EmailChange, at: Date): Promise<number | "email already registered">;
  /** With both codes; undefined: changed. */
  changeEmail(asked: Confirming, at: Date, by: From): Promise<EmailNotChanged | undefined>;
}

interface Parts {
  readonly db: Db;
  readonly seal: Seal;
  /** An address among them makes an administrator, as its activation does. */
  readonly admins: ReadonlySet<string>;
  /** For this process, before the caller goes on. */
  readonly changed: (userId: bigint) => void;
}

export function openOwn(parts: Parts): Own {
  const { changed } = parts;
  return {
    setPassword: async (asked, at, by) => {
      const done = await setPassword(parts, asked, at, by);
      changed(asked.userId);
      return done;
    },
    askEmail: (asked, at) => askEmail(parts, asked, at),
    changeEmail: async (asked, at, by) => {
      const refused = await changeEmail(parts, asked, at, by);
      changed(asked.userId);
      return refused;
    },
  };
}

interface OwnPassword {
  readonly userId: bigint;
  /** Stays; all others end. */
  readonly session: bigint;
  readonly current: string;
  readonly password: string;
  /** Asks a service: only about the password of who has the current one. */
  readonly isLeaked: (password: string) => Promise<boolean>;
}

async function setPassword(
  { db, seal }: Parts,
  { userId, session, current, password, isLeaked }: OwnPassword,
  at: Date,
  by: From,
): Promise<{ ended: number } | "invalid password" | "password too common"> {
  const user = await own.selectPasswordHash(db, userId);
  if (!user || !(await isPassword(current, user.passwordHash))) return "invalid password";
  if (await isLeaked(password)) return "password too common";
  const to = await hashPassword(password);
  return attempt(db, async (tx) => {
    // Meanwhile "this was not me" may have ended the one that was right.
    if (!(await own.replacePassword(tx, userId, { from: user.passwordHash, to }))) return "invalid password";
    const ended = await deleteSessions(tx, userId, session);
    await deleteLinksOf(tx, userId);
    await notify(tx, channel, String(userId));
    await tellOwner(tx, seal, { userId, kind: "password-changed", from: by }, at);
    return { ended };
  });
}

/** An account's address, and one that it left while the mail to it can undo that, are nobody else's. */
export async function isTaken(sql: Sql, email: string, at: Date, by?: bigint): Promise<boolean> {
  const holders = [await own.selectByEmail(sql, email), await leftBy(sql, email, at)];
  return holders.some((holder) => holder !== undefined && holder.id !== by);
}

export const leftBy = (sql: Sql, email: string, at: Date) =>
  own.selectLeft(sql, email, secondsAfter(at, -disownSeconds));

interface EmailChange {
  readonly userId: bigint;
  /** In lower case. */
  readonly email: string;
  readonly from: string;
}

async function askEmail(
  { db, seal }: Parts,
  { userId, email, from }: EmailChange,
  at: Date,
): Promise<number | "email already registered"> {
  const isAtHome = await hasAddress(db, seal, userId, from, at);
  return attempt(db, async (tx) => {
    const user = await rows.lockUser(tx, userId);
    if (!user) throw new Error(`there is no user ${userId}`);
    if (email === user.email || (await isTaken(tx, email, at, userId))) return "email already registered";
    const asked = { userId, from, isAtHome, language: user.language, newEmail: email };
    const wait = await sendCode(tx, seal, { ...asked, purpose: "old-email", email: user.email }, at);
    return wait > 0 ? wait : sendCode(tx, seal, { ...asked, purpose: "new-email", email }, at);
  });
}

interface Confirming extends EmailChange {
  readonly code: string;
  readonly newCode: string;
}

type EmailNotChanged =
  | { refusal: CodeRefused; parameter: "code" | "new_code" }
  | { refusal: "email already registered"; parameter: "email" };

async function changeEmail(
  parts: Parts,
  { userId, email, from, code, newCode }: Confirming,
  at: Date,
  by: From,
): Promise<EmailNotChanged | undefined> {
  const { admins, db, seal } = parts;
  const { refused } = await attempt(db, async (tx): Promise<{ refused: EmailNotChanged | undefined }> => {
    // Before the codes: of two changes at once the second finds its codes used up.
    await rows.lockUser(tx, userId);
    const asked = { userId, from, newEmail: email };
    const old = await tryCode(tx, seal, { ...asked, purpose: "old-email", code }, at);
    const fresh = await tryCode(tx, seal, { ...asked, purpose: "new-email", code: newCode }, at);
    if (old !== "ok") return { refused: { refusal: old, parameter: "code" } };
    if (fresh !== "ok") return { refused: { refusal: fresh, parameter: "new_code" } };
    if (await isTaken(tx, email, at, userId))
      return { refused: { refusal: "email already registered", parameter: "email" } };
    await tellOwner(tx, seal, { userId, kind: "email-changed", from: by, email }, at);
    await moveTo(tx, parts.seal, userId, email, at);
    if (admins.has(email)) await appoint(tx, parts.seal, userId, email, at);
    await journal.note(tx, { by: `user ${userId}`, did: "users email", about: `user ${userId}` });
    return { refused: undefined };
  });
  return refused;
}

/** Codes that were mailed to the address before end. */
export async function moveTo(tx: Tx, seal: Seal, userId: bigint, email: string, at: Date): Promise<void> {
  await own.setEmail(tx, userId, email);
  for (const purpose of ["old-email", "new-email", "reset"] as const)
    await rows.deleteCodes(tx, userId, purpose);
  await noteIdentifiers(tx, seal, userId, { email }, at);
}

async function appoint(tx: Tx, seal: Seal, userId: bigint, email: string, at: Date): Promise<void> {
  if ((await rows.setAdmins(tx, [email])).length === 0) return;
  await notify(tx, channel, String(userId));
  await tellOwner(tx, seal, { userId, kind: "role-granted", role: "admin" }, at);
}

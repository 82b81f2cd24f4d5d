import type { Caller } from "../platform/http/answer.ts";
import { type Db, attempt, listen, notify, type Sql, type Tx } from "../platform/db/db.ts";
import { now } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { Seal } from "../platform/seal.ts";
import * as ledger from "../ledger/ledger.ts";
import { type Access, closeAccess, newToken, nowhere, tokenOf, tokenText } from "./users.access.ts";
import { type LookUps, openCallers } from "./users.callers.ts";
import { channel } from "./users.admin.ts";
import { type Entering, entering, type EnteringParts } from "./users.entering.ts";
import { askedFrom, type CodeRefused, secondsToWait, sendCode, useCode } from "./users.codes.ts";
import { type Links, openLinks } from "./users.links.ts";
import { callFindAccountLinks } from "./users.identifiers.sql.ts";
import { hasAddress, noteIdentifiers, type Identifiers, openIdentifiers } from "./users.identifiers.ts";
import { tellOwner } from "./users.notices.ts";
import { isTaken, openOwn, type Own } from "./users.own.ts";
import { hashPassword, isPassword } from "./users.password.ts";
import * as rows from "./users.sql.ts";
import type { CodePurpose, Holder, User } from "./users.sql.ts";
import { noteUse, openSessions, type Sessions } from "./users.sessions.ts";
import { openTokens, type Tokens } from "./users.tokens.ts";
import { type Factors, openFactors, placeOf } from "./factors/factors.ts";
import { renewHash } from "./users.tokens.sql.ts";

export { adjust, type AdjustLimits, type Adjustment, decideAdjustment } from "./users.adjustments.ts";
export { type Actor, block, find, findById, grant, type Role, setBlock, setGrant } from "./users.admin.ts";
export { type Access, resetAccess } from "./users.access.ts";
export type { CodeRefused } from "./users.codes.ts";
export { type From, tellOwner } from "./users.notices.ts";
export type { CodePurpose, User } from "./users.sql.ts";
export type { Confirmed, ConfirmRefused, Links } from "./users.links.ts";
export { canonicalEmail, type Identifiers, noteIdentifiers } from "./users.identifiers.ts";
export { openPasswords, type Passwords } from "./users.passwords.ts";
export type { Session, Sessions, SignInWay } from "./users.sessions.ts";
export { type Factors, resetFactors } from "./factors/factors.ts";
export type { LimitedToken, Tokens, WantedToken } from "./users.tokens.ts";

interface Credentials {
  /** In lower case. */
  readonly email: string;
  readonly password: string;
}

interface Newcomer extends Credentials {
  readonly language: string;
  readonly referredBy?: bigint | undefined;
  readonly address?: string | undefined;
}

export interface Account {
  readonly userId: bigint;
  readonly isActive: boolean;
}

/** Functions with a password throw BatcherFull when too many hashes wait. */
export interface Users extends Entering {
  /** Mails the activation code in `language`. Of two at once for one address, one succeeds. */
  register(
    asked: Newcomer,
    at: Date,
  ): Promise<{ userId: bigint; token: string } | "email already registered">;
  /** Treats a blocked account as unknown. */
  authorize(asked: Credentials): Promise<Account | "user not found" | "invalid password">;
  /** Uses up the activation code; undefined: the account is active. `referrer`: who brought the browser that
   * activates it, for an account that nobody brought yet. */
  activate(
    userId: bigint,
    code: string,
    at: Date,
    by?: { from?: string | undefined; referrer?: bigint | undefined },
  ): Promise<CodeRefused | undefined>;
  idOf(email: string): Promise<bigint | undefined>;
  /** Seconds until a new code may be sent; 0: now. */
  secondsToCode(userId: bigint, purpose: CodePurpose, at: Date): Promise<number>;
  /** Mails a code, which replaces one that the same network asked for. Returns 0, or the seconds to wait when the last one is too new. */
  sendCode(userId: bigint, purpose: CodePurpose, at: Date, from?: string): Promise<number>;
  /** Whether an account (id or email address) was lately used from a network address. */
  isAtHome(account: bigint | string, address: string, at: Date): Promise<boolean>;
  askedFrom(userId: bigint, address: string, at: Date): Promise<boolean>;
  forgetTries(at: Date): Promise<number>;
  information(userId: bigint): Promise<User>;
  /** The account's own token, which is for programs. */
  tokenOf(userId: bigint): Promise<string>;
  avatarOf(userId: bigint): Promise<number | undefined>;
  chooseAvatar(userId: bigint, avatar: number): Promise<void>;
  /** Undefined for an unknown token or a blocked account. Cached until it changes; unknown tokens use up `lookUps`. */
  callerOf(token: string, lookUps?: LookUps): Promise<Caller | undefined>;
  /** A user as a caller with their own token; undefined when blocked. For callers known by other means. */
  callerFor(userId: bigint): Promise<Caller | undefined>;
  /** Drops a user from this process's cache; other processes are notified. */
  forget(userId: bigint): void;
  /** Ends all access for ever, and forgets who it was; `forget` it after the commit. */
  closeAccess(tx: Tx, userId: bigint, at: Date): Promise<void>;
  readonly identifiers: Identifiers;
  readonly own: Own;
  readonly sessions: Sessions;
  readonly tokens: Tokens;
  readonly factors: Factors;
  readonly links: Links;
  close(): Promise<void>;
}

interface Parts extends EnteringParts {
  /** Where browsers open the shop: passkeys are for that address. */
  readonly publicUrl?: string;
  readonly log?: Pick<Log, "info">;
  /** Called for a user whose tokens, rights or block changed in any process; undefined: any user may have. */
  readonly doubt?: (userId: bigint | undefined) => void;
}

/** Addresses added to ADMIN_EMAILS since the last start become administrators. */
export async function openUsers(given: Parts): Promise<Users> {
  const { db, seal, adminEmails, publicUrl = "http://localhost", doubt, expel, adjustLimits, log } = given;
  const callers = openCallers((hashes, address) => holderOf({ db, seal }, hashes, address), seal);
  const quiet = await listen(db, channel, (payload) => {
    const userId = payload === "" ? undefined : BigInt(payload);
    if (userId === undefined) callers.forgetAll();
    else callers.forget(userId);
    doubt?.(userId);
  });
  const admins = [...adminEmails];
  await appoint(db, seal, admins);
  /** Notifies other processes at the commit, and this one before the caller goes on. */
  const changed = (userId: bigint): void => callers.forget(userId);
  const tell = (tx: Tx, userId: bigint) => notify(tx, channel, String(userId));
  const parts = { db, seal, makeToken: () => newToken(seal), tell, changed };
  const access = { db, seal, expel, adminEmails, adjustLimits };

  return {
    register: (asked, at) => register({ db, seal, adminEmails }, asked, at),
    authorize: (asked) => authorize(db, asked),
    activate: async (userId, code, at, { from = nowhere, referrer } = {}) => {
      const asked = { userId, code, from, referrer, admins };
      const { refusal } = await attempt(db, (tx) => activate(tx, seal, asked, at));
      changed(userId);
      return refusal;
    },
    idOf: async (email) => (await rows.selectLogin(db, email))?.id,
    secondsToCode: (userId, purpose, at) => secondsToWait(db, userId, purpose, at),
    sendCode: async (userId, purpose, at, from = nowhere) => {
      const user = await theUser(db, userId);
      const isAtHome = await hasAddress(db, seal, userId, from, at);
      return attempt(db, (tx) => sendCode(tx, seal, { userId, purpose, from, isAtHome, ...user }, at));
    },
    ...entering(access, changed),
    isAtHome: (account, address, at) => hasAddress(db, seal, account, address, at),
    askedFrom: (userId, address, at) => askedFrom(db, seal, userId, address, at),
    forgetTries: (at) => rows.deleteTries(db, at),
    information: (userId) => theUser(db, userId),
    avatarOf: async (userId) => (await rows.selectAvatar(db, userId))?.avatar,
    chooseAvatar: (userId, avatar) => rows.setAvatar(db, userId, avatar),
    callerOf: callers.callerOf,
    callerFor: async (userId) => {
      const sealed = await rows.selectToken(db, userId);
      return sealed && callers.callerOf(seal.open(sealed.token));
    },
    tokenOf: (userId) => tokenOf(access, userId),
    forget: changed,
    closeAccess: (tx, userId, at) => closeAccess(tx, access, userId, at),
    identifiers: openIdentifiers(db, seal),
    own: openOwn({ db, seal, admins: adminEmails, changed }),
    sessions: openSessions(parts),
    tokens: openTokens(parts),
    factors: openFactors({ ...parts, place: placeOf(publicUrl, log) }),
    links: openLinks({ db, seal, makeToken: () => tokenText(), tell }),
    close: quiet,
  };
}

/** Who has a token. Its use is noted. */
async function holderOf(
  { db, seal }: Access,
  hashes: rows.Hashes,
  address: string | undefined,
): Promise<Holder | undefined> {
  const at = now();
  const holder = await rows.selectHolder(db, hashes, at);
  // Nobody but its holder has the token: it is hashed anew when it comes.
  if ((holder?.limits || holder?.session) && seal.before) await renewHash(db, hashes, seal.keyId);
  if (holder) await noteUse(db, seal, { ...holder, address }, at);
  return holder;
}

/** Addresses of active administrators: all among `emails` (ADMIN_EMAILS), and the first hundred others. */
export async function administrators(sql: Sql, emails: Iterable<string>): Promise<string[]> {
  return (await rows.selectAdmins(sql, [...emails], 100)).map(({ email }) => email);
}

/** Addresses of ADMIN_EMAILS, once they are activated. */
const appoint = (db: Db, seal: Seal, emails: string[]): Promise<void> =>
  attempt(db, async (tx) => {
    for (const { id: userId } of await rows.setAdmins(tx, emails)) {
      await notify(tx, channel, String(userId));
      await tellOwner(tx, seal, { userId, kind: "role-granted", role: "owner" }, now());
    }
  });

async function theUser(sql: Sql, userId: bigint): Promise<User> {
  const user = await rows.selectUser(sql, userId);
  if (!user) throw new Error(`there is no user ${userId}`);
  return user;
}

async function register(
  { db, seal, adminEmails }: Pick<Parts, "db" | "seal" | "adminEmails">,
  { email, password, language, referredBy, address }: Newcomer,
  at: Date,
): Promise<{ userId: bigint; token: string } | "email already registered"> {
  const passwordHash = await hashPassword(password);
  return attempt(db, async (tx) => {
    const officeId = adminEmails.has(email) ? await rows.takeOfficeId(tx) : undefined;
    const user = await add(tx, seal, { id: officeId?.id, email, language, passwordHash, referredBy }, at);
    if (typeof user === "string") return user;
    const { userId } = user;
    await noteIdentifiers(tx, seal, userId, { email }, at);
    if (address !== undefined) await noteIdentifiers(tx, seal, userId, { address }, at);
    if (referredBy !== undefined) await compareWithReferrer(tx, seal, { userId, referredBy }, at);
    const from = address ?? nowhere;
    const to = { userId, purpose: "activation" as const, from, isAtHome: address !== undefined };
    await sendCode(tx, seal, { ...to, email, language }, at);
    return user;
  });
}

/** Adds an account of a demonstration, active from the start: nobody reads mail at its address, so none is sent. */
export async function addActive(
  db: Db,
  seal: Seal,
  { email, password, language, referredBy }: Omit<Newcomer, "address">,
  at: Date,
): Promise<bigint> {
  const passwordHash = await hashPassword(password);
  const user = await attempt(db, async (tx) => {
    const added = await add(tx, seal, { email, language, passwordHash, referredBy }, at);
    if (typeof added !== "string") await rows.setActivated(tx, { userId: added.userId, at, adminEmails: [] });
    return added;
  });
  if (typeof user === "string") throw new Error(`the account ${email} was not added: ${user}`);
  return user.userId;
}

interface Added extends Omit<Newcomer, "password" | "address"> {
  readonly id?: bigint | undefined;
  readonly passwordHash: string;
}

async function add(
  tx: Tx,
  seal: Seal,
  { id, email, language, passwordHash, referredBy }: Added,
  at: Date,
): Promise<{ userId: bigint; token: string } | "email already registered"> {
  if (await isTaken(tx, email, at)) return "email already registered";
  const token = newToken(seal);
  const user = await rows.insertUser(tx, {
    id,
    email,
    name: email.slice(0, email.indexOf("@")),
    language,
    passwordHash,
    tokenHash: token.hash,
    tokenSealed: token.sealed,
    referredBy: referredBy ?? null,
    at,
  });
  if (!user) return "email already registered";
  await ledger.open(tx, user.id);
  return { userId: user.id, token: token.text };
}

async function authorize(
  db: Db,
  { email, password }: Credentials,
): Promise<Account | "user not found" | "invalid password"> {
  const user = await rows.selectLogin(db, email);
  const isOwner = await isPassword(password, user?.passwordHash);
  if (!user) return "user not found";
  if (!isOwner) return "invalid password";
  return { userId: user.id, isActive: user.isActive };
}

/** A text sealed with the shop's key; undefined while there is no account. */
export async function anySealed(sql: Sql): Promise<Uint8Array | undefined> {
  return (await rows.selectNewestToken(sql))?.token;
}

async function activate(
  tx: Tx,
  seal: Seal,
  {
    userId,
    admins,
    referrer,
    ...asked
  }: { userId: bigint; code: string; from: string; referrer: bigint | undefined; admins: string[] },
  at: Date,
): Promise<{ refusal: CodeRefused | undefined }> {
  const used = await useCode(tx, seal, { userId, purpose: "activation", ...asked }, at);
  // An object, so that the transaction commits the counted try.
  if (used !== "ok") return { refusal: used };
  const active = await rows.setActivated(tx, { userId, at, adminEmails: admins, referrer });
  if (referrer !== undefined && active?.referredBy === referrer)
    await compareWithReferrer(tx, seal, { userId, referredBy: referrer }, at);
  await notify(tx, channel, String(userId));
  return { refusal: undefined };
}

/** Keeps a tie to who invited the user while what both share is known: network addresses are forgotten. */
async function compareWithReferrer(
  tx: Tx,
  seal: Seal,
  { userId, referredBy }: { userId: bigint; referredBy: bigint },
  at: Date,
): Promise<void> {
  const { email } = await theUser(tx, referredBy);
  await noteIdentifiers(tx, seal, referredBy, { email }, at);
  await callFindAccountLinks(tx, { userId, partnerId: referredBy }, at);
}

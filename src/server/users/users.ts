import { customAlphabet } from "nanoid";
import { tokenLength } from "../../contract/limits.ts";
import { defaultLanguage } from "../../i18n/languages.ts";
import type { Caller } from "../platform/http/answer.ts";
import { type Db, attempt, listen, notify, type Sql, type Tx } from "../platform/db/db.ts";
import { now } from "../platform/clock.ts";
import { openOrNone, type Seal } from "../platform/seal.ts";
import * as ledger from "../ledger/ledger.ts";
import * as notices from "../mailer/mailer.ts";
import { type LookUps, openCallers } from "./users.callers.ts";
import { channel } from "./users.admin.ts";
import { askedFrom, issueCode, secondsToWait, tryCode, useCode } from "./users.codes.ts";
import { type Links, openLinks } from "./users.links.ts";
import { deleteLinksOf } from "./users.links.sql.ts";
import { callFindAccountLinks } from "./users.identifiers.sql.ts";
import { hasAddress, noteIdentifiers, type Identifiers, openIdentifiers } from "./users.identifiers.ts";
import { hashPassword, isPassword } from "./users.password.ts";
import * as rows from "./users.sql.ts";
import type { CodePurpose, User } from "./users.sql.ts";
import { openTokens, type Tokens } from "./users.tokens.ts";
import { revokeTokens } from "./users.tokens.sql.ts";

export {
  type Actor,
  adjust,
  type Adjustment,
  block,
  find,
  findById,
  grant,
  type Role,
  setBlock,
  setGrant,
} from "./users.admin.ts";
export type { CodePurpose, User } from "./users.sql.ts";
export type { Confirmed, ConfirmRefused, Links } from "./users.links.ts";
export { type Identifiers, noteIdentifiers } from "./users.identifiers.ts";
export { openPasswords, type Passwords } from "./users.passwords.ts";
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
  readonly token: string;
  readonly isActive: boolean;
}

export type CodeRefused = "invalid code" | "token expired";

/** Functions with a password throw BatcherFull when too many hashes wait. */
export interface Users {
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
  /**
   * Sets a password with a reset code; undefined: done. Ends all other access, which another person may have made; programs stay
   * if the owner keeps them. An account that was never activated forgets what its registration said. Without an account the code is wrong, by the same steps.
   */
  changePassword(
    userId: bigint | undefined,
    asked: {
      code: string;
      password: string;
      keepPrograms?: boolean | undefined;
      language?: string | undefined;
    },
    at: Date,
    from?: string,
  ): Promise<CodeRefused | undefined>;
  /** Whether an account (id or email address) was lately used from a network address. */
  isAtHome(account: bigint | string, address: string, at: Date): Promise<boolean>;
  askedFrom(userId: bigint, address: string, at: Date): Promise<boolean>;
  forgetTries(at: Date): Promise<number>;
  information(userId: bigint): Promise<User>;
  avatarOf(userId: bigint): Promise<number | undefined>;
  chooseAvatar(userId: bigint, avatar: number): Promise<void>;
  /** Undefined for an unknown token or a blocked account. Cached until it changes; unknown tokens use up `lookUps`. */
  callerOf(token: string, lookUps?: LookUps): Promise<Caller | undefined>;
  /** A user as a caller with their own token; undefined when blocked. For callers known by other means. */
  callerFor(userId: bigint): Promise<Caller | undefined>;
  /** Drops a user from this process's cache; other processes are notified. */
  forget(userId: bigint): void;
  /** The old token fails from now on. Limited tokens stay. */
  replaceToken(userId: bigint): Promise<string>;
  readonly identifiers: Identifiers;
  readonly tokens: Tokens;
  readonly links: Links;
  close(): Promise<void>;
}

interface Parts {
  readonly db: Db;
  readonly seal: Seal;
  /** In lower case; administrators once activated (ADMIN_EMAILS). */
  readonly adminEmails: ReadonlySet<string>;
  /** Called for a user whose tokens, rights or block changed in any process; undefined: any user may have. */
  readonly doubt?: (userId: bigint | undefined) => void;
  /** Ends other access to the account in the transaction of a new password; programs only if they are not kept. */
  readonly expel?: ((tx: Tx, userId: bigint, at: Date, keepPrograms: boolean) => Promise<void>) | undefined;
}

/** Addresses added to ADMIN_EMAILS since the last start become administrators. */
export async function openUsers({ db, seal, adminEmails, doubt, expel }: Parts): Promise<Users> {
  const callers = openCallers((hash) => rows.selectHolder(db, hash, now()), seal);
  const quiet = await listen(db, channel, (payload) => {
    const userId = payload === "" ? undefined : BigInt(payload);
    if (userId === undefined) callers.forgetAll();
    else callers.forget(userId);
    doubt?.(userId);
  });
  const admins = [...adminEmails];
  for (const { id } of await rows.setAdmins(db, admins)) await notify(db, channel, String(id));
  /** Notifies other processes at the commit, and this one before the caller goes on. */
  const changed = (userId: bigint): void => callers.forget(userId);
  const tell = (tx: Tx, userId: bigint) => notify(tx, channel, String(userId));
  const tokens = openTokens({ db, makeToken: () => newToken(seal), tell, changed });

  return {
    register: (asked, at) => register({ db, seal, adminEmails }, asked, at),
    authorize: (asked) => authorize(db, seal, asked),
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
    changePassword: async (userId, asked, at, from = nowhere) => {
      const refusal = await changePassword({ db, seal, expel }, { userId, from, ...asked }, at);
      if (userId !== undefined) changed(userId);
      return refusal;
    },
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
    forget: changed,
    replaceToken: async (userId) => {
      const token = await replaceToken(db, seal, userId);
      changed(userId);
      return token;
    },
    identifiers: openIdentifiers(db, seal),
    tokens,
    links: openLinks({ db, seal, makeToken: () => tokenText(), tell }),
    close: quiet,
  };
}

const nowhere = "127.0.0.1";
/** Has no codes: what is asked without an account takes the same steps. */
const nobody = 0n;

/** Addresses of active administrators: all among `emails` (ADMIN_EMAILS), and the first hundred others. */
export async function administrators(sql: Sql, emails: Iterable<string>): Promise<string[]> {
  return (await rows.selectAdmins(sql, [...emails], 100)).map(({ email }) => email);
}

async function replaceToken(db: Db, seal: Seal, userId: bigint): Promise<string> {
  const { token } = await attempt(db, async (tx) => ({ token: await renewToken(tx, seal, userId) }));
  return token;
}

async function renewToken(tx: Tx, seal: Seal, userId: bigint): Promise<string> {
  const token = newToken(seal);
  await rows.setToken(tx, userId, token);
  await notify(tx, channel, String(userId));
  return token.text;
}

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
  seal: Seal,
  { email, password }: Credentials,
): Promise<Account | "user not found" | "invalid password"> {
  const user = await rows.selectLogin(db, email);
  const isOwner = await isPassword(password, user?.passwordHash);
  if (!user) return "user not found";
  if (!isOwner) return "invalid password";
  // After the loss of the shop's key no token can be read: the password identifies the user.
  const token = openOrNone(seal, user.tokenSealed) ?? (await replaceToken(db, seal, user.id));
  return { userId: user.id, token, isActive: user.isActive };
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

interface NewPassword {
  readonly userId: bigint | undefined;
  readonly code: string;
  readonly password: string;
  readonly from: string;
  readonly keepPrograms?: boolean | undefined;
  readonly language?: string | undefined;
}

async function changePassword(
  { db, seal, expel }: Pick<Parts, "db" | "seal" | "expel">,
  { userId, code, password, from, keepPrograms = false, language = defaultLanguage }: NewPassword,
  at: Date,
): Promise<CodeRefused | undefined> {
  const asked = { userId: userId ?? nobody, purpose: "reset" as const, code, from };
  // Looked at first: nobody without the code makes the shop hash. Used up after: a full queue loses nothing.
  const first = await attempt(db, async (tx) => ({ tried: await tryCode(tx, seal, asked, at) }));
  if (first.tried !== "ok") return first.tried;
  const hash = await hashPassword(password);
  const { refusal } = await attempt(db, async (tx) => {
    const used = await useCode(tx, seal, asked, at);
    if (used !== "ok") return { refusal: used };
    await expel?.(tx, asked.userId, at, keepPrograms);
    if (!keepPrograms) await revokeTokens(tx, asked.userId, at);
    await deleteLinksOf(tx, asked.userId);
    await rows.setPassword(tx, asked.userId, hash);
    await rows.forgetRegistration(tx, asked.userId, language);
    await renewToken(tx, seal, asked.userId);
    return { refusal: undefined };
  });
  return refusal;
}

async function sendCode(
  tx: Tx,
  seal: Seal,
  to: {
    userId: bigint;
    purpose: CodePurpose;
    from: string;
    isAtHome: boolean;
    email: string;
    language: string;
  },
  at: Date,
): Promise<number> {
  const values = await issueCode(tx, seal, to, at);
  if (typeof values === "number") return values;
  const { email, language, purpose } = to;
  await notices.queue(tx, seal, { to: email, kind: `${purpose}-code`, language, values });
  return 0;
}

const tokenText = customAlphabet(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
  tokenLength,
);

function newToken(seal: Seal) {
  const text = tokenText();
  return { text, hash: seal.hash("token", text), sealed: seal.seal(text) };
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

// The operator's side of accounts: balances, roles, blocks. What is done by somebody is written down in the transaction that does it.
import { randomUUID } from "node:crypto";
import * as journal from "../journal/journal.ts";
import { now } from "../platform/clock.ts";
import { attempt, type Db, notify, type Sql, type Tx } from "../platform/db/db.ts";
import { showUsd, type Usd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import * as rows from "./users.sql.ts";
import type { User } from "./users.sql.ts";

/** Rings in every process with the id of a user whose token, rights or block have changed. */
export const channel = "users";

export type Role = "admin" | "investor";

/** The account of an e-mail address, blocked or not; undefined when there is none. */
export function find(sql: Sql, email: string): Promise<User | undefined> {
  return rows.selectUserByEmail(sql, email.trim().toLowerCase());
}

/** The account of an id, blocked or not; undefined when there is none. */
export const findById = (sql: Sql, userId: bigint): Promise<User | undefined> => rows.selectUser(sql, userId);

/** Closes an account (its token opens nothing from the commit on) or opens it again. Throws when there is none. */
export async function block(sql: Sql, userId: bigint, blocked: boolean, at: Date = now()): Promise<void> {
  await rows.setBlocked(sql, userId, blocked ? at : null);
  await notify(sql, channel, String(userId));
}

/** Makes a user an administrator or an investor. Throws when there is none. */
export async function grant(sql: Sql, userId: bigint, role: Role): Promise<void> {
  await setRole(sql, userId, role, true);
}

async function setRole(sql: Sql, userId: bigint, role: Role, granted: boolean): Promise<void> {
  await rows.setRole(sql, userId, role, granted);
  await notify(sql, channel, String(userId));
}

/** Who acts: the operator by his command, or an administrator by his id. */
export type Actor = "operator" | bigint;

const nameOf = (actor: Actor) => (actor === "operator" ? actor : `user ${actor}`);

export interface Adjustment {
  readonly userId: bigint;
  /** Above zero it is given, below zero taken. */
  readonly amount: Usd;
  /** Kept for good; the owner reads it in his statement. */
  readonly reason: string;
  /** Names the change: repeated under the same name it is done once. */
  readonly key?: string | undefined;
}

/** `repeated`: it was done before under the same key, and nothing was moved now. */
export interface Adjusted {
  readonly before: Usd;
  readonly balance: Usd;
  readonly repeated: boolean;
}

/** Changes a balance by somebody's hand, never below zero. "key used": the key names another change. */
export function adjust(
  db: Db,
  { userId, amount, reason, key }: Adjustment,
  actor: Actor,
): Promise<Adjusted | "no user" | "more than there is" | "key used"> {
  return attempt(db, async (tx) => {
    const user = await rows.selectUser(tx, userId);
    if (!user) return "no user";
    const idempotencyKey = `operator:${key ?? randomUUID()}`;
    const moved = await ledger.adjust(tx, { userId, amount, reason, idempotencyKey });
    if (moved === "no balance") return "more than there is";
    if (moved === "key used") return moved;
    // The account is locked from the movement on: what it has now, less what was moved, is what it had.
    const balance = await ledger.balance(tx, userId);
    if (moved === "repeat") return { before: balance, balance, repeated: true };
    const before = (balance - amount) as Usd;
    await journal.note(tx, {
      by: nameOf(actor),
      did: "users credit",
      about: `user ${userId}`,
      before: { balance: showUsd(before) },
      after: { balance: showUsd(balance) },
      reason,
    });
    return { before, balance, repeated: false };
  });
}

/**
 * Gives a role or takes it away. Nobody takes the administrator's from himself, and the last administrator stays one: else nobody
 * could give it back here. An account that never confirmed its address becomes none.
 */
export function setGrant(
  db: Db,
  { userId, role, granted }: { userId: bigint; role: Role; granted: boolean },
  actor: Actor,
): Promise<
  | { admin: boolean; investor: boolean }
  | "no user"
  | "yourself"
  | "last administrator"
  | "no access"
  | "account not activated"
> {
  return attempt(db, async (tx) => {
    const admins = await lockAdmins(tx, actor);
    if (admins === "no access") return admins;
    const user = await rows.lockUser(tx, userId);
    if (!user) return "no user";
    const before = { admin: user.isAdmin, investor: user.isInvestor };
    // Whoever registers an address has a token for it before its owner has confirmed it.
    if (role === "admin" && granted && user.activatedAt === null) return "account not activated";
    if (role === "admin" && !granted && actor === userId) return "yourself";
    if (role === "admin" && !granted && admins.length === 1 && admins[0] === userId)
      return "last administrator";
    await setRole(tx, userId, role, granted);
    const after = { ...before, [role]: granted };
    const did = granted ? "users grant" : "users revoke";
    await journal.note(tx, { by: nameOf(actor), did, about: `user ${userId}`, before, after });
    return after;
  });
}

/** Closes an account or opens it again. No administrator closes his own. */
export function setBlock(
  db: Db,
  { userId, blocked, reason }: { userId: bigint; blocked: boolean; reason?: string | undefined },
  actor: Actor,
): Promise<{ blocked: boolean } | "no user" | "yourself" | "no access"> {
  return attempt(db, async (tx) => {
    if ((await lockAdmins(tx, actor)) === "no access") return "no access";
    const user = await rows.lockUser(tx, userId);
    if (!user) return "no user";
    if (actor === userId) return "yourself";
    await block(tx, userId, blocked);
    await journal.note(tx, {
      by: nameOf(actor),
      did: blocked ? "users block" : "users unblock",
      about: `user ${userId}`,
      before: { blocked: user.blockedAt !== null },
      after: { blocked },
      reason,
    });
    return { blocked };
  });
}

/**
 * The administrators that are not blocked, locked: of two who block each other, or take each other's role, the second is none any more
 * when his turn comes.
 */
async function lockAdmins(tx: Tx, actor: Actor): Promise<readonly bigint[] | "no access"> {
  const admins = (await rows.lockAdmins(tx)).map(({ id }) => id);
  return actor === "operator" || admins.includes(actor) ? admins : "no access";
}

// Administration of accounts: balances, roles, blocks. The journal entry is in the transaction of the change.
import { randomUUID } from "node:crypto";
import * as journal from "../journal/journal.ts";
import { now } from "../platform/clock.ts";
import { attempt, type Db, notify, type Sql, type Tx } from "../platform/db/db.ts";
import { showUsd, type Usd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import type { Seal } from "../platform/seal.ts";
import { tellOwner } from "./users.notices.ts";
import * as rows from "./users.sql.ts";
import type { User } from "./users.sql.ts";

/** Notifies every process of a user whose token, rights or block changed. */
export const channel = "users";

export type Role = "admin" | "investor";

export function find(sql: Sql, email: string): Promise<User | undefined> {
  return rows.selectUserByEmail(sql, email.trim().toLowerCase());
}

export const findById = (sql: Sql, userId: bigint): Promise<User | undefined> => rows.selectUser(sql, userId);

/** What a change did to the batches of an investor: taken off sale with him, or put back. For the journal. */
interface Followed {
  readonly batches?: readonly number[];
}

async function followed(sql: Sql, userId: bigint): Promise<Followed> {
  const batches = (await rows.followOwner(sql, userId)).map(({ batchId }) => batchId);
  return batches.length === 0 ? {} : { batches };
}

/** Blocks or unblocks an account; its token fails from the commit on. Throws when there is none. */
export async function block(sql: Sql, userId: bigint, blocked: boolean, at: Date = now()): Promise<Followed> {
  await rows.setBlocked(sql, userId, blocked ? at : null);
  await notify(sql, channel, String(userId));
  return followed(sql, userId);
}

export async function grant(sql: Sql, userId: bigint, role: Role): Promise<void> {
  await setRole(sql, userId, role, true);
}

async function setRole(sql: Sql, userId: bigint, role: Role, granted: boolean): Promise<Followed> {
  await rows.setRole(sql, userId, role, granted);
  await notify(sql, channel, String(userId));
  return followed(sql, userId);
}

export type Actor = "operator" | bigint;

export const nameOf = (actor: Actor) => (actor === "operator" ? actor : `user ${actor}`);

export interface Adjustment {
  readonly userId: bigint;
  /** Undefined: the balance. */
  readonly book?: ledger.Book | undefined;
  /** Negative: taken. */
  readonly amount: Usd;
  /** Kept for ever; the owner reads it in their statement. */
  readonly reason: string;
  /** Idempotency key of the change. */
  readonly key?: string | undefined;
}

/** `repeated`: an earlier call with the same key moved the money. */
export interface Adjusted {
  readonly before: Usd;
  readonly balance: Usd;
  readonly repeated: boolean;
}

/** Changes a balance or earnings, never below zero: of earnings only what is due can be taken back. "key used": the key names another change. */
export function adjust(
  db: Db,
  { userId, book = "balance", amount, reason, key }: Adjustment,
  actor: Actor,
): Promise<Adjusted | "no user" | "more than there is" | "key used"> {
  return attempt(db, async (tx) => {
    const user = await rows.selectUser(tx, userId);
    if (!user) return "no user";
    const idempotencyKey = `operator:${key ?? randomUUID()}`;
    const moved = await ledger.adjust(tx, { userId, book, amount, reason, idempotencyKey });
    if (moved === "no balance") return "more than there is";
    if (moved === "key used") return moved;
    // The movement has locked the account, so the subtraction gives the balance before it.
    const balance = await ledger.balance(tx, userId, book);
    if (moved === "repeat") return { before: balance, balance, repeated: true };
    const before = (balance - amount) as Usd;
    await journal.note(tx, {
      by: nameOf(actor),
      did: "users credit",
      about: `user ${userId}`,
      before: { [book]: showUsd(before) },
      after: { [book]: showUsd(balance) },
      reason,
    });
    return { before, balance, repeated: false };
  });
}

export interface Granting {
  readonly userId: bigint;
  readonly role: Role;
  readonly granted: boolean;
}

export type Granted = Promise<
  | { admin: boolean; investor: boolean }
  | "no user"
  | "yourself"
  | "last administrator"
  | "no access"
  | "account not activated"
>;

/**
 * Administrators cannot revoke their own role, so one remains. An account that is not activated cannot become one. With a `seal` the
 * owner is told: a demonstration has none.
 */
export function setGrant(db: Db, { userId, role, granted }: Granting, actor: Actor, seal?: Seal): Granted {
  return attempt(db, async (tx) => {
    const admins = await lockAdmins(tx, actor);
    if (admins === "no access") return admins;
    const user = await rows.lockUser(tx, userId);
    if (!user) return "no user";
    const before = { admin: user.isAdmin, investor: user.isInvestor };
    // An account with an unconfirmed address may not belong to the owner of the address.
    if (role === "admin" && granted && user.activatedAt === null) return "account not activated";
    if (role === "admin" && !granted && actor === userId) return "yourself";
    if (role === "admin" && !granted && admins.length === 1 && admins[0] === userId)
      return "last administrator";
    const changed = await setRole(tx, userId, role, granted);
    const after = { ...before, [role]: granted };
    if (seal && granted && !before[role])
      await tellOwner(tx, seal, { userId, kind: "role-granted", role }, now());
    const did = granted ? "users grant" : "users revoke";
    await journal.note(tx, {
      by: nameOf(actor),
      did,
      about: `user ${userId}`,
      before,
      after: { ...after, ...changed },
    });
    return after;
  });
}

/** Administrators cannot block themselves. */
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
    const changed = await block(tx, userId, blocked);
    await journal.note(tx, {
      by: nameOf(actor),
      did: blocked ? "users block" : "users unblock",
      about: `user ${userId}`,
      before: { blocked: user.blockedAt !== null },
      after: { blocked, ...changed },
      reason,
    });
    return { blocked };
  });
}

/** Locks the administrators: of two that block each other at once, the second has lost the role. */
export async function lockAdmins(tx: Tx, actor: Actor): Promise<readonly bigint[] | "no access"> {
  const admins = (await rows.lockAdmins(tx)).map(({ id }) => id);
  return actor === "operator" || admins.includes(actor) ? admins : "no access";
}

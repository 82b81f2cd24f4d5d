// Administration of accounts: balances, roles, blocks. The journal entry is in the transaction of the change.
import type { OfficeRole } from "../../contract/endpoint.ts";
import * as journal from "../journal/journal.ts";
import { now } from "../platform/clock.ts";
import { attempt, type Db, notify, type Sql, type Tx } from "../platform/db/db.ts";
import type { Seal } from "../platform/seal.ts";
import { tellOwner, tellOwners } from "./users.notices.ts";
import * as rows from "./users.sql.ts";
import type { User } from "./users.sql.ts";

/** Notifies every process of a user whose token, rights or block changed. */
export const channel = "users";

/** `admin` is the older word for owner. */
export type Role = OfficeRole | "admin" | "investor";

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
  if (role === "investor") await rows.setInvestor(sql, userId, granted);
  else await rows.setOfficeRole(sql, userId, granted ? officeRoleOf(role) : undefined);
  await notify(sql, channel, String(userId));
  return followed(sql, userId);
}

const officeRoleOf = (role: Exclude<Role, "investor">): OfficeRole => (role === "admin" ? "owner" : role);

export type Actor = "operator" | bigint;

export const nameOf = (actor: Actor) => (actor === "operator" ? actor : `user ${actor}`);

export interface Granting {
  readonly userId: bigint;
  readonly role: Role;
  readonly granted: boolean;
}

export type Granted = Promise<
  | { admin: boolean; investor: boolean; office_role?: OfficeRole }
  | "no user"
  | "yourself"
  | "last administrator"
  | "named in settings"
  | "no access"
  | "account not activated"
>;

export interface Granters {
  /** The mails about it are sealed with it; without one there are none, as in a demonstration. */
  readonly seal?: Seal | undefined;
  /** Of ADMIN_EMAILS: only the operator's command takes from these that they are owners. */
  readonly adminEmails?: ReadonlySet<string> | undefined;
}

/**
 * Gives or takes a role, as an owner. Owners cannot take their own, so one remains. An account that is not activated gets none in the back
 * office. Its owner and those of the shop are told.
 */
export function setGrant(
  db: Db,
  { userId, role, granted }: Granting,
  actor: Actor,
  { seal, adminEmails = new Set() }: Granters = {},
): Granted {
  return attempt(db, async (tx) => {
    const owners = await lockOwners(tx, actor);
    if (owners === "no access") return owners;
    const user = await rows.lockUser(tx, userId);
    if (!user) return "no user";
    const before = rolesOf(user);
    const isOffice = role !== "investor";
    // An account with an unconfirmed address may not belong to the owner of the address.
    if (isOffice && granted && user.activatedAt === null) return "account not activated";
    const wanted = isOffice ? officeRoleOf(role) : undefined;
    const losesOwner =
      isOffice && before.office_role === "owner" && (granted ? wanted !== "owner" : wanted === "owner");
    if (losesOwner && actor === userId) return "yourself";
    if (losesOwner && actor !== "operator" && adminEmails.has(user.email)) return "named in settings";
    if (losesOwner && owners.every(({ id }) => id === userId)) return "last administrator";
    // Another role than the one that is taken away stays.
    const stays = isOffice && !granted && role !== "admin" && before.office_role !== wanted;
    const changed = stays ? {} : await setRole(tx, userId, role, granted);
    const after = rolesOf((await rows.selectUser(tx, userId)) ?? user);
    const isNew = isOffice ? before.office_role !== after.office_role : before.investor !== after.investor;
    const given = wanted ?? "investor";
    if (seal && granted && isNew)
      await tellOwner(tx, seal, { userId, kind: "role-granted", role: given }, now());
    if (seal && isNew)
      await tellOwners(
        tx,
        seal,
        { kind: granted ? "office-granted" : "office-revoked", by: actor, about: user.email, role: given },
        now(),
      );
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

const rolesOf = ({ isAdmin, isInvestor, officeRole }: User) => ({
  admin: isAdmin,
  investor: isInvestor,
  ...(officeRole !== null && { office_role: officeRole }),
});

export interface Blocking {
  readonly userId: bigint;
  readonly blocked: boolean;
  readonly reason?: string | undefined;
}

/** Owners cannot block themselves, nor those that the settings name. */
export function setBlock(
  db: Db,
  { userId, blocked, reason }: Blocking,
  actor: Actor,
  { adminEmails = new Set() }: Pick<Granters, "adminEmails"> = {},
): Promise<{ blocked: boolean } | "no user" | "yourself" | "named in settings" | "no access"> {
  return attempt(db, async (tx) => {
    if ((await lockOwners(tx, actor)) === "no access") return "no access";
    const user = await rows.lockUser(tx, userId);
    if (!user) return "no user";
    if (actor === userId) return "yourself";
    if (blocked && actor !== "operator" && user.officeRole === "owner" && adminEmails.has(user.email))
      return "named in settings";
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

/** Locks the owners of the shop: of two that block each other at once, the second has lost the role. */
export async function lockOwners(tx: Tx, actor: Actor): Promise<readonly { id: bigint }[] | "no access"> {
  const owners = await rows.lockOwners(tx);
  return actor === "operator" || owners.some(({ id }) => id === actor) ? owners : "no access";
}

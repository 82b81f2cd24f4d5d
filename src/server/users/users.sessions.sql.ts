import { z } from "zod/mini";
import { sessionDaysIdle, sessionDaysMax } from "../../contract/limits.ts";
import { secondsAfter } from "../platform/clock.ts";
import { all, type Sql, type Tx } from "../platform/db/db.ts";

const Row = z.object({
  id: z.bigint(),
  way: z.string(),
  place: z.instanceof(Uint8Array),
  createdAt: z.date(),
  usedAt: z.date(),
});

const daySeconds = 24 * 60 * 60;

/** Sessions that were last used, or begun, before these have ended. */
export const bounds = (at: Date) => ({
  used: secondsAfter(at, -sessionDaysIdle * daySeconds),
  created: secondsAfter(at, -sessionDaysMax * daySeconds),
});

/** When a session ends if it is not used again. */
export const endOf = ({ createdAt, usedAt }: { createdAt: Date; usedAt: Date }): Date =>
  new Date(
    Math.min(
      secondsAfter(usedAt, sessionDaysIdle * daySeconds).getTime(),
      secondsAfter(createdAt, sessionDaysMax * daySeconds).getTime(),
    ),
  );

export interface NewSession {
  readonly id: bigint;
  readonly userId: bigint;
  readonly hash: Buffer;
  readonly keyId: number;
  readonly way: string;
  readonly place: Buffer;
  readonly at: Date;
}

export const insertSession = (sql: Sql, { id, userId, hash, keyId, way, place, at }: NewSession) =>
  sql`insert into user_session (id, user_id, token_hash, key_id, way, place, created_at, used_at, proved_at)
      values (${id}, ${userId}, ${hash}, ${keyId}, ${way}, ${place}, ${at}, ${at}, ${at})`;

/** The newest use first. */
export const selectSessions = (
  sql: Sql,
  userId: bigint,
  since: { used: Date; created: Date },
  size: number,
) =>
  all(
    Row,
    sql`select id, way, place, created_at as "createdAt", used_at as "usedAt" from user_session
        where user_id = ${userId} and used_at > ${since.used} and created_at > ${since.created}
        order by used_at desc, id limit ${size}`,
  );

export const selectPlace = (sql: Sql, id: bigint) =>
  all(z.object({ place: z.instanceof(Uint8Array) }), sql`select place from user_session where id = ${id}`);

export const setUsed = (sql: Sql, id: bigint, place: Buffer | undefined, at: Date) =>
  sql`update user_session set used_at = ${at}, place = coalesce(${place ?? null}, place) where id = ${id} and used_at < ${at}`;

export const setTokenUsed = async (sql: Sql, tokenId: bigint, at: Date): Promise<void> => {
  await sql`update user_token set used_at = ${at} where id = ${tokenId}`;
};

/** Waits for nobody: who holds the row changes the account, and the next use is noted again. */
export const setAccountTokenUsed = async (sql: Sql, userId: bigint, at: Date): Promise<void> => {
  await sql`update users set token_used_at = ${at}
            where id = (select id from users where id = ${userId} for no key update skip locked)`;
};

export const setProved = async (sql: Sql, userId: bigint, id: bigint, at: Date): Promise<boolean> =>
  (await sql`update user_session set proved_at = ${at} where id = ${id} and user_id = ${userId}`).count > 0;

/** All of an account but `kept` must prove anew who it is. */
export const doubtOthers = (tx: Tx, userId: bigint, kept: bigint) =>
  tx`update user_session set proved_at = 'epoch' where user_id = ${userId} and id <> ${kept}`;

export const deleteSession = async (sql: Sql, userId: bigint, id: bigint): Promise<boolean> =>
  (await sql`delete from user_session where id = ${id} and user_id = ${userId}`).count > 0;

/** All of an account but `kept`; answers how many there were. */
export const deleteSessions = async (tx: Tx, userId: bigint, kept?: bigint): Promise<number> =>
  (
    await tx`delete from user_session
             where user_id = ${userId} and (${kept ?? null}::bigint is null or id <> ${kept ?? null})`
  ).count;

export const deleteOld = async (sql: Sql, before: { used: Date; created: Date }): Promise<number> =>
  (await sql`delete from user_session where used_at < ${before.used} or created_at < ${before.created}`)
    .count;

/** What does not fit: the sessions of an account that were not used for longest. */
export const deleteBeyond = (tx: Tx, userId: bigint, size: number) =>
  tx`delete from user_session where id in (
       select id from user_session where user_id = ${userId} order by used_at desc, id offset ${size})`;

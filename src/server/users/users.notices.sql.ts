import { z } from "zod/mini";
import { all, maybe, one, type Sql, type Tx } from "../platform/db/db.ts";
import { isOneOf } from "../platform/seal.ts";
import type { Hashes } from "./users.sql.ts";

const Owner = z.object({ email: z.string(), language: z.string() });

/** Undefined for an address that nobody has confirmed. */
export const selectOwner = (sql: Sql, userId: bigint) =>
  maybe(Owner, sql`select email, language from users where id = ${userId} and activated_at is not null`);

const ownersMax = 100;

export const selectShopOwners = (sql: Sql) =>
  all(
    z.object({ id: z.bigint() }),
    sql`select id from users
        where is_admin and coalesce(office_role, 'owner') = 'owner' and activated_at is not null and blocked_at is null
        order by id limit ${ownersMax}`,
  );

const Sent = z.object({ count: z.int(), last: z.nullable(z.date()) });

/** How many mails of a kind an account got, or will get, since a time, and when the last one is told. */
export const selectSent = (sql: Sql, userId: bigint, kind: string, since: Date) =>
  one(
    Sent,
    sql`select count(*)::integer as count, max(created_at) as last from owner_notice
        where user_id = ${userId} and kind = ${kind} and created_at > ${since}`,
  );

const Waiting = z.object({ id: z.bigint(), times: z.int(), createdAt: z.date() });

const refStart = "owner_notice ";
/** What names the mail among the tasks of the mailer. */
export const refOf = (id: bigint): string => `${refStart}${id}`;

/** Counts once more what a mail will tell that waits for its time; undefined without one. */
export const countAgain = (tx: Tx, userId: bigint, kind: string, at: Date) =>
  maybe(
    Waiting,
    tx`with waiting as (
         select n.id from owner_notice n
         join task t on t.queue = 'mail' and t.ref = ${refStart} || n.id and t.due_at > ${at} and t.tries = 0
         where n.user_id = ${userId} and n.kind = ${kind} and n.created_at > ${at}
         order by n.created_at desc limit 1 for update)
       update owner_notice set times = times + 1 where id in (select id from waiting)
       returning id, times, created_at as "createdAt"`,
  );

export const setLink = (tx: Tx, id: bigint, linkHash: Buffer) =>
  tx`update owner_notice set link_hash = ${linkHash} where id = ${id}`;

export const insertOwnerNotice = (
  tx: Tx,
  notice: {
    userId: bigint;
    kind: string;
    address: string;
    language: string;
    linkHash: Buffer;
    createdAt: Date;
  },
) =>
  one(
    z.object({ id: z.bigint() }),
    tx`insert into owner_notice (user_id, kind, address, language, link_hash, created_at)
       values (${notice.userId}, ${notice.kind}, ${notice.address}, ${notice.language}, ${notice.linkHash}, ${notice.createdAt})
       returning id`,
  );

export const selectDisown = (sql: Sql, userId: bigint, linkHashes: Hashes) =>
  maybe(
    z.object({ createdAt: z.date() }),
    sql`select created_at as "createdAt" from owner_notice
        where user_id = ${userId} and link_hash ${isOneOf(sql, linkHashes)}`,
  );

/** How many there were: of two calls at once the second finds none. `mailedTo`: of mails to this address alone. */
export const voidDisowns = async (tx: Tx, userId: bigint, mailedTo?: string): Promise<number> =>
  (
    await tx`update owner_notice set link_hash = null
             where user_id = ${userId} and link_hash is not null and address = coalesce(${mailedTo ?? null}::text, address)`
  ).count;

import { z } from "zod/mini";
import { maybe, type Sql } from "../platform/db/db.ts";
import { isOneOf } from "../platform/seal.ts";
import type { Hashes } from "./users.sql.ts";

const Link = z.object({ userId: z.bigint(), expiresAt: z.date(), usedBy: z.nullable(z.bigint()) });
const Held = z.object({ id: z.bigint() });
const Person = z.object({ telegramId: z.nullable(z.bigint()), isBlocked: z.boolean() });

export const insertLink = (sql: Sql, link: { hash: Buffer; userId: bigint; expiresAt: Date }) =>
  sql`insert into user_link (token_hash, user_id, expires_at) values (${link.hash}, ${link.userId}, ${link.expiresAt})`;

/** Until the transaction ends. */
export const lockLink = (sql: Sql, hashes: Hashes) =>
  maybe(
    Link,
    sql`select user_id as "userId", expires_at as "expiresAt", used_by as "usedBy"
        from user_link where token_hash ${isOneOf(sql, hashes)} for update`,
  );

export const useLink = (sql: Sql, hashes: Hashes, telegramId: bigint) =>
  sql`update user_link set used_by = ${telegramId} where token_hash ${isOneOf(sql, hashes)}`;

export const deleteLinks = (sql: Sql, before: Date) =>
  sql`delete from user_link where expires_at < ${before}`;

/** Used ones too: their user may send them again. */
export const deleteLinksOf = (sql: Sql, userId: bigint) =>
  sql`delete from user_link where user_id = ${userId}`;

/**
 * By the account's own token, unless the account is closed to programs, and by a session whose person proved itself since a time;
 * limited tokens confirm nothing.
 */
export const selectOwner = (sql: Sql, tokenHashes: Hashes, provedAfter: Date) =>
  maybe(
    Held,
    sql`select id from users
        where token_hash ${isOneOf(sql, tokenHashes)} and coalesce(open_to_programs, not is_admin)
        union all
        select user_id from user_session where token_hash ${isOneOf(sql, tokenHashes)} and proved_at > ${provedAfter}`,
  );

export const selectPerson = (sql: Sql, userId: bigint) =>
  maybe(
    Person,
    sql`select telegram_id as "telegramId", blocked_at is not null as "isBlocked" from users where id = ${userId}`,
  );

export const selectConfirmedBy = (sql: Sql, telegramId: bigint) =>
  maybe(Held, sql`select id from users where telegram_id = ${telegramId}`);

/** Serialises the calls of one messaging account. */
export const lockTelegram = (sql: Sql, telegramId: bigint) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`telegram ${telegramId}`}, 0))`;

/** Undefined when it was confirmed before. */
export const setTelegram = (sql: Sql, userId: bigint, telegramId: bigint) =>
  maybe(
    Held,
    sql`update users set telegram_id = ${telegramId} where id = ${userId} and telegram_id is null and blocked_at is null returning id`,
  );

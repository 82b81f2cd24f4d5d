import { z } from "zod/mini";
import { all, maybe, one, type Sql, type Tx } from "../platform/db/db.ts";
import type { Hashes } from "./users.sql.ts";

const TokenRow = z.object({
  id: z.bigint(),
  name: z.string(),
  siteIds: z.nullable(z.array(z.int())),
  priceMax: z.nullable(z.bigint()),
  budgetDay: z.nullable(z.bigint()),
  spentToday: z.bigint(),
  createdAt: z.date(),
  expiresAt: z.nullable(z.date()),
  usedAt: z.nullable(z.date()),
});
export type TokenRow = z.infer<typeof TokenRow>;

export const selectTokens = (sql: Sql, userId: bigint, at: Date, size: number) =>
  all(
    TokenRow,
    sql`select t.id, t.name, t.sites as "siteIds", t.price_max as "priceMax", t.budget_day as "budgetDay",
               coalesce(d.spent, 0) as "spentToday", t.created_at as "createdAt", t.expires_at as "expiresAt", t.used_at as "usedAt"
        from user_token t
        left join user_token_day d on d.token_id = t.id and d.day = (${at}::timestamptz at time zone 'UTC')::date
        where t.user_id = ${userId} and t.revoked_at is null
        order by coalesce(t.expires_at <= ${at}, false), t.id desc limit ${size}`,
  );

/** Locks the user until the transaction ends; returns the number of valid tokens. */
export const countLiving = async (tx: Tx, userId: bigint, at: Date): Promise<number> => {
  await tx`select 1 from users where id = ${userId} for no key update`;
  const { count } = await one(
    z.object({ count: z.int() }),
    tx`select count(*)::integer as count from user_token
       where user_id = ${userId} and revoked_at is null and (expires_at is null or expires_at > ${at})`,
  );
  return count;
};

export const selectAccountTokenUsed = (sql: Sql, userId: bigint) =>
  one(
    z.object({ usedAt: z.nullable(z.date()) }),
    sql`select token_used_at as "usedAt" from users where id = ${userId}`,
  );

export const insertToken = (
  tx: Tx,
  token: {
    userId: bigint;
    name: string;
    hash: Buffer;
    keyId: number;
    siteIds: readonly number[] | null;
    priceMax: bigint | null;
    budgetDay: bigint | null;
    expiresAt: Date | null;
    at: Date;
  },
) =>
  one(
    z.object({ id: z.bigint() }),
    tx`insert into user_token (user_id, name, token_hash, key_id, sites, price_max, budget_day, created_at, expires_at)
       values (${token.userId}, ${token.name}, ${token.hash}, ${token.keyId}, ${token.siteIds}::integer[], ${token.priceMax}, ${token.budgetDay},
         ${token.at}, ${token.expiresAt})
       returning id`,
  );

/** What was hashed with the key before is hashed with the key: a limited token, or that of a session. */
export const renewHash = (sql: Sql, [own, before]: Hashes, keyId: number) =>
  sql`with program as (
        update user_token set token_hash = ${own}, key_id = ${keyId} where token_hash = ${before ?? null}::bytea
      )
      update user_session set token_hash = ${own}, key_id = ${keyId} where token_hash = ${before ?? null}::bytea`;

export const deleteTokens = (sql: Sql, before: Date) =>
  sql`delete from user_token where revoked_at < ${before} or expires_at < ${before}`;

export const revokeTokens = (tx: Tx, userId: bigint, at: Date) =>
  tx`update user_token set revoked_at = ${at} where user_id = ${userId} and revoked_at is null`;

export const revokeToken = (tx: Tx, userId: bigint, tokenId: bigint, at: Date) =>
  maybe(
    z.object({ id: z.bigint() }),
    tx`update user_token set revoked_at = ${at}
       where id = ${tokenId} and user_id = ${userId} and revoked_at is null returning id`,
  );

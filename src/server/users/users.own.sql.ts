import { z } from "zod/mini";
import { avatarOfNew } from "../../contract/limits.ts";
import { maybe, type Sql, type Tx } from "../platform/db/db.ts";
import { isOneOf } from "../platform/seal.ts";
import type { Hashes } from "./users.sql.ts";

export const selectPasswordHash = (sql: Sql, userId: bigint) =>
  maybe(
    z.object({ passwordHash: z.string() }),
    sql`select password_hash as "passwordHash" from users where id = ${userId}`,
  );

/** Whether it was still the one that was asked for. */
export const replacePassword = async (
  tx: Tx,
  userId: bigint,
  { from, to }: { from: string; to: string },
): Promise<boolean> =>
  (
    await tx`update users set password_hash = ${to}
             where id = ${userId} and password_hash = ${from} and blocked_at is null`
  ).count > 0;

const Id = z.object({ id: z.bigint() });

/** The account that left an address since then, and can go back to it by the mail that told of it. */
export const selectLeft = (sql: Sql, email: string, since: Date) =>
  maybe(
    Id,
    sql`select u.id from owner_notice n join users u on u.id = n.user_id
        where n.kind = 'email-changed' and n.address = ${email} and n.link_hash is not null and n.created_at > ${since}
          and u.blocked_at is null
        order by n.id desc limit 1`,
  );

export const selectByEmail = (sql: Sql, email: string) =>
  maybe(Id, sql`select id from users where email = ${email}`);

/** A name that was made of the old address follows. */
export const setEmail = (tx: Tx, userId: bigint, email: string) =>
  tx`update users set email = ${email},
       name = case when name = split_part(email, '@', 1) then split_part(${email}, '@', 1) else name end
     where id = ${userId}`;

const Closing = z.object({ telegramId: z.nullable(z.bigint()) });

/** The messaging account that confirmed it, before that is forgotten. */
export const selectTelegram = (tx: Tx, userId: bigint) =>
  maybe(Closing, tx`select telegram_id as "telegramId" from users where id = ${userId}`);

/** `telegram`: the mark that stays. Who was invited by it is invited by nobody from now on, so that it earns nothing more. */
export const forgetUser = async (
  tx: Tx,
  userId: bigint,
  { telegram, at }: { telegram: Hashes | undefined; at: Date },
): Promise<void> => {
  await tx`
    update users set email = 'closed-' || id || '@closed.invalid', name = '', avatar = ${avatarOfNew}, language = 'en', telegram_id = null,
      is_investor = false, blocked_at = coalesce(blocked_at, ${at}), closed_at = ${at}
    where id = ${userId}`;
  await tx`update users set referred_by = null where referred_by = ${userId}`;
  await tx`delete from user_mark
           where user_id = ${userId} and not (kind = 'telegram' and ${telegram ? tx`hash ${isOneOf(tx, telegram)}` : tx`false`})`;
  await tx`delete from user_token where user_id = ${userId}`;
  await tx`delete from owner_notice where user_id = ${userId}`;
  await tx`delete from user_code where user_id = ${userId}`;
  await tx`delete from user_code_earlier where user_id = ${userId}`;
  await tx`delete from user_code_try where user_id = ${userId}`;
};

/** Whether a closed account was confirmed by the messaging account of these marks. */
export const hasClosed = async (sql: Sql, telegram: Hashes): Promise<boolean> =>
  (
    await sql`select 1 from user_mark m join users u on u.id = m.user_id
              where m.kind = 'telegram' and m.hash ${isOneOf(sql, telegram)} and u.closed_at is not null limit 1`
  ).length > 0;

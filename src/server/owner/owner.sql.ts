import { z } from "zod/mini";
import { openThings } from "../../contract/account/owner.ts";
import { all, maybe, type Sql, type Tx } from "../platform/db/db.ts";

const Owner = z.object({
  email: z.string(),
  language: z.string(),
  isActive: z.boolean(),
});

/** Locked until the transaction ends. Undefined once it is closed. */
export const lockOwner = (tx: Tx, userId: bigint) =>
  maybe(
    Owner,
    tx`select email, language, activated_at is not null as "isActive" from users
       where id = ${userId} and closed_at is null for no key update`,
  );

/** Locks what the account has: nothing can be bought with it until the transaction ends. */
export const lockMoney = (tx: Tx, userId: bigint) =>
  tx`select from account where user_id = ${userId} order by id for update`;

/** What is not decided yet, of each kind how many. */
export const selectOpen = (sql: Sql, userId: bigint) =>
  all(
    z.object({ what: z.enum(openThings), count: z.int() }),
    sql`select what, count::integer from (
          select 'orders' as what, count(*) from orders where user_id = ${userId} and status = 'pending'
          union all
          select 'payments', count(*) from payment
            where user_id = ${userId} and state in ('awaiting', 'underpaid', 'confirming', 'review')
          union all
          select 'reports', count(*) from investor_share where buyer_id = ${userId} and complaint = 'review'
          union all
          select 'earnings', count(*) from account
            where user_id = ${userId} and book in ('referrals.held', 'soft.held', 'investor.held') and balance > 0
          union all
          select 'batches', count(*) from investor_batch i join batch b on b.id = i.batch_id
            where i.user_id = ${userId}
              and (i.state in ('stored', 'sampling', 'review') or i.state = 'active' and b.withdrawn_at is null)
          union all
          select 'withdrawals', count(*) from withdrawal where user_id = ${userId} and closed_at is null
          union all
          select 'role', count(*) from users where id = ${userId} and is_admin) open
        where count > 0`,
  );

/** What is kept of an account beside what its calls tell. */
export const selectChats = (sql: Sql, userId: bigint) =>
  all(
    z.object({ chatId: z.bigint(), language: z.string() }),
    sql`select chat_id as "chatId", language from bot_chat where user_id = ${userId} order by chat_id`,
  );

export const selectNotices = (sql: Sql, userId: bigint) =>
  all(
    z.object({ kind: z.string(), address: z.string(), at: z.date(), times: z.int() }),
    sql`select kind, address, created_at as at, times from owner_notice where user_id = ${userId} order by id desc`,
  );

export const selectIdentifiers = (sql: Sql, userId: bigint) =>
  all(
    z.object({ kind: z.string(), expiresAt: z.nullable(z.date()) }),
    sql`select kind, expires_at as "expiresAt" from user_mark where user_id = ${userId} order by kind, expires_at`,
  );

export const selectChoices = (sql: Sql, userId: bigint) =>
  all(
    z.object({ site: z.string(), pattern: z.string(), at: z.date() }),
    sql`select s.name as site, c.pattern, c.chosen_at as at from code_choice c join site s on s.id = c.site_id
        where c.user_id = ${userId} order by c.chosen_at desc`,
  );

const Person = z.object({
  language: z.string(),
  telegramId: z.nullable(z.bigint()),
  activatedAt: z.nullable(z.date()),
  isReferred: z.boolean(),
});

export const selectPerson = (sql: Sql, userId: bigint) =>
  maybe(
    Person,
    sql`select language, telegram_id as "telegramId", activated_at as "activatedAt", referred_by is not null as "isReferred"
        from users where id = ${userId}`,
  );

export const selectWords = (sql: Sql, userId: bigint) =>
  all(
    z.object({ word: z.string() }),
    sql`select word from referral_word where user_id = ${userId} order by chosen_at desc, key`,
  );

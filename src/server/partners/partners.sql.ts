import { z } from "zod/mini";
import { all, maybe, one, type Sql, type Tx } from "../platform/db/db.ts";

const Owner = z.object({ userId: z.bigint() });
const Word = z.object({ word: z.string(), chosenAt: z.date() });
const Person = z.object({ email: z.string() });
const Count = z.object({ count: z.int() });

/** Undefined for a word without an owner, or of a blocked partner. */
export const selectOwner = (sql: Sql, word: string) =>
  maybe(
    Owner,
    sql`select w.user_id as "userId" from referral_word w join users on users.id = w.user_id
        where w.key = ${word.toLowerCase()} and users.blocked_at is null`,
  );

/** Serializes changes of one partner's words. */
export const lockWords = (sql: Sql, userId: bigint) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`referral words ${userId}`}, 0))`;

/** The current one first. */
export const selectWords = (sql: Sql, userId: bigint) =>
  all(
    Word,
    sql`select word, chosen_at as "chosenAt" from referral_word where user_id = ${userId} order by chosen_at desc, key`,
  );

/** Its words, when the account is closed: links with them bring nobody to it. */
export const forgetUser = (tx: Tx, userId: bigint) => tx`delete from referral_word where user_id = ${userId}`;

/** Undefined when another user owns the word. */
export const putWord = (sql: Sql, { userId, word, at }: { userId: bigint; word: string; at: Date }) =>
  maybe(
    Word,
    sql`insert into referral_word as old (key, word, user_id, chosen_at)
        values (${word.toLowerCase()}, ${word}, ${userId}, ${at})
        on conflict (key) do update set word = excluded.word, chosen_at = excluded.chosen_at where old.user_id = excluded.user_id
        returning word, chosen_at as "chosenAt"`,
  );

export const selectPerson = (sql: Sql, userId: bigint) =>
  maybe(Person, sql`select email from users where id = ${userId}`);

export const countReferrals = (sql: Sql, userId: bigint) =>
  one(Count, sql`select count(*)::integer as count from users where referred_by = ${userId}`);

const Listed = z.object({ userId: z.bigint(), email: z.string(), blocked: z.boolean() });

const everyPartner = (sql: Sql) => sql`
  with book as (select user_id, balance, book from account where book in ('referrals', 'soft', 'referrals.held', 'soft.held')),
  partner as (
    select user_id, coalesce(sum(due), 0) as due
    from (select user_id, balance as due from book where book in ('referrals', 'soft')
          union all select user_id, 0 from book
          union all select user_id, 0 from referral_word) t
    group by user_id)`;

export const selectPartners = (sql: Sql, skip: number, size: number) =>
  all(
    Listed,
    sql`${everyPartner(sql)}
        select u.id as "userId", u.email, u.blocked_at is not null as blocked
        from partner p join users u on u.id = p.user_id order by p.due desc, u.id offset ${skip} limit ${size}`,
  );

export const countPartners = (sql: Sql) =>
  one(Count, sql`${everyPartner(sql)} select count(*)::integer as count from partner`);

const AccountLink = z.object({
  userId: z.bigint(),
  email: z.string(),
  partnerId: z.bigint(),
  partnerEmail: z.string(),
  reasons: z.array(z.enum(["telegram", "wallet", "address", "email", "blocked", "inactive"])),
  foundAt: z.date(),
  referrals: z.bigint(),
  referralsCount: z.int(),
  soft: z.bigint(),
  softCount: z.int(),
});
export type AccountLink = z.infer<typeof AccountLink>;

const linkColumns = (sql: Sql) => sql`
  k.user_id as "userId", u.email, k.partner_id as "partnerId", p.email as "partnerEmail", k.reasons, k.found_at as "foundAt",
  k.referrals, k.referrals_count as "referralsCount", k.soft, k.soft_count as "softCount"`;

export const selectHeld = (sql: Sql, skip: number, size: number) =>
  all(
    AccountLink,
    sql`select ${linkColumns(sql)}
        from partner_tie k join users u on u.id = k.user_id join users p on p.id = k.partner_id
        where k.state = 'held' order by k.found_at, k.user_id, k.partner_id offset ${skip} limit ${size}`,
  );

export const countHeld = (sql: Sql) =>
  one(Count, sql`select count(*)::integer as count from partner_tie where state = 'held'`);

/** Undefined when nothing waits for a decision. Blocks new earnings by this buyer until the transaction ends. */
export const lockHeld = (sql: Sql, userId: bigint, partnerId: bigint) =>
  maybe(
    AccountLink,
    sql`select ${linkColumns(sql)}
        from partner_tie k join users u on u.id = k.user_id join users p on p.id = k.partner_id
        where k.user_id = ${userId} and k.partner_id = ${partnerId} and k.state = 'held' for update of k`,
  );

export const setDecided = (
  sql: Sql,
  { userId, partnerId }: Pick<AccountLink, "userId" | "partnerId">,
  state: "released" | "refused",
  at: Date,
) =>
  sql`update partner_tie set state = ${state}, decided_at = ${at}
      where user_id = ${userId} and partner_id = ${partnerId}`;

import { usualSharePpm } from "../investors/investors.ts";
import type { Sql } from "../platform/db/db.ts";
import { begins, idOf, usersThatBegin } from "./office.find.sql.ts";
import type { Part, Source } from "./office.page.sql.ts";

const ppmInPercent = 10_000;

export const users: Source<"users"> = {
  rows: (sql) => sql`select * from users`,
  cells: (sql) => ({
    id: sql`r.id`,
    email: sql`r.email`,
    created: sql`r.created_at`,
    active: sql`r.activated_at is not null`,
    confirmed: sql`r.telegram_id is not null`,
    blocked: sql`r.blocked_at is not null`,
    investor: sql`r.is_investor`,
    admin: sql`r.is_admin`,
    role: sql`case when r.is_admin then coalesce(r.office_role, 'owner') end`,
    balance: sql`coalesce((select a.balance from account a where a.user_id = r.id and a.book = 'balance'), 0)`,
  }),
  filters: {
    active: (sql, wanted) => (wanted ? sql`r.activated_at is not null` : sql`r.activated_at is null`),
    blocked: (sql, wanted) => (wanted ? sql`r.blocked_at is not null` : sql`r.blocked_at is null`),
    investor: (sql, wanted) => (wanted ? sql`r.is_investor` : sql`not r.is_investor`),
    admin: (sql, wanted) => (wanted ? sql`r.is_admin` : sql`not r.is_admin`),
  },
  search: (sql, text, lower) => sql`
    r.id = any (array(
      select id from users where id = ${idOf(text)}::bigint
      union all (${usersThatBegin(sql, lower)})))`,
};

/** Earned is what is due, was asked for and was paid: an operator may have taken some back. */
const paidOf = (sql: Sql, book: Part) => sql`
  (select coalesce(sum(t.amount), 0)::bigint from account a join transfer t on t.debit = a.id and t.debit >= 1000
   where a.user_id = r.id and a.book in (${book}, ${book} || '.asked') and t.kind = 'payout')`;

const askedOf = (sql: Sql, book: Part) => sql`
  coalesce((select a.balance from account a where a.user_id = r.id and a.book = ${book} || '.asked'), 0)`;

export const partners: Source<"partners"> = {
  rows: (sql) => sql`
    select u.id, u.email, u.blocked_at, p.referrals_due, p.soft_due, p.held
    from (
      select user_id, coalesce(sum(balance) filter (where book = 'referrals'), 0)::bigint as referrals_due,
             coalesce(sum(balance) filter (where book = 'soft'), 0)::bigint as soft_due,
             coalesce(sum(balance) filter (where book in ('referrals.held', 'soft.held')), 0)::bigint as held
      from (
        select user_id, book, balance from account
        where book <> 'balance' and user_id is not null and book in ('referrals', 'soft', 'referrals.held', 'soft.held')
        union all select user_id, '', 0 from referral_word) b
      group by user_id) p
    join users u on u.id = p.user_id`,
  cells: (sql) => ({
    id: sql`r.id`,
    email: sql`r.email`,
    blocked: sql`r.blocked_at is not null`,
    referrals: sql`r.referrals_due + ${askedOf(sql, sql`'referrals'`)} + ${paidOf(sql, sql`'referrals'`)}`,
    referrals_due: sql`r.referrals_due`,
    soft: sql`r.soft_due + ${askedOf(sql, sql`'soft'`)} + ${paidOf(sql, sql`'soft'`)}`,
    soft_due: sql`r.soft_due`,
    due: sql`r.referrals_due + r.soft_due`,
    held: sql`r.held`,
  }),
  search: (sql, text, lower) => sql`(r.id = ${idOf(text)}::bigint or ${begins(sql, sql`r.email`, lower)})`,
};

export const investors: Source<"investors"> = {
  rows: (sql) => sql`
    select u.id, u.email, coalesce(a.balance, 0) as due, coalesce(h.balance, 0) as held
    from (
      select id from users where is_investor
      union select user_id from investor_batch
      union select user_id from account where book <> 'balance' and user_id is not null and book = 'investor') i
    join users u on u.id = i.id left join account a on a.user_id = u.id and a.book = 'investor'
    left join account h on h.user_id = u.id and h.book = 'investor.held'`,
  cells: (sql) => ({
    id: sql`r.id`,
    email: sql`r.email`,
    share: sql`coalesce((select t.share_ppm from investor_terms t where t.user_id = r.id), ${usualSharePpm}::integer)
               / ${ppmInPercent}::double precision`,
    batches: sql`(select count(*) from investor_batch i where i.user_id = r.id)`,
    earned: sql`r.due + ${askedOf(sql, sql`'investor'`)} + ${paidOf(sql, sql`'investor'`)}`,
    paid: paidOf(sql, sql`'investor'`),
    due: sql`r.due`,
    held: sql`r.held`,
    flagged: sql`exists (select from investor_flag f where f.user_id = r.id and f.seen_at is null)`,
  }),
  search: (sql, text, lower) => sql`(r.id = ${idOf(text)}::bigint or ${begins(sql, sql`r.email`, lower)})`,
};

export const batches: Source<"batches"> = {
  rows: (sql) =>
    sql`select i.*, u.email, b.share_ppm, case when b.withdrawn_at is not null then 'withdrawn' when i.freed_at is not null then 'freed' else i.state end as state_now,
      t.tried as sample_tried, t.opened as sample_opened from investor_batch i join users u on u.id = i.user_id join batch b on b.id = i.batch_id
      cross join lateral (select count(s.tried_at) as tried, count(*) filter (where s.opened) as opened
                          from batch_sample s where s.batch_id = i.batch_id) t`,
  cells: (sql) => ({
    id: sql`r.batch_id`,
    user: sql`r.user_id`,
    email: sql`r.email`,
    created: sql`r.created_at`,
    state: sql`r.state_now`,
    reason: sql`coalesce(r.reason, case when r.second_look_at is not null then 'busy' end)`,
    tried: sql`coalesce(r.tried, case when r.decided_at is null then 0 end) + r.sample_tried`,
    opened: sql`coalesce(r.opened, case when r.decided_at is null then 0 end) + r.sample_opened`,
    said: sql`r.said`,
    flagged: sql`exists (select from investor_flag f where f.user_id = r.user_id and f.batch_id = r.batch_id and f.seen_at is null)`,
    domains: sql`array(
      select d.name from mail_domain d
      where d.id in (select domain_id from lot where batch_id = r.batch_id
                     union select domain_id from held_lot where batch_id = r.batch_id) order by d.name)`,
    count: sql`r.taken`,
    alive: sql`(select coalesce(sum(l.live), 0)::bigint from lot l where l.batch_id = r.batch_id)`,
    share: sql`r.share_ppm / ${ppmInPercent}::double precision`,
    amount: sql`(select coalesce(sum(e.amount), 0)::bigint from batch_earning e where e.batch_id = r.batch_id)`,
    held: sql`(select coalesce(sum(e.held), 0)::bigint from batch_earning e where e.batch_id = r.batch_id)`,
  }),
  search: (sql, text, lower) =>
    sql`(r.batch_id = ${idOf(text)}::bigint or ${begins(sql, sql`r.email`, lower)} or r.batch_id = (
      select coalesce(l.batch_id, h.batch_id)
      from mail_domain d join mailbox m on m.domain_id = d.id and m.local_part = split_part(${lower}, '@', 1)
      left join lot l on l.id = m.lot_id left join held_lot h on h.id = m.lot_id
      where d.name = split_part(${lower}, '@', 2)))`,
};

import type { Db } from "../../src/server/platform/db/db.ts";

export interface Size {
  readonly users: number;
  readonly orders: number;
  readonly payments: number;
  readonly journal: number;
  readonly sites: number;
  readonly shares: number;
}

/** Fills every table of the back office with many equal rows, which need a tie-breaker in each order. The first two users have all orders. */
export async function fillOffice(
  db: Db,
  { users, orders, payments, journal, sites, shares }: Size,
): Promise<void> {
  await db`
    insert into users (email, name, password_hash, token_hash, token_sealed, activated_at, is_admin, is_investor, blocked_at)
    select case when n % 2 = 0 then 'even' else 'odd' end || n || '@buyers.test', 'somebody', 'none', decode(md5(n::text), 'hex'), '',
           case when n % 3 > 0 then now() end, n % 50 = 0, n % 40 = 0, case when n % 30 = 0 then now() end
    from generate_series(1, ${users}::int) n`;
  await db`
    insert into site (name, blocked) select 'site' || n || '.example', n % 40 = 0 from generate_series(1, ${sites}::int) n`;
  await db`
    insert into orders (user_id, mailbox_id, price, created_at, expires_at, closed_at, site_id, domain_id, number, status)
    select u.id, n, 35000, now(), now() + interval '20 minutes', case when n % 90 > 0 then now() end, 1, 1, n / 2,
           (case when n % 90 = 0 then 'pending' when n % 3 = 0 then 'received' else 'canceled' end)::order_status
    from generate_series(2, ${orders + 1}::int) n
    join (select id, row_number() over (order by id) % 2 as half from users order by id limit 2) u on u.half = n % 2
    order by n`;
  await db`insert into address_counter (family) values ('sandbox') on conflict do nothing`;
  await db`
    insert into payment (user_id, currency, chain, usd, due, rate, rate_source, family, address_index, address, canonical, state, created_at, expires_at)
    select (select min(id) from users) + n % 7, case when n % 2 = 0 then 'trx' else 'ltc' end, 'sandbox', (1 + n % 5) * 100000000, 1000000::numeric * n, 1, 'test',
           'sandbox', n, 'address' || n, 'address' || n,
           (case when n % 70 = 0 then 'review' when n % 3 = 0 then 'expired' else 'credited' end)::payment_state,
           now(), now() + interval '1 hour'
    from generate_series(1, ${payments}::int) n`;
  await db`
    insert into audit_log (by, did, about, before, after)
    select case when n % 100 = 0 then 'operator' else 'user 1' end, case when n % 50 = 0 then 'users block' else 'users credit' end,
           'user ' || n % 1000, '{"balance": "1.0"}', '{"balance": "2.0"}'
    from generate_series(1, ${journal}::int) n`;
  await fillRest(db);
  await fillShares(db, { users, sites, shares });
  await db`analyze`;
  // Allows index-only scans, as in a live shop.
  await db`vacuum investor_share`;
}

async function fillRest(db: Db): Promise<void> {
  await db`
    insert into mail_domain (name, price, kind) select 'mail' || n || '.test', 35000 + n % 3, (case when n % 4 = 0 then 'hosted' else 'own' end)::domain_kind
    from generate_series(1, 60) n`;
  await db`insert into imap_host (host, port, failures) select 'host' || n || '.test', 993, n % 2 from generate_series(1, 30) n`;
  await db`insert into job (name, seconds, failures) select 'job ' || n, 1, n % 3 from generate_series(1, 40) n on conflict do nothing`;
  await db`
    insert into turned_away (letter_id, site_id, domain, arrived_at)
    select n, n % 3, 'sender' || n % 50 || '.example', now() - interval '1 minute' * (n % 5) from generate_series(1, 600) n`;
  await db`
    insert into referral_word (key, word, user_id, chosen_at) select 'word' || id, 'word' || id, id, now() from users order by id limit 80`;
  await db`
    insert into account (user_id, book, balance)
    select id, book, id % 4 * 100000000 from (select id from users order by id limit 120) u
    cross join unnest(array['balance', 'referrals', 'soft', 'soft.held', 'investor']) book`;
  await db`
    with made as (insert into batch (investor_id, share_ppm) select u.id, 300000 from (select id from users order by id limit 9) u
                  cross join generate_series(1, 12) returning id, investor_id)
    insert into investor_batch (batch_id, user_id, state, reason, created_at, taken, malformed, unknown_domain, duplicate_in_file, duplicate)
    select id, investor_id, case when id % 5 = 0 then 'review' else 'active' end, case when id % 5 = 0 then 'personal' end, now(), 20 + id % 3, 0, 0, 0, 0
    from made`;
  await db`insert into batch_earning (batch_id, shard, amount, count) select batch_id, 0, batch_id % 4 * 1000, 1 from investor_batch`;
  await db`
    insert into investor_flag (user_id, batch_id, flagged_at) select user_id, batch_id, now() from investor_batch where batch_id % 7 = 0`;
  await db`insert into share_refusal (batch_id, site_id, refused_at) select min(batch_id), 1, now() from investor_batch`;
  await db`
    insert into transfer (debit, credit, amount, kind, reason)
    select case when n % 3 = 0 then a.id else (select min(id) from account) end, case when n % 3 = 0 then b.id else a.id end, n * 1000, 'adjust', 'test'
    from generate_series(1, 90) n
    join (select id, row_number() over (order by id) as place from account where user_id is not null) a on a.place = 1 + n % 20
    join (select id, row_number() over (order by id) as place from account where user_id is not null) b on b.place = 2 + n % 20`;
  await db`
    insert into user_token (user_id, name, token_hash, created_at, revoked_at)
    select u.id, 'program ' || n, decode(md5(u.id || 'token' || n), 'hex'), now(), case when n % 2 = 0 then now() end
    from (select id from users order by id limit 9) u cross join generate_series(1, 4) n`;
  await db`
    insert into webhook (user_id, url, host, events, secret, told_up_to, created_at)
    select id, 'https://host' || id || '.test/secret', 'host' || id || '.test', '{letter}', '', 0, now() from users order by id limit 40`;
  await db`
    insert into outcome (site_id, since, domain_id, class, shard, count)
    select s.id, date_trunc('hour', now()), d.id, case when d.id % 4 = 0 then -1 else 3 end, c, 1 + s.id % 3
    from (select id from site order by id limit 9) s cross join (select id from mail_domain order by id limit 5) d
    cross join generate_series(0, 1) c`;
  await db`
    insert into account_day (account_id, day, credit, count)
    select a.id, current_date - d, 1000000, 1 from account a cross join generate_series(0, 9) d where a.book <> 'balance'
    on conflict do nothing`;
}

/** Shares of a hundred batches: a third held, a third waiting for the operator, a third paid back. */
async function fillShares(
  db: Db,
  { users, sites, shares }: Pick<Size, "users" | "sites" | "shares">,
): Promise<void> {
  await db`
    insert into investor_share (order_id, batch_id, site_id, user_id, buyer_id, amount, earned_at, state, proved, due_at, decided_at,
                                complaint, complained_at)
    select o.id, b.id, (select min(id) from site) + (o.id / 3 % ${sites})::integer, b.investor_id, (select min(id) from users) + o.id % ${users}, 1000, now(),
           case o.id % 3 when 0 then 'refunded' else 'held' end, false,
           case o.id % 3 when 1 then now() end, case o.id % 3 when 0 then now() end,
           case o.id % 3 when 0 then 'refunded' when 2 then 'review' end, case when o.id % 3 <> 1 then now() end
    from (select * from orders order by id limit ${shares}) o
    join batch b on b.id = (select min(batch_id) from investor_batch) + o.id % 107`;
}

// Fills a shop of any size so that the audit finds nothing: orders, letters and money by set-based statements;
// the shop's own functions then do deaths, blocked batches, new stock and reorders.
import type { Db } from "../src/server/platform/db/db.ts";
import { openOrders } from "../src/server/orders/orders.ts";

export type Size = {
  /** In each of the 50 domains; a multiple of `lotSize`. */
  mailboxesPerDomain: number;
  lotSize: number;
  /** One round is 51,000 orders: one for each (site, domain), and 20 more for the hottest site in each domain. */
  rounds: number;
};

export const domains = 50;
export const sites = 1000;
const firstDomain = 1001;
export const hottestSite = 1001;
export const hugeBuyer = 2001;
export const buyers = 2000;
export const ordersPerRound = 51_000;

/** How many of the orders are the newest: a hundredth, but not less than two rounds. */
export const newestCount = (rounds: number) =>
  Math.min(rounds, Math.max(2, Math.floor(rounds / 100))) * ordersPerRound;

const partner = 2002;
const program = 2003;
const investors = { first: 2004, count: 20 };
const batches = 40;

const bigTables = [
  "mailbox",
  "orders",
  "transfer",
  "returned",
  "letter",
  "recipient",
  "delivery",
  "order_term",
];

/** Fills an empty, migrated database; durability may be off, since everything is flushed at the end. */
export async function seed(db: Db, size: Size): Promise<void> {
  const connection = await db.reserve();
  const say = async (name: string, statements: string) => {
    const start = performance.now();
    await connection.unsafe(statements);
    const took = (performance.now() - start) / 1000;
    if (took > 1) console.log(`  ${name}: ${took.toFixed(0)} s`);
  };
  try {
    await say(
      "settings",
      `set maintenance_work_mem = '1GB'; set work_mem = '256MB'; set synchronous_commit = off;
       -- Foreign keys of rows that are made from one another need no look-up each.
       set session_replication_role = replica;`,
    );
    await say("people", people);
    const indexes = await connection<{ name: string; made: string }[]>`
      select indexname as name, indexdef as made from pg_indexes
      where schemaname = 'public' and tablename = any (${bigTables})
        and indexname not in (select conname from pg_constraint)`;
    await say("drop", indexes.map(({ name }) => `drop index ${name};`).join("\n"));
    for (const [name, statements] of Object.entries(fills(size))) await say(name, statements);
    for (const { name, made } of indexes) await say(name, made);
    await say("vacuum", "vacuum analyze");
    for (const [name, statements] of Object.entries(afterwards(size))) await say(name, statements);
    await reorder(db);
    await say("vacuum", "vacuum analyze");
    await say("settings", "reset all; checkpoint");
  } finally {
    connection.release();
  }
}

function fills(size: Size): Record<string, string> {
  return { ...shelves(size), ...allOrders(size), ...money(size), ...lists(), ...stock(size), ...letters() };
}

const people = `
    insert into users (id, email, password_hash, token_hash, token_sealed, name, activated_at, referred_by) overriding system value
      select n, 'user' || n || '@buyers.test', 'none', decode(md5(n::text), 'hex'), '', 'user ' || n, now(),
             case when n <= ${buyers} and n % 2 = 0 then ${partner} end
      from generate_series(1, ${investors.first + investors.count - 1}) n;
    select setval('users_id_seq', (select max(id) from users));
    select open_accounts(array_agg(id), array_agg('balance'::text)) from users;
    select open_accounts(array[${partner}, ${program}]::bigint[], array['referrals', 'soft']);
    select open_accounts(array_agg(id), array_agg('investor'::text)) from users where id >= ${investors.first};
    select move_money(4, a.id, case a.user_id when ${hugeBuyer} then 20000000000000 else 200000000000 end, 'adjust', 'seed ' || a.id, 'for the bench', 0)
      from account a where a.book = 'balance' and a.user_id <= ${hugeBuyer} order by a.id;
    -- Paid in before anything was ordered.
    update transfer set at = date_trunc('day', now()) - interval '31 days'`;

const shelves = ({ mailboxesPerDomain, lotSize }: Size) => ({
  catalogue: `
    insert into site (id, name) overriding system value
      select 1000 + n, 'site' || n || '.example' from generate_series(1, ${sites}) n;
    select setval('site_id_seq', ${1000 + sites});
    insert into mail_domain (id, name, price, live) overriding system value
      select ${firstDomain} + n, 'mail' || n || '.test', 350000 + n * 1000, ${mailboxesPerDomain} from generate_series(0, ${domains - 1}) n;
    select setval('mail_domain_id_seq', ${firstDomain + domains - 1});
    insert into batch (id, investor_id, share_ppm, title) overriding system value
      select n, case when n % 2 = 0 then ${investors.first} + n / 2 % ${investors.count} end, case when n % 2 = 0 then 300000 else 0 end, 'batch ' || n
      from generate_series(1, ${batches}) n;
    select setval('batch_id_seq', ${batches})`,
  mailboxes: `
    insert into lot (id, batch_id, domain_id, first_id, last_id, live) overriding system value
      select n, n % ${batches} + 1, (n - 1) / ${mailboxesPerDomain / lotSize} + ${firstDomain}, (n - 1) * ${lotSize}::bigint + 1, n * ${lotSize}::bigint, ${lotSize}
      from generate_series(1, ${(domains * mailboxesPerDomain) / lotSize}) n;
    select setval('lot_id_seq', (select max(id) from lot));
    insert into mailbox (id, lot_id, domain_id, local_part)
      select n, (n - 1) / ${lotSize} + 1, (n - 1) / ${mailboxesPerDomain} + ${firstDomain}, 'u' || left(md5(n::text), 8) || n
      from generate_series(1, ${domains * mailboxesPerDomain}) n;
    update mailbox_counter set next_id = ${domains * mailboxesPerDomain + 1}`,
});

// Everything is computed from the order's place n, so nothing is sorted. A round visits each slot once, in a scattered order;
// its turn within a pair is the place of the mailbox in the domain.
const allOrders = ({ mailboxesPerDomain, rounds }: Size) => {
  const last = rounds * ordersPerRound;
  const pending = Math.min(20_000, Math.floor(last / 200));
  return {
    orders: `
      insert into orders (id, user_id, number, mailbox_id, price, created_at, expires_at, closed_at, soft_id, site_id, domain_id, status, hidden, idempotency_key)
        overriding system value
        select 40000000000 + n,
               case when n % 51 = 0 then (n / 51 - 1) % ${buyers} + 1 else ${hugeBuyer} end,
               case when n % 51 = 0 then (n / 51 - 1) / ${buyers} + 1 else n - n / 51 end,
               domain * ${mailboxesPerDomain}::bigint + turn, 350000 + domain * 1000,
               at, case status when 'pending' then now() + interval '1 day' else at + interval '20 minutes' end,
               case status when 'received' then at + interval '2 minutes' when 'canceled' then at + interval '5 minutes'
                           when 'expired' then at + interval '20 minutes' end,
               case when n % 10 = 0 then ${program} end, site, ${firstDomain} + domain, status::order_status,
               status = 'received' and chance % 5 = 0, case when n % 100 = 0 then 'key ' || n end
        from generate_series(1, ${last}) n
        cross join lateral (select (n * 7919::bigint % ${ordersPerRound})::integer as slot, (n - 1) / ${ordersPerRound} as round,
                                   (hashint4(n)::bigint & 65535)::integer as chance) a
        cross join lateral (select slot % ${domains} as domain,
                                   case when slot < ${sites * domains} then slot / ${domains} else 0 end + ${hottestSite} as site,
                                   case when slot >= ${sites * domains} then round * 21 + 2 + (slot - ${sites * domains}) / ${domains}
                                        when slot < ${domains} then round * 21 + 1
                                        else round + 1 end as turn,
                                   date_trunc('day', now()) - interval '30 days' + n * (interval '29 days' / ${last}) as at,
                                   case when n > ${last - pending} then 'pending' when chance % 100 < 55 then 'received'
                                        when chance % 100 < 85 then 'canceled' else 'expired' end as status) b;
      select setval('orders_id_seq', ${40_000_000_000 + last})`,
  };
};

// Of old orders first, then of the newest: entries are written as time passes, and an audit of what is new tells them by their ids.
const money = ({ rounds }: Size) => {
  const last = 40_000_000_000 + rounds * ordersPerRound;
  const newest = last - newestCount(rounds);
  return {
    "transfers of old orders": transfers(`o.id <= ${newest}`),
    "transfers of new ones": transfers(`o.id > ${newest}`),
    ...sums,
  };
};

const transfers = (which: string) => `
    insert into transfer (debit, credit, amount, order_id, at, kind)
      select a.id, 1, o.price, o.id, o.created_at, 'hold'
      from orders o join account a on a.user_id = o.user_id and a.book = 'balance'
      where ${which} order by o.id;
    insert into transfer (debit, credit, amount, order_id, at, kind)
      select 1, t.account, t.amount, o.id, o.closed_at, t.kind::transfer_kind
      from orders o
      join account a on a.user_id = o.user_id and a.book = 'balance'
      join mailbox m on m.id = o.mailbox_id join lot l on l.id = m.lot_id join batch b on b.id = l.batch_id
      left join account owner on owner.user_id = b.investor_id and owner.book = 'investor'
      cross join (select id from account where user_id = ${partner} and book = 'referrals') as bringer
      cross join (select id from account where user_id = ${program} and book = 'soft') as writer
      cross join lateral (select case when o.user_id <= ${buyers} and o.user_id % 2 = 0 then partner_share(o.price) else 0 end as referral,
                                 case when o.soft_id is not null then partner_share(o.price) else 0 end as soft,
                                 o.price * b.share_ppm / 1000000 as investor) share
      cross join lateral (values
        ('refund', a.id, case when o.status in ('canceled', 'expired') then o.price end),
        ('referral', bringer.id, case when o.status = 'received' then share.referral end),
        ('soft', writer.id, case when o.status = 'received' then share.soft end),
        ('investor', owner.id, case when o.status = 'received' then share.investor end),
        ('capture', 2, case when o.status = 'received' then o.price - share.referral - share.soft - share.investor end)
      ) as t (kind, account, amount)
      where ${which} and t.amount > 0 order by o.id`;

const sums = {
  legs: `
    create temp table leg as
      select debit, credit, (at at time zone 'UTC')::date as day, order_id is null as is_other, sum(amount) as amount, count(*) as count
      from transfer group by 1, 2, 3, 4`,
  sums: `
    update account a set balance = t.amount
      from (select account_id, sum(amount) as amount
            from (select credit as account_id, amount from leg union all select debit, -amount from leg) e group by 1) t
      where t.account_id = a.id and a.id >= 1000;
    insert into account_day (account_id, day, shard, credit, debit, count)
      select a.id, e.day, 0, sum(e.credit), sum(e.debit), sum(e.count)
      from (select credit as account_id, day, amount as credit, 0 as debit, count from leg where not is_other
            union all select debit, day, 0, amount, 0 from leg where not is_other) e
      join account a on a.id = e.account_id and a.book <> 'balance' group by 1, 2;
    insert into batch_earning (batch_id, shard, amount, count)
      select l.batch_id, 0, sum(t.amount), count(*)
      from transfer t join orders o on o.id = t.order_id join mailbox m on m.id = o.mailbox_id join lot l on l.id = m.lot_id
      where t.kind = 'investor' group by 1;
    insert into account_day as old (account_id, day, unserved)
      select 1, (closed_at at time zone 'UTC')::date, count(*) from orders where status in ('canceled', 'expired') group by 2
      on conflict (account_id, day, shard) do update set unserved = excluded.unserved`,
};

const lists = () => ({
  lists: `
    insert into buyer_gap (user_id, block, gone)
      select user_id, number / 256, count(*) from orders where status in ('canceled', 'expired') or hidden group by 1, 2;
    insert into buyer_span (user_id, span, gone) select user_id, block / 256, sum(gone) from buyer_gap group by 1, 2;
    update buyer b set orders_count = t.count, revision = t.count, waiting_count = t.waiting
      from (select user_id, count(*), count(*) filter (where status = 'pending') as waiting from orders group by 1) t
      where t.user_id = b.user_id;
    update buyer b set gone_count = t.gone from (select user_id, sum(gone) as gone from buyer_span group by 1) t where t.user_id = b.user_id`,
});

const stock = ({ lotSize }: Size) => ({
  stock: `
    insert into stock (site_id, domain_id, taken, next_id, end_id, lot_id)
      select t.site_id, t.domain_id, t.held, t.last + 1, l.last_id, l.id
      from (select site_id, domain_id, max(mailbox_id) as last, count(*) filter (where status in ('pending', 'received')) as held
            from orders group by 1, 2) t
      join lot l on l.id = (t.last - 1) / ${lotSize} + 1`,
  returned: `
    insert into returned (site_id, domain_id, lot_id, mailbox_id, at)
      select site_id, domain_id, (mailbox_id - 1) / ${lotSize} + 1, mailbox_id, closed_at from orders where status in ('canceled', 'expired')`,
});

const letters = () => ({
  letters: `
    select add_letter_partitions(min(closed_at), clock_timestamp(), 6) from orders;
    insert into letter (id, arrived_at, judged_at, is_given, size_bytes, mail_from, sender, sender_domain, subject) overriding system value
      select id - 40000000000, closed_at, closed_at, true, 4, 'news@site.example', 'Site <news@site.example>', 'site.example', 'Welcome'
      from orders where status = 'received';
    insert into letter_raw (letter_id, arrived_at, raw) select id, arrived_at, 'none'::bytea from letter;
    insert into letter_body (letter_id, arrived_at, html, code)
      select id - 40000000000, closed_at, '<p>Your code</p>'::bytea, right(id::text, 6) from orders where status = 'received';
    select setval('letter_id_seq', (select max(id) from letter));
    insert into recipient (letter_id, mailbox_id) select id - 40000000000, mailbox_id from orders where status = 'received';
    insert into delivery (order_id, letter_id, delivered_at) select id, id - 40000000000, closed_at from orders where status = 'received'`,
  terms: `
    insert into order_term (user_id, term, number, code_at)
      select user_id, right(id::text, 6), number, closed_at from orders where status = 'received'`,
});

/** The huge buyer reorders a thousand addresses; half of the orders wait, the others are canceled. */
async function reorder(db: Db): Promise<void> {
  const orders = openOrders(db, { ttlSeconds: 86_400 });
  const userId = BigInt(hugeBuyer);
  const received = await db<{ id: bigint }[]>`
    select id from orders where user_id = ${userId} and status = 'received' order by number desc limit 1000`;
  const placed = await Promise.all(received.map(({ id }) => orders.reorder({ userId, orderId: id })));
  const stands = placed.flatMap((answer) => ("orderId" in answer ? [answer.orderId] : []));
  const even = stands.filter((_, place) => place % 2 === 0);
  await Promise.all(even.map((orderId) => orders.cancel({ userId, orderId })));
}

const afterwards = ({ mailboxesPerDomain, lotSize }: Size): Record<string, string> => {
  const mailboxes = domains * mailboxesPerDomain;
  return {
    "one of a hundred mailboxes dies": `select set_dead(array_agg(id), true) from mailbox where id % 100 = 7`,
    "a tenth of them returns": `select set_dead(array_agg(id), false) from mailbox where id % 1000 = 7`,
    "each batch shuns five sites": `
      select block_batch(b, 1001 + (b * 7 + k * 211) % ${sites}) from generate_series(1, ${batches}) b, generate_series(0, 4) k`,
    "two batches shun the hottest site": `select block_batch(3, ${hottestSite}), block_batch(4, ${hottestSite})`,
    "batches may serve again": `
      select unblock_batch(batch_id, site_id) from (select * from batch_block order by site_id, batch_id limit 20) t`,
    "new stock": `
      select add_stock(b, ${firstDomain}, (select array_agg('new' || b || '.' || n) from generate_series(1, ${lotSize}) n), null) from generate_series(1, 5) b`,
    "deaths among the sold": `
      select set_dead(array_agg(mailbox_id), true) from (select distinct mailbox_id from orders where site_id = ${hottestSite} and mailbox_id < ${mailboxes} and hashint8(id) % 50 = 0) t`,
  };
};

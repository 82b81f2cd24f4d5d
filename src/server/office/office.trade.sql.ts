import { secondsAfter } from "../platform/clock.ts";
import { nameCoins } from "../payments/payments.ts";
import { officeTotalMax } from "../../contract/limits.ts";
import { officeTables } from "../../contract/office/office.ts";
import type { Sql } from "../platform/db/db.ts";
import { idOf, keysThatBegin, mailboxesThatBegin, ofUsers } from "./office.find.sql.ts";
import { hoursSince } from "./office.hours.sql.ts";
import type { Asked, Part, Source } from "./office.page.sql.ts";

const daysMax = 366;

export const days: Source<"days"> = {
  rows: (sql, { now }) => sql`
    select to_char(d.day, 'YYYY-MM-DD') as day, h.registrations, h.letters, m.orders, m.received, m.unserved, m.revenue, m.top_ups
    from (
      select generate_series(greatest(coalesce(first.day, today.day), today.day - ${daysMax - 1}::integer), today.day, interval '1 day')::date
      from (select (${now}::timestamptz at time zone 'UTC')::date as day) today
      left join (select (created_at at time zone 'UTC')::date as day from users order by id limit 1) first on true) d (day)
    left join (
      select (hour at time zone 'UTC')::date as day, sum(registrations)::bigint as registrations, sum(letters)::bigint as letters
      from (${hoursSince(sql, secondsAfter(now, -daysMax * 24 * 60 * 60))}) one group by 1) h on h.day = d.day
    left join (
      select s.day, (sum(s.count) filter (where a.book = 'escrow'))::bigint as orders,
             (sum(s.unserved) filter (where a.book = 'escrow'))::bigint as unserved,
             (sum(s.count) filter (where a.book = 'revenue'))::bigint as received,
             (sum(s.credit - s.debit) filter (where a.book = 'revenue'))::bigint as revenue,
             (sum(s.debit) filter (where a.book like 'topup.%'))::bigint as top_ups
      from account a join account_day s on s.account_id = a.id and s.day > (${now}::timestamptz at time zone 'UTC')::date - ${daysMax}::integer
      where a.id < 1000 group by s.day) m on m.day = d.day`,
  cells: (sql) => ({
    day: sql`r.day`,
    registrations: sql`coalesce(r.registrations, 0)`,
    orders: sql`coalesce(r.orders, 0)`,
    received: sql`coalesce(r.received, 0)`,
    unserved: sql`coalesce(r.unserved, 0)`,
    letters: sql`coalesce(r.letters, 0)`,
    revenue: sql`coalesce(r.revenue, 0)`,
    top_ups: sql`coalesce(r.top_ups, 0)`,
  }),
};

const { reach } = officeTables.orders;

/** Pending orders have an index. Of the others only so many are read as the contract says: an index by state would be written with each order. */
function orderRows(sql: Sql, { filters, descending, since, until }: Asked): Part {
  const user = filters.get("user");
  const later = since ? sql`id >= orders_from(${since}::timestamptz)` : sql`true`;
  const earlier = until ? sql`id < orders_from(${until}::timestamptz) + 20000` : sql`true`;
  const within = sql`${later} and ${earlier}`;
  if (filters.get("state") === "pending")
    return sql`select * from orders where id = any (array(select id from orders where status = 'pending'))`;
  const way = descending ? sql`desc` : sql``;
  if (!filters.has("state")) return sql`select * from orders where ${within}`;
  return typeof user === "string"
    ? sql`select * from orders where user_id = ${BigInt(user)} and ${within} order by number ${way} limit ${reach}`
    : sql`select * from orders where ${within} order by id ${way} limit ${reach}`;
}

export const orders: Source<"orders"> = {
  rows: orderRows,
  cells: (sql) => ({
    id: sql`r.id`,
    user: sql`r.user_id`,
    email: sql`(select m.local_part || '@' || d.name from mailbox m join mail_domain d on d.id = m.domain_id where m.id = r.mailbox_id)`,
    site: sql`(select s.name from site s where s.id = r.site_id)`,
    state: sql`r.status::text`,
    price: sql`r.price`,
    created: sql`r.created_at`,
    ended: sql`r.closed_at`,
  }),
  // A buyer's orders are numbered in the order of their ids.
  order: (sql, { filters }) => (filters.has("user") ? { id: sql`r.number` } : {}),
  search: (sql, text, lower) => sql`
    r.id = any (array(
      select ${idOf(text)}::bigint
      union all (${ordersAt(sql, lower)})
      union all (${ofUsers(sql, { table: sql`orders`, number: sql`number` }, lower)})
      union all (${ordersFor(sql, lower)})))`,
};

const most = officeTotalMax + 1;

/** An address finds all orders of its mailbox, which may be thousands. */
const ordersAt = (sql: Sql, text: string): Part => sql`
  select o.id from (${mailboxesThatBegin(sql, text)}) m
  cross join lateral (
    (select id from orders where mailbox_id = m.id and status in ('pending', 'received') and reorder_of is null)
    union all
    (select id from orders where mailbox_id = m.id and status in ('pending', 'received') and reorder_of is not null)
    union all
    (select id from orders where mailbox_id = m.id and status in ('canceled', 'expired') order by id desc limit ${most})) o
  limit ${most}`;

const sitesMax = 20;

/** By the beginning of the site, for which orders have no index: among the newest, and only where there is such a site. */
const ordersFor = (sql: Sql, text: string): Part => sql`
  select n.id
  from (select array(${keysThatBegin(sql, { key: sql`id`, table: sql`site`, column: sql`name` }, text)} ) as ids) s
  cross join lateral (
    select id, site_id from orders where cardinality(s.ids) > 0 order by id desc limit ${reach}) n
  where n.site_id = any (s.ids[:${sitesMax}])
  limit ${most}`;

/** "12.5 trx": the asked amount in coins. */
function coinsOf(value: unknown): string {
  const [units = "", id = ""] = String(value).split(" ");
  return nameCoins(BigInt(units), id);
}

export const payments: Source<"payments"> = {
  rows: (sql) => sql`select * from payment`,
  cells: (sql) => ({
    id: sql`r.id`,
    user: sql`r.user_id`,
    created: sql`r.created_at`,
    currency: sql`r.currency`,
    dollars: sql`r.usd`,
    coins: sql`r.due || ' ' || r.currency`,
    credited: sql`r.credited`,
    state: sql`r.state::text`,
    review: sql`(select e.detail->>'why' from payment_event e where e.payment_id = r.id and r.state = 'review'
                 order by e.id desc limit 1)`,
    sandbox: sql`r.chain = 'sandbox'`,
  }),
  filters: { state: (sql, wanted) => sql`r.state = ${String(wanted)}::text::payment_state` },
  tell: { coins: coinsOf },
  search: (sql, text, lower) => sql`
    r.id = any (array(
      select ${idOf(text)}::bigint
      union all (${ofUsers(sql, { table: sql`payment`, number: sql`id` }, lower)})
      union all select id from payment where address = ${text}
      union all select t.payment_id from chain_cursor c join chain_transfer t on t.chain = c.chain and t.txid = ${text}))`,
};

export const withdrawals: Source<"withdrawals"> = {
  rows: (sql) => sql`select * from withdrawal`,
  beside: (sql) => sql`join users u on u.id = r.user_id`,
  cells: (sql) => ({
    id: sql`r.id`,
    asked: sql`r.asked_at`,
    state: sql`r.state`,
    email: sql`u.email`,
    user: sql`r.user_id`,
    book: sql`r.book`,
    dollars: sql`r.amount`,
    currency: sql`r.currency`,
    coins: sql`r.units || ' ' || r.currency`,
    address: sql`r.address`,
    transaction: sql`r.txid`,
    checked: sql`r.checked`,
    found: sql`case when r.found = 'unknown transaction' then 'missing' when r.found = 'chain unreachable' then 'silent' when r.found is not null then 'mismatch' end`,
    ended: sql`r.closed_at`,
    reason: sql`r.reason`,
  }),
  tell: { coins: coinsOf },
  search: (sql, text, lower) => sql`
    (r.id = ${idOf(text)}::bigint or r.address = ${text} or r.txid = ${text}
     or r.id = any (array(${ofUsers(sql, { table: sql`withdrawal`, number: sql`asked_at` }, lower)})))`,
};

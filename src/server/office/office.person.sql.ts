import { adjustmentDays } from "../../contract/limits.ts";
import { peopleTables } from "../../contract/office/people.ts";
import type { Sql } from "../platform/db/db.ts";
import { begins, idOf, keysThatBegin } from "./office.find.sql.ts";
import type { Asked, Part, Source } from "./office.page.sql.ts";

const { reach } = peopleTables.money;

const sides = [
  { place: 0, column: "debit", sign: -1 },
  { place: 1, column: "credit", sign: 1 },
] as const;

/** The transfers of an order, of a payment or of one user, each by an index; else the newest ones. */
function transfersOf(sql: Sql, { filters }: Asked): Part {
  const [order, payment, user] = [filters.get("order"), filters.get("payment"), filters.get("user")];
  if (typeof order === "string") return sql`(select * from transfer where order_id = ${BigInt(order)})`;
  if (typeof payment === "string")
    return sql`
      (select l.* from chain_transfer c join transfer l on l.kind = 'topup' and l.idempotency_key = c.chain || ':' || c.txid || ':' || c.idx
       where c.payment_id = ${BigInt(payment)})`;
  if (typeof user === "string") return sql`transfer`;
  return sql`(select * from transfer order by id desc limit ${reach})`;
}

function moneyRows(sql: Sql, asked: Asked): Part {
  const user = asked.filters.get("user");
  const whose = typeof user === "string" ? sql`a.user_id = ${BigInt(user)}` : sql`a.user_id is not null`;
  const [debits, credits] = sides.map(
    ({ place, column, sign }) => sql`
      select t.id * 2 + ${place}::integer as line, a.user_id, a.book, t.at, t.kind::text as kind,
             t.amount * ${sign}::integer as amount, t.order_id, t.reason, t.idempotency_key as key
      from account a join ${transfersOf(sql, asked)} t on t.${sql(column)} = a.id where ${whose}`,
  );
  return sql`${debits ?? sql``} union all ${credits ?? sql``}`;
}

export const money: Source<"money"> = {
  rows: moneyRows,
  cells: (sql) => ({
    line: sql`r.line`,
    user: sql`r.user_id`,
    at: sql`r.at`,
    book: sql`r.book`,
    kind: sql`r.kind`,
    moved: sql`r.amount`,
    order: sql`r.order_id`,
    payment: sql`(
      select c.payment_id from chain_transfer c
      where r.kind = 'topup' and c.chain = split_part(r.key, ':', 1) and c.txid = split_part(r.key, ':', 2) and c.idx = split_part(r.key, ':', 3))`,
    reason: sql`r.reason`,
  }),
};

export const tokens: Source<"tokens"> = {
  rows: (sql) => sql`select * from user_token`,
  cells: (sql) => ({
    id: sql`r.id`,
    user: sql`r.user_id`,
    name: sql`r.name`,
    created: sql`r.created_at`,
    expires: sql`r.expires_at`,
    revoked: sql`r.revoked_at`,
  }),
};

export const webhooks: Source<"webhooks"> = {
  rows: (sql) => sql`select * from webhook`,
  cells: (sql) => ({
    id: sql`r.id`,
    user: sql`r.user_id`,
    host: sql`r.host`,
    events: sql`r.events::text[]`,
    enabled: sql`r.disabled_at is null`,
    failures: sql`r.failures`,
    created: sql`r.created_at`,
  }),
};

/** The orders that ended in the last seven days, by site and mail domain. */
export const outcomes: Source<"outcomes"> = {
  rows: (sql, { now }) => sql`
    select s.name as site, d.name as domain, o.orders, o.received
    from (
      select site_id, domain_id, sum(count)::bigint as orders,
             coalesce(sum(count) filter (where class >= 0), 0)::bigint as received
      from outcome where since > ${now}::timestamptz - interval '7 days' group by site_id, domain_id) o
    join site s on s.id = o.site_id join mail_domain d on d.id = o.domain_id`,
  cells: (sql) => ({
    id: sql`r.site || ' ' || r.domain`,
    site: sql`r.site`,
    domain: sql`r.domain`,
    orders: sql`r.orders`,
    received: sql`r.received`,
    unserved: sql`r.orders - r.received`,
    success: sql`100 * r.received / r.orders::double precision`,
  }),
  search: (sql, _, lower) =>
    sql`(${begins(sql, sql`r.site`, lower)} or ${begins(sql, sql`r.domain`, lower)})`,
};

/** Money changed by hand: the newest first, those that wait among them. */
export const questions: Source<"questions"> = {
  rows: (sql) =>
    sql`select *, case when answered_at is null then 'waits' else 'answered' end as state from question`,
  beside: (sql) => sql`join users u on u.id = r.user_id`,
  cells: (sql) => ({
    id: sql`r.id`,
    asked: sql`r.asked_at`,
    state: sql`r.state`,
    user: sql`r.user_id`,
    email: sql`u.email`,
    order: sql`r.order_id`,
    payment: sql`r.payment_id`,
    topic: sql`r.topic`,
    text: sql`r.text`,
    answer: sql`r.answer`,
    answered: sql`r.answered_at`,
  }),
  search: (sql, text, lower) => sql`
    (${idOf(text)}::bigint in (r.id, r.order_id, r.payment_id, r.user_id)
     or r.user_id = any (array(${keysThatBegin(sql, { key: sql`id`, table: sql`users`, column: sql`email` }, lower)})))`,
};

export const adjustments: Source<"adjustments"> = {
  rows: (sql, { now }) => sql`
    select *, case when state = 'waits' and asked_at <= ${now}::timestamptz - make_interval(days => ${adjustmentDays}::integer)
                   then 'expired' else state end as state_now
    from adjustment`,
  beside: (sql) => sql`
    join users u on u.id = r.user_id join users a on a.id = r.asked_by left join users d on d.id = r.decided_by`,
  cells: (sql) => ({
    id: sql`r.id`,
    asked: sql`r.asked_at`,
    by: sql`a.email`,
    decided: sql`case when r.decided_at is not null then coalesce(d.email, 'operator') end`,
    user: sql`r.user_id`,
    email: sql`u.email`,
    book: sql`r.book`,
    change: sql`r.amount`,
    reason: sql`r.reason`,
    state: sql`r.state_now`,
  }),
  search: (sql, text) => sql`r.id = ${idOf(text)}::bigint`,
};

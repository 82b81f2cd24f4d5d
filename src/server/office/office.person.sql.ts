import { adjustmentDays } from "../../contract/limits.ts";
import { peopleTables } from "../../contract/office/people.ts";
import type { Sql } from "../platform/db/db.ts";
import { begins, idOf } from "./office.find.sql.ts";
import type { Part, Source } from "./office.page.sql.ts";

const { reach } = peopleTables.money;

const sides = [
  { place: 0, column: "debit", sign: -1 },
  { place: 1, column: "credit", sign: 1 },
] as const;

/** The lines of one user by the index of the accounts; without a user the newest transfers. */
function moneyRows(sql: Sql, user: unknown): Part {
  const transfers =
    typeof user === "string" ? sql`transfer` : sql`(select * from transfer order by id desc limit ${reach})`;
  const whose = typeof user === "string" ? sql`a.user_id = ${BigInt(user)}` : sql`a.user_id is not null`;
  const [debits, credits] = sides.map(
    ({ place, column, sign }) => sql`
      select t.id * 2 + ${place}::integer as line, a.user_id, a.book, t.at, t.kind::text as kind,
             t.amount * ${sign}::integer as amount, t.order_id, t.reason
      from account a join ${transfers} t on t.${sql(column)} = a.id where ${whose}`,
  );
  return sql`${debits ?? sql``} union all ${credits ?? sql``}`;
}

export const money: Source<"money"> = {
  rows: (sql, { filters }) => moneyRows(sql, filters.get("user")),
  cells: (sql) => ({
    line: sql`r.line`,
    user: sql`r.user_id`,
    at: sql`r.at`,
    book: sql`r.book`,
    kind: sql`r.kind`,
    moved: sql`r.amount`,
    order: sql`r.order_id`,
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
    on: sql`r.disabled_at is null`,
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
  search: (sql, text) =>
    sql`(${begins(sql, sql`r.site`, text.toLowerCase())} or ${begins(sql, sql`r.domain`, text.toLowerCase())})`,
};

/** Money changed by hand: the newest first, those that wait among them. */
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

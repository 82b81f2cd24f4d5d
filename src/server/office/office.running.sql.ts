import type { Sql } from "../platform/db/db.ts";
import { begins, idOf, keysThatBegin } from "./office.find.sql.ts";
import type { Source } from "./office.page.sql.ts";

export const jobs: Source<"jobs"> = {
  rows: (sql) => sql`select * from job`,
  cells: (sql) => ({
    name: sql`r.name`,
    seconds: sql`r.seconds`,
    began: sql`r.began_at`,
    ended: sql`r.ended_at`,
    took: sql`r.took_seconds`,
    next: sql`r.due_at`,
    runs: sql`r.runs`,
    by: sql`r.leased_by`,
    failures: sql`r.failures`,
    error: sql`r.error`,
    error_at: sql`r.error_at`,
  }),
};

const stateOf = (sql: Sql) =>
  sql`case when due_at is null then 'failed' when failure is null then 'fresh' else 'retried' end`;

export const tasks: Source<"tasks"> = {
  rows: (sql) => sql`
    select id, queue, kind, key as target, user_id, created_at, due_at, tries, failure from task where done_at is null
    union all
    select d.id, 'webhooks', d.event, w.host, w.user_id, d.created_at, d.due_at, d.tries, d.failure
    from webhook_delivery d join webhook w on w.id = d.webhook_id where d.due_at is not null
    union all
    select d.id, 'webhooks', d.event, w.host, w.user_id, d.created_at, null, d.tries, d.failure
    from webhook_delivery d join webhook w on w.id = d.webhook_id where d.done_at is not null and not d.delivered`,
  cells: (sql) => ({
    id: sql`r.id`,
    queue: sql`r.queue`,
    kind: sql`r.kind`,
    target: sql`r.target`,
    user: sql`r.user_id`,
    state: stateOf(sql),
    tries: sql`r.tries::int`,
    error: sql`r.failure`,
    created: sql`r.created_at`,
    next: sql`r.due_at`,
  }),
  search: (sql, _, lower) => begins(sql, sql`r.target`, lower),
};

export const targets: Source<"targets"> = {
  rows: (sql, asked) => sql`
    select queue, target, count(*) filter (where ${stateOf(sql)} = 'fresh') as fresh,
           count(*) filter (where ${stateOf(sql)} = 'retried') as retried,
           count(*) filter (where ${stateOf(sql)} = 'failed') as failed, min(created_at) as since
    from (${tasks.rows(sql, asked)}) w group by queue, target`,
  cells: (sql) => ({
    id: sql`r.queue || ' ' || r.target`,
    target: sql`r.target`,
    queue: sql`r.queue`,
    fresh: sql`r.fresh`,
    retried: sql`r.retried`,
    failed: sql`r.failed`,
    since: sql`r.since`,
  }),
};

export const security: Source<"security"> = {
  rows: (sql) => sql`select * from security_event`,
  cells: (sql) => ({
    id: sql`r.id`,
    at: sql`r.at`,
    call: sql`r.call`,
    refused: sql`r.refused`,
    user: sql`r.user_id`,
    by: sql`r.by_id`,
    network: sql`r.network`,
    program: sql`r.program`,
  }),
};

export const journal: Source<"journal"> = {
  rows: (sql) => sql`select * from audit_log`,
  cells: (sql) => ({
    id: sql`r.id`,
    at: sql`r.at`,
    by: sql`r.by`,
    did: sql`r.did`,
    about: sql`r.about`,
    before: sql`r.before`,
    after: sql`r.after`,
    reason: sql`r.reason`,
  }),
  search: (sql, text) => sql`
    r.id = any (array(
      select ${idOf(text)}::bigint
      union all (${keysThatBegin(sql, { key: sql`id`, table: sql`audit_log`, column: sql`about` }, text)})
      union all (${keysThatBegin(sql, { key: sql`id`, table: sql`audit_log`, column: sql`did` }, text)})
      union all (${keysThatBegin(sql, { key: sql`id`, table: sql`audit_log`, column: sql`by` }, text)})))`,
};

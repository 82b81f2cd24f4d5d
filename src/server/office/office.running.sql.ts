import { idOf, keysThatBegin } from "./office.find.sql.ts";
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

import { officeTotalMax } from "../../contract/limits.ts";
import type { Sql } from "../platform/db/db.ts";
import type { Part } from "./office.page.sql.ts";

export const idOf = (text: string): bigint | null => (/^[0-9]{1,18}$/.test(text) ? BigInt(text) : null);

const last = "\u{10ffff}";

/** Whether a column begins with a text; uses an index with text_pattern_ops. */
export const begins = (sql: Sql, column: Part, text: string): Part =>
  sql`(${column} ~>=~ ${text}::text and ${column} ~<~ ${text + last}::text)`;

/** The first keys whose column begins with a text, found before they are sorted, so that the planner never walks the whole table. */
export const keysThatBegin = (
  sql: Sql,
  { key, table, column }: { key: Part; table: Part; column: Part },
  text: string,
): Part =>
  sql`select ${key} from ${table} where ${begins(sql, column, text)} order by ${column} using ~<~ limit ${officeTotalMax + 1}`;

/** A beginning that more have finds the first of them. */
const usersMax = 100;
const mailboxesMax = 1_000;
/** A shorter beginning of an address says nothing. */
const lettersMin = 3;

/** Accounts by the beginning of the email address, or of its host. */
export const usersThatBegin = (sql: Sql, text: string): Part => sql`
  (${keysThatBegin(sql, { key: sql`id`, table: sql`users`, column: sql`email` }, text)})
  union all
  (${keysThatBegin(sql, { key: sql`id`, table: sql`users`, column: sql`split_part(email, '@', 2)` }, text.replace(/^@/, ""))})`;

/** Rows of the accounts that are found by an email address, newest first; `number` grows with them. */
export const ofUsers = (
  sql: Sql,
  { table, number }: { table: Part; number: Part },
  text: string,
): Part => sql`
  select o.id
  from (select id from (${keysThatBegin(sql, { key: sql`id`, table: sql`users`, column: sql`email` }, text)}) k limit ${usersMax}) u
  cross join lateral (
    select id from ${table} where user_id = u.id order by ${number} desc limit ${officeTotalMax + 1}) o
  limit ${officeTotalMax + 1}`;

/** Mailboxes by the address, of which the end may be missing. */
export function mailboxesThatBegin(sql: Sql, text: string): Part {
  const [, local = "", domain = ""] = /^([^@]*)@?(.*)$/.exec(text) ?? [];
  if (text.includes("@"))
    return sql`
      select m.id from mail_domain d join mailbox m on m.domain_id = d.id and m.local_part = ${local}
      where ${begins(sql, sql`d.name`, domain)} limit ${mailboxesMax}`;
  if (local.length < lettersMin) return sql`select id from mailbox where false`;
  return sql`
    select id from mailbox where ${begins(sql, sql`local_part`, local)} order by local_part using ~<~ limit ${mailboxesMax}`;
}

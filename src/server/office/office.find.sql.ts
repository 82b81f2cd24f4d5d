import { officeTotalMax } from "../../contract/limits.ts";
import type { Sql } from "../platform/db/db.ts";
import type { Part } from "./office.page.sql.ts";

/** An id as it is searched for; null when the text is none. */
export const idOf = (text: string): bigint | null => (/^[0-9]{1,18}$/.test(text) ? BigInt(text) : null);

const last = "\u{10ffff}";

/** Whether a column begins with a text, by an index on it with text_pattern_ops where there is one. */
export const begins = (sql: Sql, column: Part, text: string): Part =>
  sql`(${column} ~>=~ ${text}::text and ${column} ~<~ ${text + last}::text)`;

/**
 * The first keys of those whose column begins with a text. They are found first and then put in order: whatever the planner
 * believes of a table, it never walks all of it to find a few. One more than are counted, so that it is known whether there are more.
 */
export const keysThatBegin = (
  sql: Sql,
  { key, table, column }: { key: Part; table: Part; column: Part },
  text: string,
): Part =>
  sql`select ${key} from ${table} where ${begins(sql, column, text)} order by ${column} using ~<~ limit ${officeTotalMax + 1}`;

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

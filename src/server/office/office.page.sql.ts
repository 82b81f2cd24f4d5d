import { z } from "zod/mini";
import type { CellKind, OfficeColumn, OfficeTableName, OfficeTables } from "../../contract/office/office.ts";
import { officeTotalMax } from "../../contract/limits.ts";
import { all, attempt, type Db, type Fragment, one, type Sql, type Tx } from "../platform/db/db.ts";
import { inPool } from "../platform/db/pools.ts";
import { everything, readFrom } from "../platform/db/replica.ts";

export type Part = Fragment;

export type Wanted = boolean | string;

/** What a caller asks of a table. Names are the contract's; only values come from outside. */
export interface Asked {
  readonly sort: string;
  readonly descending: boolean;
  readonly filters: ReadonlyMap<string, Wanted>;
  readonly search: string | undefined;
  readonly since: Date | undefined;
  readonly until: Date | undefined;
  readonly now: Date;
}

type Columns<Name extends OfficeTableName> = OfficeTables[Name]["columns"];
type Having<Name extends OfficeTableName, What> = {
  [Column in keyof Columns<Name>]: Columns<Name>[Column] extends What ? Column : never;
}[keyof Columns<Name>];

/** The rows of a table; `r` is a row. Keys and sort values are never null. */
export interface Source<Name extends OfficeTableName = OfficeTableName> {
  /** All rows, as a statement; with limits where reading all costs too much. */
  readonly rows: (sql: Sql, asked: Asked) => Part;
  /** A join, once for the rows of a page. */
  readonly beside?: (sql: Sql) => Part;
  readonly cells: (sql: Sql) => Readonly<Record<keyof Columns<Name>, Part>>;
  /** The sort value of a column, if not the shown one. */
  readonly order?: (sql: Sql, asked: Asked) => Readonly<Partial<Record<Having<Name, { sort: true }>, Part>>>;
  /** The filter of a column, if not equality with the shown value. */
  readonly filters?: Readonly<
    Partial<Record<Having<Name, { filter: true }>, (sql: Sql, wanted: Wanted) => Part>>
  >;
  readonly search?: (sql: Sql, text: string, lower: string) => Part;
  /** Rewrites a shown value of the database. */
  readonly tell?: Readonly<Partial<Record<keyof Columns<Name>, (value: unknown) => string>>>;
}

export interface Readable {
  readonly key: string;
  readonly columns: Readonly<Record<string, OfficeColumn>>;
  readonly time?: string;
  readonly source: Source;
}

export interface Mark {
  readonly sort: string;
  readonly key: string;
}

const Raw = z.record(z.string(), z.unknown());
const Marked = z.extend(z.catchall(z.object({}), z.unknown()), { "@sort": z.string(), "@key": z.string() });
export type MarkedRow = z.infer<typeof Marked>;

type Parts = Readonly<Record<string, Part | undefined>>;

const partOf = (parts: Parts, name: string): Part => {
  const part = parts[name];
  if (part === undefined) throw new Error(`no part of a statement stands for ${name}`);
  return part;
};

const list = (sql: Sql, parts: readonly Part[]): Part =>
  parts.reduce((before, part) => sql`${before}, ${part}`);

function orderOf(sql: Sql, { key, source }: Readable, asked: Asked) {
  const cells: Parts = source.cells(sql);
  const others: Parts = source.order?.(sql, asked) ?? {};
  return {
    by: others[asked.sort] ?? partOf(cells, asked.sort),
    key: partOf(cells, key),
  };
}

/** Key and sort value in the same direction, so that a page can begin after any row by comparing both. */
function inOrder(sql: Sql, table: Readable, asked: Asked): Part {
  const { by, key } = orderOf(sql, table, asked);
  if (asked.sort === table.key) return asked.descending ? sql`${by} desc` : by;
  return asked.descending ? sql`${by} desc, ${key} desc` : sql`${by}, ${key}`;
}

function conditions(sql: Sql, { columns, time = "", source }: Readable, asked: Asked): Part {
  const cells: Parts = source.cells(sql);
  const own: Readonly<Record<string, ((sql: Sql, wanted: Wanted) => Part) | undefined>> =
    source.filters ?? {};
  const parts = [...asked.filters].map(([name, wanted]) => {
    const part = own[name]?.(sql, wanted);
    if (part !== undefined) return part;
    const value = typeof wanted === "string" && columns[name]?.kind === "id" ? BigInt(wanted) : wanted;
    return sql`${partOf(cells, name)} = ${value}`;
  });
  if (asked.search !== undefined && source.search)
    parts.push(source.search(sql, asked.search, asked.search.toLowerCase()));
  if (asked.since) parts.push(sql`${partOf(cells, time)} >= ${asked.since}::timestamptz`);
  if (asked.until) parts.push(sql`${partOf(cells, time)} < ${asked.until}::timestamptz`);
  return parts.reduce((before, part) => sql`${before} and ${part}`, sql`true`);
}

const isAfter = (sql: Sql, table: Readable, asked: Asked, mark: Mark): Part => {
  const { by, key } = orderOf(sql, table, asked);
  const kindOf = (name: string) => table.columns[name]?.kind ?? "text";
  const lastBy = cast(sql, mark.sort, kindOf(asked.sort));
  const lastKey = cast(sql, mark.key, kindOf(table.key));
  if (asked.sort === table.key) return asked.descending ? sql`${by} < ${lastBy}` : sql`${by} > ${lastBy}`;
  return asked.descending
    ? sql`(${by}, ${key}) < (${lastBy}, ${lastKey})`
    : sql`(${by}, ${key}) > (${lastBy}, ${lastKey})`;
};

/** The database wrote the value as text, so that nothing is lost. */
function cast(sql: Sql, text: string, kind: CellKind): Part {
  switch (kind) {
    case "id":
    case "count":
    case "dollars":
      return sql`${text}::text::bigint`;
    case "number":
      return sql`${text}::text::double precision`;
    case "time":
      return sql`${text}::text::timestamptz`;
    case "flag":
      return sql`${text}::text::boolean`;
    case "text":
    case "texts":
    case "day":
    case "choice":
    case "json":
      return sql`${text}::text`;
  }
}

const patience = "20s";

/** Plans each statement for its values: one generic plan would walk a whole table for a rare one. The time-out bounds a bad plan. */
export const plan = (tx: Tx) =>
  tx`select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('statement_timeout', ${patience}, true)`;

/** On a replica, where there is one. */
export function reading<Outcome extends object>(
  db: Db,
  work: (tx: Tx) => Promise<Outcome>,
): Promise<Outcome> {
  const planned = async (tx: Tx) => {
    await plan(tx);
    return work(tx);
  };
  return inPool("reports", () => readFrom(db, everything, planned, () => attempt(db, planned)));
}

interface Cut {
  readonly size: number;
  readonly skip?: number;
  readonly after?: Mark | undefined;
}

function cutOf(sql: Sql, table: Readable, asked: Asked, { size, skip = 0, after }: Cut): Part {
  const more = after ? sql`and ${isAfter(sql, table, asked, after)}` : sql``;
  return sql`
    select r.* from (${table.source.rows(sql, asked)}) r where ${conditions(sql, table, asked)} ${more}
    order by ${inOrder(sql, table, asked)} limit ${size} offset ${skip}`;
}

/** Reads the shown columns only for the rows of the page, after they are sorted. */
function shownOf(sql: Sql, table: Readable, asked: Asked, cut: Cut, marks: Part): Part {
  const { source } = table;
  const cells = Object.entries<Part>(source.cells(sql)).map(([name, cell]) => sql`${cell} as ${sql(name)}`);
  return sql`
    select ${list(sql, cells)} ${marks}
    from (${cutOf(sql, table, asked, cut)}) r ${source.beside?.(sql) ?? sql``}
    order by ${inOrder(sql, table, asked)}`;
}

export const selectPage = (sql: Sql, table: Readable, asked: Asked, cut: { size: number; skip: number }) =>
  all(Raw, shownOf(sql, table, asked, cut, sql``));

export const selectPiece = (
  sql: Sql,
  table: Readable,
  asked: Asked,
  cut: { size: number; after: Mark | undefined },
): Promise<MarkedRow[]> => {
  const { by, key } = orderOf(sql, table, asked);
  return all(
    Marked,
    shownOf(sql, table, asked, cut, sql`, (${by})::text as "@sort", (${key})::text as "@key"`),
  );
};

/** The number of rows up to the limit; one more where there are more. */
export const countRows = async (sql: Sql, table: Readable, asked: Asked): Promise<number> => {
  const { count } = await one(
    z.object({ count: z.int() }),
    sql`select count(*)::integer as count from (
          select from (${table.source.rows(sql, asked)}) r where ${conditions(sql, table, asked)} limit ${officeTotalMax + 1}) t`,
  );
  return count;
};

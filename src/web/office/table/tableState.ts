import { withParameters } from "../../period/addressQuery.ts";
import { hasPeriod, noPeriod, type Period, periodIn } from "../../period/period.ts";
import { type OfficeColumn, type OfficeTable, officeTables } from "../../../contract/office/office.ts";

type Tables = typeof officeTables;
export type TableName = keyof Tables;

type Values<Kind> = Kind extends "flag"
  ? boolean
  : Kind extends "count" | "number" | "time"
    ? number
    : Kind extends "texts"
      ? string[]
      : string;

/** A row by column name; any cell may be empty. */
export type Row<Name extends TableName = TableName> = {
  readonly [Column in keyof Tables[Name]["columns"]]: Tables[Name]["columns"][Column] extends {
    kind: infer Kind;
  }
    ? Values<Kind> | null
    : never;
};

export type AnyRow = Readonly<Record<string, Cell>>;
export type Cell = string | number | boolean | readonly string[] | null;

type AnyColumns = Tables[TableName] extends infer Table
  ? Table extends { columns: infer Columns }
    ? Columns
    : never
  : never;
type ShownOf<Columns> = Columns extends unknown
  ? { [Name in keyof Columns]: Columns[Name] extends { hidden: true } ? never : Name }[keyof Columns]
  : never;
type ChoicesOf<Columns> = Columns extends unknown
  ? {
      [Name in keyof Columns]: Columns[Name] extends { of: readonly (infer Value)[] } ? Value : never;
    }[keyof Columns]
  : never;

/** Shown columns of all tables and values of all choices; each has a text. */
export type ColumnName = ShownOf<AnyColumns>;
export type ChoiceValue = ChoicesOf<AnyColumns>;

export const tableOf = (name: TableName): OfficeTable => officeTables[name];

export const columnsOf = (table: OfficeTable): [ColumnName, OfficeColumn][] =>
  (Object.entries(table.columns) as [ColumnName, OfficeColumn][]).filter(([, { hidden }]) => !hidden);

/** The column that identifies the row to people, else the first. */
export const headingOf = (table: OfficeTable): string =>
  table.columns[table.key]?.hidden ? (columnsOf(table)[0]?.[0] ?? table.key) : table.key;

/** Columns that stand at the end of their cells. */
export const numeric: ReadonlySet<string> = new Set(["count", "number", "dollars"]);

/** How many decimals the amounts of a column have, so that their marks stand below each other: two at least, of prices four. */
export const decimalsOf = (rows: readonly AnyRow[], column: string): number =>
  Math.max(
    column === "price" ? 4 : 2,
    ...rows.map((row) => /\.(\d*?)0*$/.exec(String(row[column]))?.[1]?.length ?? 0),
  );

export interface TableState extends Period {
  /** A column; a minus sign before it sorts descending. */
  readonly sort: string;
  readonly search: string;
  readonly filters: Readonly<Record<string, string>>;
  readonly page: number;
}

/** Parses the query of an address; drops invalid parts. */
export function readState(table: OfficeTable, query: string): TableState {
  const asked = new URLSearchParams(query);
  const sort = asked.get("sort") ?? "";
  const pairs = (asked.get("filters") ?? "").split(",").map((pair) => {
    const colon = pair.indexOf(":");
    return [pair.slice(0, colon), pair.slice(colon + 1)] as const;
  });
  return {
    sort: table.columns[sort.replace(/^-/, "")]?.sort ? sort : table.sort,
    search: table.search ? (asked.get("search") ?? "") : "",
    filters: Object.fromEntries(
      pairs.filter(([column, value]) => table.columns[column]?.filter && value !== ""),
    ),
    ...(table.time === undefined ? noPeriod : periodIn(asked)),
    page: Math.max(1, Math.trunc(Number(asked.get("page"))) || 1),
  };
}

/** The query without defaults; empty or with its question mark. */
export function queryOf(table: OfficeTable, state: TableState): string {
  const { search, since, until, sort, page } = state;
  return withParameters("", {
    search,
    filters: filtersOf(state),
    since,
    until,
    sort: sort === table.sort ? "" : sort,
    page: page > 1 ? String(page) : "",
  });
}

export const isNarrowed = (state: TableState): boolean =>
  state.search !== "" || filtersOf(state) !== "" || hasPeriod(state);

/** The filters of the contract: column:value, separated by commas. */
export const filtersOf = ({ filters }: Pick<TableState, "filters">): string =>
  Object.entries(filters)
    .map(([column, value]) => `${column}:${value}`)
    .join(",");

/** The sort after a press on a heading: the column's own order first, then the reverse. */
export const nextSort = (sort: string, column: string): string =>
  sort === column ? `-${column}` : sort === `-${column}` ? column : column;

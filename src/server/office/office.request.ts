import {
  type OfficeColumn,
  type OfficeTable,
  type OfficeTableName,
  officeTables,
} from "../../contract/office/office.ts";
import { momentOf } from "../platform/clock.ts";
import type { Asked, Wanted } from "./office.page.sql.ts";

export interface Asking {
  readonly table: OfficeTableName;
  readonly sort?: string | undefined;
  readonly search?: string | undefined;
  readonly filters?: string | undefined;
  /** Unix seconds. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** Validates a request by the contract, so that no name from outside enters a statement. */
export function readAsked(asking: Asking, now: Date): Asked | "sort" | "search" | "filters" {
  const table: OfficeTable = officeTables[asking.table];
  const [, minus, sort = ""] = /^(-?)(.*)$/s.exec(asking.sort ?? table.sort) ?? [];
  if (columnOf(table, sort)?.sort !== true) return "sort";
  const filters = readFilters(table, asking.filters ?? "");
  if (!filters) return "filters";
  const search = asking.search?.trim() || undefined;
  if (search !== undefined && !isSearchable(table, search)) return "search";
  // A table without times has no period.
  const isPeriod = (asking.since ?? asking.until) !== undefined;
  if (isPeriod && table.time === undefined) return "filters";
  const period = { since: momentOf(asking.since), until: momentOf(asking.until) };
  return { sort, descending: minus === "-", filters, search, ...period, now };
}

/** PostgreSQL takes no text with NUL. */
const isSearchable = (table: OfficeTable, text: string) => table.search === true && !text.includes("\0");

const columnOf = (table: OfficeTable, name: string): OfficeColumn | undefined =>
  Object.hasOwn(table.columns, name) ? table.columns[name] : undefined;

function readFilters(table: OfficeTable, text: string): Map<string, Wanted> | undefined {
  const filters = new Map<string, Wanted>();
  for (const pair of text.split(",").map((part) => part.trim())) {
    if (pair === "") continue;
    const [, name = "", value = ""] = /^(\w+):(.*)$/s.exec(pair) ?? [];
    const column = columnOf(table, name);
    const wanted = column?.filter === true ? readValue(column, value.trim()) : undefined;
    if (wanted === undefined || filters.has(name)) return undefined;
    filters.set(name, wanted);
  }
  return filters;
}

function readValue({ kind, of = [] }: OfficeColumn, value: string): Wanted | undefined {
  switch (kind) {
    case "flag":
      return value === "1" ? true : value === "0" ? false : undefined;
    case "id":
      return /^[0-9]{1,18}$/.test(value) ? value : undefined;
    case "choice":
      return of.includes(value) ? value : undefined;
    case "text":
      return value === "" || value.includes("\0") ? undefined : value;
    case "texts":
    case "count":
    case "number":
    case "dollars":
    case "time":
    case "day":
    case "json":
      return undefined;
  }
}

import type { z } from "zod/mini";
import type { CellKind, officeTable } from "../../contract/office/office.ts";
import { unixSeconds } from "../platform/clock.ts";
import { guarded } from "../platform/csv.ts";
import { showUsd } from "../platform/money.ts";

export type Cell = z.output<typeof officeTable.reply>["rows"][number][string];

export function cellOf(kind: CellKind, value: unknown): Cell {
  if (value === null || value === undefined) return null;
  switch (kind) {
    case "id":
    case "text":
    case "day":
    case "choice":
      return String(value as string | bigint);
    case "count":
    case "number":
      return Number(value);
    case "dollars":
      return showUsd(BigInt(value as bigint));
    case "time":
      return unixSeconds(value as Date);
    case "flag":
      return value === true;
    case "texts":
      return value as string[];
    case "json":
      return JSON.stringify(value);
  }
}

/** A cell of a CSV file: times as ISO 8601, and no text that a spreadsheet would run. */
export function writtenOf(kind: CellKind, value: unknown): string {
  if (kind === "time" && value instanceof Date) return value.toISOString();
  const cell = cellOf(kind, value);
  if (cell === null) return "";
  if (Array.isArray(cell)) return guarded(cell.join(" "));
  // An amount may begin with a minus sign.
  return kind === "dollars" ? String(cell) : typeof cell === "string" ? guarded(cell) : String(cell);
}

import type { Language } from "../../../i18n/languages.ts";
import { type OfficeObject, officeObjects, paths } from "../../paths.ts";
import { type AnyRow, type TableName, tableOf } from "../table/tableState.ts";

/** What the number of a row names. */
const ofRow: Partial<Record<TableName, OfficeObject>> = {
  users: "user",
  partners: "user",
  investors: "user",
  orders: "order",
  complaints: "order",
  payments: "payment",
  batches: "batch",
};

/** The object whose number a column holds. */
export function objectOf(name: TableName, column: string): OfficeObject | undefined {
  const table = tableOf(name);
  if (table.columns[column]?.kind !== "id") return undefined;
  if (column === table.key) return ofRow[name];
  if (name === "security" && column === "by") return "user";
  return officeObjects.find((object) => object === column);
}

/** "user 17", as the journal names what was done to, and by whom. */
export function objectNamed(text: string): { object: OfficeObject; id: string } | undefined {
  const [, name, id = ""] = /^([a-z]+) ([0-9]+)$/.exec(text) ?? [];
  const object = officeObjects.find((one) => one === name);
  return object && { object, id };
}

/** The page that a press on a row opens: that of the row, or of what the row is about. */
export function pageOfRow(language: Language, name: TableName, row: AnyRow): string | undefined {
  const { key } = tableOf(name);
  const columns = [key, "order", "letter", "payment", "batch"];
  for (const column of columns) {
    const object = objectOf(name, column);
    const id = row[column];
    if (object && typeof id === "string") return paths.officeObject(language, object, id);
  }
  const about =
    name === "journal" && typeof row["about"] === "string" ? objectNamed(row["about"]) : undefined;
  return about && paths.officeObject(language, about.object, about.id);
}

import type { OfficeColumn } from "../../../contract/office/office.ts";
import type { useOfficeText } from "../../language.tsx";
import type { ColumnName } from "./tableState.ts";

/** What a column is called; of times with their zone. */
export function headerOf(
  t: ReturnType<typeof useOfficeText>,
  name: ColumnName,
  { kind }: OfficeColumn,
): string {
  const label = t(`office.column.${name}`);
  return kind === "time" ? t("office.utc", { name: label }) : label;
}

import { useOfficeText } from "../../language.tsx";
import type { OfficeObject } from "../../paths.ts";
import { TablePart } from "../table/TablePart.tsx";

/** What was done to a thing, and by whom; nothing where nothing was. */
export function JournalPart({ object, id }: { object: OfficeObject; id: string }) {
  const t = useOfficeText();
  const about = `${object} ${id}`;
  return (
    <TablePart
      isQuiet
      name="journal"
      title={t("office.section.journal")}
      filters={{ about }}
      without="about"
      whole={{ section: "journal", query: { filters: `about:${about}` } }}
    />
  );
}

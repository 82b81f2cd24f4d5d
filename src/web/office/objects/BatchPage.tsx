import { useOfficeText } from "../../language.tsx";
import { batchActions } from "../actions/batches.tsx";
import { TablePart } from "../table/TablePart.tsx";
import { JournalPart } from "./JournalPart.tsx";
import { ObjectPage } from "./ObjectPage.tsx";

/** One batch: how its check went, what it earned and what is held of it. */
export function BatchPage() {
  const t = useOfficeText();
  return (
    <ObjectPage object="batch" name="batches" actions={batchActions}>
      {({ user }, id) => (
        <>
          <TablePart name="shares" title={t("office.section.shares")} search={id} without="batch" />
          <TablePart
            name="complaints"
            title={t("office.section.complaints")}
            filters={{ batch: id }}
            without="batch"
            whole={{ section: "complaints", query: { filters: `batch:${id}` } }}
          />
          <TablePart
            name="batches"
            title={t("office.part.batches")}
            filters={{ user: user ?? "" }}
            without="user"
            whole={{ section: "batches", query: { filters: `user:${user ?? ""}` } }}
          />
          <JournalPart object="batch" id={id} />
        </>
      )}
    </ObjectPage>
  );
}

import { BadgeCheck, Ban, Eye } from "lucide-react";
import { api } from "../../api.ts";
import { useOfficeText } from "../../language.tsx";
import type { RowAction } from "../table/RowActions.tsx";
import type { Row } from "../table/tableState.ts";
import { formText } from "../formText.ts";
import { ActionDialog, ReasonField } from "./ActionDialog.tsx";
import { Seen } from "./payouts.tsx";

interface DecideProps {
  row: Row<"batches">;
  onClose: () => void;
  decision: "approve" | "refuse";
}

function Decide({ row, onClose, decision }: DecideProps) {
  const t = useOfficeText();
  const id = row.id ?? "";
  return (
    <ActionDialog
      title={t(`office.batch.${decision}`)}
      says={t(`office.batch.${decision}.says`, { id, count: row.count ?? 0 })}
      action={t(`office.batch.${decision}`)}
      isDangerous={decision === "refuse"}
      send={(form) => api.decideBatch({ batch: id, decision, reason: formText(form, "reason") })}
      done={() => t("office.batch.decided", { id })}
      onClose={onClose}
    >
      <ReasonField name="reason" hint={t("office.reason.kept")} />
    </ActionDialog>
  );
}

export const batchActions: readonly RowAction<Row<"batches">>[] = [
  {
    label: "office.batch.approve",
    Icon: BadgeCheck,
    fits: ({ state }) => state === "review",
    Dialog: (props) => <Decide {...props} decision="approve" />,
  },
  {
    label: "office.batch.refuse",
    Icon: Ban,
    fits: ({ state }) => state === "stored" || state === "sampling" || state === "review",
    Dialog: (props) => <Decide {...props} decision="refuse" />,
  },
  {
    label: "office.seen.mark",
    Icon: Eye,
    fits: ({ flagged, state }) => flagged === true && state === "refused",
    Dialog: ({ row, onClose }) => (
      <Seen user={row.user ?? ""} name={row.email ?? `#${row.user ?? ""}`} onClose={onClose} />
    ),
  },
];

import { BadgeCheck, Ban, Eye, PackageCheck, PackageX, Undo2 } from "lucide-react";
import type { BatchDecision } from "../../../contract/office/acts.ts";
import { api } from "../../api.ts";
import { useOfficeText } from "../../language.tsx";
import type { RowAction, RowDialogProps } from "../table/RowActions.tsx";
import type { Row } from "../table/tableState.ts";
import { ActionDialog } from "./ActionDialog.tsx";
import { Seen } from "./payouts.tsx";

type DecideProps = RowDialogProps<Row<"batches">> & { decision: BatchDecision };

function Decide({ row, onClose, decision }: DecideProps) {
  const t = useOfficeText();
  const id = row.id ?? "";
  return (
    <ActionDialog
      title={t(`office.batch.${decision}`)}
      says={t(`office.batch.${decision}.says`, { id, count: row.count ?? 0 })}
      isDangerous={decision === "refuse"}
      reason="kept"
      send={(_, reason) => api.decideBatch({ batch: id, decision, reason })}
      done={() => t("office.batch.decided", { id })}
      onClose={onClose}
    />
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
    label: "office.batch.withdraw",
    Icon: PackageX,
    fits: ({ state }) => state === "active",
    Dialog: (props) => <Decide {...props} decision="withdraw" />,
  },
  {
    label: "office.batch.restore",
    Icon: PackageCheck,
    fits: ({ state }) => state === "withdrawn",
    Dialog: (props) => <Decide {...props} decision="restore" />,
  },
  {
    label: "office.batch.free",
    Icon: Undo2,
    fits: ({ state, opened }) => state === "refused" && opened === 0,
    Dialog: (props) => <Decide {...props} decision="free" />,
  },
  {
    label: "office.seen.mark",
    Icon: Eye,
    fits: ({ flagged, state }) => flagged === true && (state === "refused" || state === "freed"),
    Dialog: ({ row, onClose }) => (
      <Seen user={row.user ?? ""} name={row.email ?? `#${row.user ?? ""}`} onClose={onClose} />
    ),
  },
];

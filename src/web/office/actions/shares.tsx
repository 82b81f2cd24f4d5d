import { BadgeCheck, Ban, Undo2 } from "lucide-react";
import { api } from "../../api.ts";
import { exactPrice } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import type { RowAction, RowDialogProps } from "../table/RowActions.tsx";
import type { Row } from "../table/tableState.ts";
import { ActionDialog } from "./ActionDialog.tsx";

type OfShares = RowDialogProps<Row<"shares">> & { decision: "release" | "refuse" };

function DecideShares({ row, onClose, decision }: OfShares) {
  const t = useOfficeText();
  const language = useLanguage();
  const [batch, site] = [row.batch ?? "", row.site ?? ""];
  const held = exactPrice(language, row.held ?? "0");
  return (
    <ActionDialog
      title={t(`office.shares.${decision}`)}
      says={t(`office.shares.${decision}.says`, { batch, site, held })}
      isDangerous={decision === "refuse"}
      reason="kept"
      send={(_, reason) => api.decideShares({ batch, site, decision, reason })}
      done={() => t("office.done.held")}
      onClose={onClose}
    />
  );
}

export const shareActions: readonly RowAction<Row<"shares">>[] = [
  {
    label: "office.shares.release",
    Icon: BadgeCheck,
    Dialog: (props) => <DecideShares {...props} decision="release" />,
  },
  {
    label: "office.shares.refuse",
    Icon: Ban,
    fits: ({ orders }) => (orders ?? 0) > 0,
    Dialog: (props) => <DecideShares {...props} decision="refuse" />,
  },
];

type OfComplaint = RowDialogProps<Row<"complaints">> & { decision: "refund" | "refuse" };

function DecideComplaint({ row, onClose, decision }: OfComplaint) {
  const t = useOfficeText();
  const language = useLanguage();
  const id = row.id ?? "";
  const holes = { name: row.email ?? `#${row.user ?? ""}`, price: exactPrice(language, row.price ?? "0") };
  return (
    <ActionDialog
      title={t(`office.complaint.${decision}`)}
      says={t(`office.complaint.${decision}.says`, holes)}
      isDangerous={decision === "refuse"}
      reason="kept"
      send={(_, reason) => api.decideComplaint({ order: id, decision, reason })}
      done={() => t("office.done.held")}
      onClose={onClose}
    />
  );
}

const isOpen = ({ state }: Row<"complaints">) => state === "review";

export const complaintActions: readonly RowAction<Row<"complaints">>[] = [
  {
    label: "office.complaint.refund",
    Icon: Undo2,
    fits: isOpen,
    Dialog: (props) => <DecideComplaint {...props} decision="refund" />,
  },
  {
    label: "office.complaint.refuse",
    Icon: Ban,
    fits: isOpen,
    Dialog: (props) => <DecideComplaint {...props} decision="refuse" />,
  },
];

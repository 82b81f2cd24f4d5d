import { BadgeCheck, Ban, Undo2 } from "lucide-react";
import { api } from "../../api.ts";
import { exactPrice } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import type { RowAction } from "../table/RowActions.tsx";
import type { Row } from "../table/tableState.ts";
import { formText } from "../formText.ts";
import { ActionDialog, ReasonField } from "./ActionDialog.tsx";

interface OfShares {
  row: Row<"shares">;
  onClose: () => void;
  decision: "release" | "refuse";
}

/** Decides about what a batch is held for a site. */
function Decide({ row, onClose, decision }: OfShares) {
  const t = useOfficeText();
  const language = useLanguage();
  const [batch, site] = [row.batch ?? "", row.site ?? ""];
  const held = exactPrice(language, row.held ?? "0");
  return (
    <ActionDialog
      title={t(`office.shares.${decision}`)}
      says={t(`office.shares.${decision}.says`, { batch, site, held })}
      action={t(`office.shares.${decision}`)}
      isDangerous={decision === "refuse"}
      send={(form) => api.decideShares({ batch, site, decision, reason: formText(form, "reason") })}
      done={() => t("office.done.held")}
      onClose={onClose}
    >
      <ReasonField name="reason" hint={t("office.reason.kept")} />
    </ActionDialog>
  );
}

export const shareActions: readonly RowAction<Row<"shares">>[] = [
  {
    label: "office.shares.release",
    Icon: BadgeCheck,
    Dialog: (props) => <Decide {...props} decision="release" />,
  },
  {
    label: "office.shares.refuse",
    Icon: Ban,
    fits: ({ orders }) => (orders ?? 0) > 0,
    Dialog: (props) => <Decide {...props} decision="refuse" />,
  },
];

interface OfComplaint {
  row: Row<"complaints">;
  onClose: () => void;
  decision: "refund" | "refuse";
}

/** Decides about one complaint. */
function Answer({ row, onClose, decision }: OfComplaint) {
  const t = useOfficeText();
  const language = useLanguage();
  const id = row.id ?? "";
  const holes = { name: row.email ?? `#${row.user ?? ""}`, price: exactPrice(language, row.price ?? "0") };
  return (
    <ActionDialog
      title={t(`office.complaint.${decision}`)}
      says={t(`office.complaint.${decision}.says`, holes)}
      action={t(`office.complaint.${decision}`)}
      isDangerous={decision === "refuse"}
      send={(form) => api.decideComplaint({ order: id, decision, reason: formText(form, "reason") })}
      done={() => t("office.done.held")}
      onClose={onClose}
    >
      <ReasonField name="reason" hint={t("office.reason.kept")} />
    </ActionDialog>
  );
}

const isOpen = ({ state }: Row<"complaints">) => state === "review";

export const complaintActions: readonly RowAction<Row<"complaints">>[] = [
  {
    label: "office.complaint.refund",
    Icon: Undo2,
    fits: isOpen,
    Dialog: (props) => <Answer {...props} decision="refund" />,
  },
  {
    label: "office.complaint.refuse",
    Icon: Ban,
    fits: isOpen,
    Dialog: (props) => <Answer {...props} decision="refuse" />,
  },
];

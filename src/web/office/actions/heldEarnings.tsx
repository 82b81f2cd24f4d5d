import { BadgeCheck, Ban } from "lucide-react";
import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { api } from "../../api.ts";
import { exactPrice } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import type { RowAction, RowDialogProps } from "../table/RowActions.tsx";
import { ActionDialog } from "./ActionDialog.tsx";

export type HeldRow = Reply<Endpoints["heldEarnings"]>["data"][number];

/** The decision about two accounts is final. */
function Decide({ row, onClose, decision }: RowDialogProps<HeldRow> & { decision: "release" | "refuse" }) {
  const t = useOfficeText();
  const language = useLanguage();
  const holes = {
    partner: row.partner.email,
    buyer: row.buyer.email,
    referrals: exactPrice(language, row.referrals),
    soft: exactPrice(language, row.soft),
  };
  return (
    <ActionDialog
      title={t(`office.held.${decision}`)}
      says={t(`office.held.${decision}.says`, holes)}
      isDangerous={decision === "refuse"}
      reason="note"
      send={(_, note) => api.decideHeld({ partner: row.partner.id, buyer: row.buyer.id, decision, note })}
      done={() => t("office.done.held")}
      onClose={onClose}
    />
  );
}

export const heldActions: readonly RowAction<HeldRow>[] = [
  {
    label: "office.held.release",
    Icon: BadgeCheck,
    Dialog: (props) => <Decide {...props} decision="release" />,
  },
  { label: "office.held.refuse", Icon: Ban, Dialog: (props) => <Decide {...props} decision="refuse" /> },
];

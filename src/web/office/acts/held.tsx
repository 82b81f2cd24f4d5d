import { BadgeCheck, Ban } from "lucide-react";
import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { api } from "../../api.ts";
import { exactPrice } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import type { RowAct } from "../RowActs.tsx";
import { typed } from "../typed.ts";
import { ActDialog, noReason, ReasonField } from "./ActDialog.tsx";

export type HeldRow = Reply<Endpoints["heldEarnings"]>["data"][number];

/** Decides for good about two accounts. */
function Decide({
  row,
  onClose,
  decision,
}: {
  row: HeldRow;
  onClose: () => void;
  decision: "release" | "refuse";
}) {
  const t = useOfficeText();
  const language = useLanguage();
  const holes = {
    partner: row.partner.email,
    buyer: row.buyer.email,
    referrals: exactPrice(language, row.referrals),
    soft: exactPrice(language, row.soft),
  };
  return (
    <ActDialog
      title={t(`office.held.${decision}`)}
      says={t(`office.held.${decision}.says`, holes)}
      action={t(`office.held.${decision}`)}
      isDangerous={decision === "refuse"}
      send={async (form) => {
        const note = typed(form, "note");
        if (note === "") return noReason;
        return api.decideHeld({ partner: row.partner.id, buyer: row.buyer.id, decision, note });
      }}
      done={() => t("office.done.held")}
      onClose={onClose}
    >
      <ReasonField name="note" hint={t("office.reason.read")} />
    </ActDialog>
  );
}

export const heldActs: readonly RowAct<HeldRow>[] = [
  {
    label: "office.held.release",
    Icon: BadgeCheck,
    Dialog: (props) => <Decide {...props} decision="release" />,
  },
  { label: "office.held.refuse", Icon: Ban, Dialog: (props) => <Decide {...props} decision="refuse" /> },
];

import { BadgeCheck, Ban, Undo2 } from "lucide-react";
import { api } from "../../api.ts";
import { exactPrice } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import type { RowAct } from "../RowActs.tsx";
import type { Row } from "../tables.ts";
import { typed } from "../typed.ts";
import { ActDialog, ReasonField } from "./ActDialog.tsx";

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
    <ActDialog
      title={t(`office.shares.${decision}`)}
      says={t(`office.shares.${decision}.says`, { batch, site, held })}
      action={t(`office.shares.${decision}`)}
      isDangerous={decision === "refuse"}
      send={(form) => api.decideShares({ batch, site, decision, reason: typed(form, "reason") })}
      done={() => t("office.done.held")}
      onClose={onClose}
    >
      <ReasonField name="reason" hint={t("office.reason.kept")} />
    </ActDialog>
  );
}

export const shareActs: readonly RowAct<Row<"shares">>[] = [
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
    <ActDialog
      title={t(`office.complaint.${decision}`)}
      says={t(`office.complaint.${decision}.says`, holes)}
      action={t(`office.complaint.${decision}`)}
      isDangerous={decision === "refuse"}
      send={(form) => api.decideComplaint({ order: id, decision, reason: typed(form, "reason") })}
      done={() => t("office.done.held")}
      onClose={onClose}
    >
      <ReasonField name="reason" hint={t("office.reason.kept")} />
    </ActDialog>
  );
}

const isOpen = ({ state }: Row<"complaints">) => state === "review";

export const complaintActs: readonly RowAct<Row<"complaints">>[] = [
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

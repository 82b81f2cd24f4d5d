import { BadgeCheck, Ban, Play } from "lucide-react";
import { api } from "../../api.ts";
import { exactPrice } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import type { RowAction, RowDialogProps } from "../table/RowActions.tsx";
import type { Row } from "../table/tableState.ts";
import { ActionDialog } from "./ActionDialog.tsx";

type OfPayment = RowDialogProps<Row<"payments">>;

const verdicts = ["credit", "credit_locked", "reject"] as const;

/** Only a transfer that is final on the chain can be credited; the server checks. */
function Decide({ row, onClose, verdict }: OfPayment & { verdict: (typeof verdicts)[number] }) {
  const t = useOfficeText();
  const language = useLanguage();
  const id = row.id ?? "";
  return (
    <ActionDialog
      title={t(`office.payment.${verdict}`)}
      says={t(`office.payment.${verdict}.says`, { id, asked: exactPrice(language, row.dollars ?? "0") })}
      isDangerous={verdict === "reject"}
      reason="kept"
      send={(_, reason) => api.decidePayment({ id, verdict, reason })}
      done={() => t("office.payment.decided", { id })}
      onClose={onClose}
    />
  );
}

function PlayPayer({ row, onClose }: OfPayment) {
  const t = useOfficeText();
  const language = useLanguage();
  const id = row.id ?? "";
  return (
    <ActionDialog
      title={t("office.payment.play")}
      says={t("office.payment.play.says", { id, asked: exactPrice(language, row.dollars ?? "0") })}
      send={() => api.confirmPayment({ id })}
      done={() => t("office.payment.played", { id })}
      onClose={onClose}
    />
  );
}

/** Under review, or over without credit: a transfer may have come all the same. The latter cannot be rejected. */
const creditable = new Set<unknown>(["review", "expired", "expired_partial", "rejected"]);
const open = new Set<unknown>(["awaiting", "underpaid"]);

const icons = { credit: BadgeCheck, credit_locked: BadgeCheck, reject: Ban };

const decisions = verdicts.map((verdict): RowAction<Row<"payments">> => ({
  label: `office.payment.${verdict}`,
  Icon: icons[verdict],
  fits: ({ state }) => (verdict === "reject" ? state === "review" : creditable.has(state)),
  Dialog: (props) => <Decide {...props} verdict={verdict} />,
}));

export const paymentActions: readonly RowAction<Row<"payments">>[] = [
  ...decisions,
  {
    label: "office.payment.play",
    Icon: Play,
    fits: ({ state, sandbox }) => sandbox === true && open.has(state),
    Dialog: PlayPayer,
  },
];

import { Eye, HandCoins, Percent } from "lucide-react";
import { useState } from "react";
import { newKey } from "../../../client/key.ts";
import { sharePercentMax } from "../../../contract/limits.ts";
import { api } from "../../api.ts";
import { exactPrice, percent } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { TextField } from "../../ui/form/Input.tsx";
import type { RowAction, RowDialogProps } from "../table/RowActions.tsx";
import type { Row } from "../table/tableState.ts";
import { formText } from "../formText.ts";
import { ActionDialog } from "./ActionDialog.tsx";
import { DollarsField } from "./fields.tsx";

type Way = "referrals" | "soft" | "investor";

interface PayoutProps {
  id: string;
  name: string;
  way: Way;
  due: string;
  onClose: () => void;
}

/** Records a payout made outside the shop; sends no money. */
function Payout({ id, name, way, due, onClose }: PayoutProps) {
  const t = useOfficeText();
  const language = useLanguage();
  const [amount, setAmount] = useState(due);
  // One key for each dialog: a retry after a lost answer is the same payout.
  const [key] = useState(newKey);
  const before = exactPrice(language, due);
  const after = Number(due) - Number(amount);
  const isRight = Number(amount) > 0 && after >= 0;
  return (
    <ActionDialog
      title={t(`office.payout.${way}`)}
      says={t("office.payout.says", { name, due: before })}
      action={t("office.payout.do")}
      reason="note"
      send={(_, note) => api.payPartner({ partner: id, way, amount: amount.trim(), note, key })}
      done={({ to_withdraw: left }) => t("office.payout.done", { name, left: exactPrice(language, left) })}
      onClose={onClose}
    >
      <DollarsField name="amount" label={t("office.payout.amount")} defaultValue={due} onType={setAmount} />
      <p role="status">
        {isRight && t("office.payout.after", { before, after: exactPrice(language, after.toFixed(8)) })}
      </p>
    </ActionDialog>
  );
}

const isDue = (amount: string | null) => Number(amount ?? 0) > 0;
const nameOf = ({ id, email }: { id: string | null; email: string | null }) => email ?? `#${id ?? ""}`;

export const partnerActions: readonly RowAction<Row<"partners">>[] = [
  {
    label: "office.payout.referrals",
    Icon: HandCoins,
    fits: ({ referrals_due: due }) => isDue(due),
    Dialog: ({ row, onClose }) => (
      <Payout
        id={row.id ?? ""}
        name={nameOf(row)}
        way="referrals"
        due={row.referrals_due ?? "0"}
        onClose={onClose}
      />
    ),
  },
  {
    label: "office.payout.soft",
    Icon: HandCoins,
    fits: ({ soft_due: due }) => isDue(due),
    Dialog: ({ row, onClose }) => (
      <Payout id={row.id ?? ""} name={nameOf(row)} way="soft" due={row.soft_due ?? "0"} onClose={onClose} />
    ),
  },
];

type OfInvestor = RowDialogProps<Row<"investors">>;

function SetShare({ row, onClose }: OfInvestor) {
  const t = useOfficeText();
  const language = useLanguage();
  const name = nameOf(row);
  const before = percent(language, (row.share ?? 0) / 100);
  return (
    <ActionDialog
      title={t("office.share.set")}
      says={t("office.share.says", { name, before })}
      send={(form) => api.setShare({ user: row.id ?? "", percent: formText(form, "percent") })}
      done={(set) => t("office.share.done", { name, before, after: percent(language, set.percent / 100) })}
      onClose={onClose}
    >
      <TextField
        required
        data-autofocus
        name="percent"
        label={t("office.share.percent")}
        hint={t("office.share.hint", { max: sharePercentMax })}
        inputMode="decimal"
        dir="ltr"
        autoComplete="off"
      />
    </ActionDialog>
  );
}

/** After a refused batch an account waits for an administrator. */
export function Seen({ user, name, onClose }: { user: string; name: string; onClose: () => void }) {
  const t = useOfficeText();
  return (
    <ActionDialog
      title={t("office.seen.mark")}
      says={t("office.seen.says", { name })}
      reason="kept"
      send={(_, reason) => api.clearBatches({ user, reason })}
      done={() => t("office.seen.done", { name })}
      onClose={onClose}
    />
  );
}

export const investorActions: readonly RowAction<Row<"investors">>[] = [
  {
    label: "office.payout.investor",
    Icon: HandCoins,
    fits: ({ due }) => isDue(due),
    Dialog: ({ row, onClose }) => (
      <Payout id={row.id ?? ""} name={nameOf(row)} way="investor" due={row.due ?? "0"} onClose={onClose} />
    ),
  },
  { label: "office.share.set", Icon: Percent, Dialog: SetShare },
  {
    label: "office.seen.mark",
    Icon: Eye,
    fits: ({ flagged }) => flagged === true,
    Dialog: ({ row, onClose }) => <Seen user={row.id ?? ""} name={nameOf(row)} onClose={onClose} />,
  },
];

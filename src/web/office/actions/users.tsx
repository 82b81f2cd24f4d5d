import {
  Ban,
  Banknote,
  Inbox,
  LockOpen,
  PiggyBank,
  ScrollText,
  ShieldCheck,
  ShieldOff,
  User,
  Wallet,
} from "lucide-react";
import { useState } from "react";
import { newKey } from "../../../client/key.ts";
import { api } from "../../api.ts";
import { exactPrice } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import type { RowAction, RowDialogProps, RowLink } from "../table/RowActions.tsx";
import type { Row } from "../table/tableState.ts";
import { ActionDialog } from "./ActionDialog.tsx";
import { DollarsField } from "./fields.tsx";

type OfUser = RowDialogProps<Row<"users">>;

const nameOf = ({ id, email }: Pick<Row<"users">, "id" | "email">) => email ?? `#${id ?? ""}`;

function Block({ row, onClose, blocked }: OfUser & { blocked: boolean }) {
  const t = useOfficeText();
  const way = blocked ? "block" : "unblock";
  const name = nameOf(row);
  return (
    <ActionDialog
      title={t(`office.user.${way}`)}
      says={t(`office.user.${way}.says`, { name })}
      isDangerous={blocked}
      reason="kept"
      send={(_, reason) => api.blockUser({ user: row.id ?? "", blocked, reason })}
      done={() => t(`office.user.${way}.done`, { name })}
      onClose={onClose}
    />
  );
}

function Adjust({ row, onClose }: OfUser) {
  const t = useOfficeText();
  const language = useLanguage();
  const [change, setChange] = useState("");
  // One key for each dialog: a retry after a lost answer is the same change.
  const [key] = useState(newKey);
  const before = row.balance ?? "0";
  const after = Number(before) + Number(change);
  const isNumber = change.trim() !== "" && Number.isFinite(after);
  return (
    <ActionDialog
      title={t("office.user.adjust")}
      says={t("office.user.adjust.says", { name: nameOf(row), balance: exactPrice(language, before) })}
      reason="read"
      send={(_, reason) =>
        api.adjustBalance({
          user: row.id ?? "",
          amount: change.trim().replace("−", "-"),
          reason,
          key,
        })
      }
      done={({ balance }) =>
        t("office.user.adjusted", { name: nameOf(row), balance: exactPrice(language, balance) })
      }
      onClose={onClose}
    >
      <DollarsField
        name="amount"
        label={t("office.user.change")}
        hint={t("office.user.change.hint")}
        onType={setChange}
      />
      <p role="status">
        {isNumber &&
          t("office.user.after", {
            before: exactPrice(language, before),
            after: exactPrice(language, after.toFixed(8)),
          })}
      </p>
    </ActionDialog>
  );
}

function Grant({ row, onClose, role, granted }: OfUser & { role: "admin" | "investor"; granted: boolean }) {
  const t = useOfficeText();
  const way = granted ? "grant" : "take";
  const name = nameOf(row);
  return (
    <ActionDialog
      title={t(`office.user.${way}.${role}`)}
      says={t(`office.user.${way}.${role}.says`, { name })}
      isDangerous={!granted || role === "admin"}
      send={() => api.grantRole({ user: row.id ?? "", role, granted })}
      done={() => t("office.user.granted", { name })}
      onClose={onClose}
    />
  );
}

export const userLinks: readonly RowLink<Row<"users">>[] = [
  { section: "user", Icon: User, query: ({ id }) => ({ id: id ?? "" }) },
  { section: "orders", Icon: Inbox, query: ({ id }) => ({ filters: `user:${id}` }) },
  { section: "payments", Icon: Banknote, query: ({ id }) => ({ filters: `user:${id}` }) },
  { section: "journal", Icon: ScrollText, query: ({ id }) => ({ filters: `about:user ${id}` }) },
];

export const userActions: readonly RowAction<Row<"users">>[] = [
  { label: "office.user.adjust", Icon: Wallet, Dialog: Adjust },
  {
    label: "office.user.block",
    Icon: Ban,
    isDangerous: true,
    fits: ({ blocked }) => blocked === false,
    Dialog: (props) => <Block {...props} blocked />,
  },
  {
    label: "office.user.unblock",
    Icon: LockOpen,
    fits: ({ blocked }) => blocked === true,
    Dialog: (props) => <Block {...props} blocked={false} />,
  },
  {
    label: "office.user.grant.investor",
    Icon: PiggyBank,
    fits: ({ investor }) => investor === false,
    Dialog: (props) => <Grant {...props} role="investor" granted />,
  },
  {
    label: "office.user.take.investor",
    Icon: PiggyBank,
    isDangerous: true,
    fits: ({ investor }) => investor === true,
    Dialog: (props) => <Grant {...props} role="investor" granted={false} />,
  },
  {
    label: "office.user.grant.admin",
    Icon: ShieldCheck,
    isDangerous: true,
    fits: ({ admin }) => admin === false,
    Dialog: (props) => <Grant {...props} role="admin" granted />,
  },
  {
    label: "office.user.take.admin",
    Icon: ShieldOff,
    isDangerous: true,
    fits: ({ admin }) => admin === true,
    Dialog: (props) => <Grant {...props} role="admin" granted={false} />,
  },
];

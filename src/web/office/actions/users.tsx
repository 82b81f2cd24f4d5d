import {
  Ban,
  Banknote,
  Inbox,
  KeyRound,
  LockOpen,
  PiggyBank,
  ScrollText,
  ShieldAlert,
  ShieldCheck,
  ShieldOff,
  User,
  Wallet,
} from "lucide-react";
import type { OfficeRole } from "../../../contract/endpoint.ts";
import { exactPrice } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { SelectField } from "../../ui/form/Select.tsx";
import type { RowAction, RowLink } from "../table/RowActions.tsx";
import type { Row } from "../table/tableState.ts";
import { actsOn } from "./ActDialog.tsx";

type Account = Row<"users">;
const act = actsOn<Account>();

const nameIn = ({ id, email }: Account) => ({ name: email ?? `#${id ?? ""}` });

const block = (way: "block" | "unblock") =>
  act({
    act: "blockUser",
    title: `office.user.${way}`,
    Icon: way === "block" ? Ban : LockOpen,
    fits: ({ blocked }) => blocked === (way === "unblock"),
    isDangerous: way === "block",
    of: ({ id }) => ({ user: id ?? "", blocked: way === "block" }),
    holes: nameIn,
  });

const investor = (way: "grant" | "take") =>
  act({
    act: "grantRole",
    title: `office.user.${way}.investor`,
    done: "office.user.granted",
    Icon: PiggyBank,
    fits: (row) => row.investor === (way === "take"),
    isDangerous: way === "take",
    of: ({ id }) => ({ user: id ?? "", role: "investor" as const, granted: way === "grant" }),
    holes: nameIn,
  });

/** One role takes the place of another. */
function RoleChoice({ row }: { row: Account }) {
  const t = useOfficeText();
  const choices = officeRoles.map((role) => ({ value: role, label: t(`office.role.${role}`) }));
  return (
    <SelectField
      name="role"
      label={t("office.column.role")}
      choices={choices}
      defaultValue={row.role ?? "support"}
      data-autofocus
    />
  );
}

const officeRoles = ["owner", "money", "support", "editor"] as const satisfies readonly OfficeRole[];

function BalanceAfter({ row, typed: change }: { row: Account; typed: string }) {
  const t = useOfficeText();
  const language = useLanguage();
  const before = row.balance ?? "0";
  const after = Number(before) + Number(change);
  const shown = { before: exactPrice(language, before), after: exactPrice(language, after.toFixed(8)) };
  return <p role="status">{change !== "" && Number.isFinite(after) && t("office.user.after", shown)}</p>;
}

export const userLinks: readonly RowLink<Row<"users">>[] = [
  { section: "user", Icon: User, query: ({ id }) => ({ id: id ?? "" }) },
  { section: "orders", Icon: Inbox, query: ({ id }) => ({ filters: `user:${id}` }) },
  { section: "payments", Icon: Banknote, query: ({ id }) => ({ filters: `user:${id}` }) },
  { section: "security", Icon: ShieldAlert, query: ({ id }) => ({ filters: `user:${id}` }) },
  { section: "journal", Icon: ScrollText, query: ({ id }) => ({ filters: `about:user ${id}` }) },
];

export const userActions: readonly RowAction<Account>[] = [
  act({
    act: "adjustBalance",
    title: "office.user.adjust",
    done: "office.user.adjusted",
    Icon: Wallet,
    of: ({ id }) => ({ user: id ?? "", book: undefined }),
    fields: {
      amount: { label: "office.user.change", hint: "office.user.change.hint", Below: BalanceAfter },
      reason: { hint: "office.reason.read" },
    },
    holes: (row, { money }) => ({ ...nameIn(row), balance: money(row.balance) }),
    result: ({ balance }, { money }) => ({ balance: money(balance) }),
    // Nothing is changed yet: the sentence of a done act would be wrong.
    warns: ({ waits }, { t }) => (waits === undefined ? undefined : t("office.user.adjust.waits")),
  }),
  act({
    act: "resetAccess",
    title: "office.user.reset",
    Icon: KeyRound,
    fits: ({ admin }) => admin === false,
    isDangerous: true,
    of: ({ id }) => ({ user: id ?? "" }),
    holes: nameIn,
  }),
  block("block"),
  block("unblock"),
  act({
    act: "resetFactors",
    title: "office.user.factors",
    Icon: KeyRound,
    isDangerous: true,
    of: ({ id }) => ({ user: id ?? "" }),
    holes: nameIn,
  }),
  investor("grant"),
  investor("take"),
  act({
    act: "grantRole",
    title: "office.user.grant.role",
    done: "office.user.granted",
    Icon: ShieldCheck,
    of: ({ id }) => ({ user: id ?? "", granted: true }),
    fields: { role: { Input: RoleChoice } },
    holes: nameIn,
  }),
  act({
    act: "grantRole",
    title: "office.user.take.role",
    done: "office.user.granted",
    Icon: ShieldOff,
    fits: ({ role }) => role !== null,
    isDangerous: true,
    of: ({ id }) => ({ user: id ?? "", role: "admin" as const, granted: false }),
    holes: nameIn,
  }),
];

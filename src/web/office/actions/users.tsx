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
import { exactPrice } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
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

const icons = {
  grant: { admin: ShieldCheck, investor: PiggyBank },
  take: { admin: ShieldOff, investor: PiggyBank },
};

const grant = (way: "grant" | "take", role: "admin" | "investor") =>
  act({
    act: "grantRole",
    title: `office.user.${way}.${role}`,
    done: "office.user.granted",
    Icon: icons[way][role],
    fits: (row) => row[role] === (way === "take"),
    isDangerous: way === "take" || role === "admin",
    of: ({ id }) => ({ user: id ?? "", role, granted: way === "grant" }),
    holes: nameIn,
  });

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
  grant("grant", "investor"),
  grant("take", "investor"),
  grant("grant", "admin"),
  grant("take", "admin"),
];

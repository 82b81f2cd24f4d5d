import { Undo2, Wallet } from "lucide-react";
import type { Row } from "../table/tableState.ts";
import { actsOn } from "./ActDialog.tsx";

const act = actsOn<Row<"withdrawals">>();

type Of = Row<"withdrawals">;

const isWaiting = ({ state }: Of) => state === "waiting";
const nameOf = ({ user, email }: Of) => email ?? `#${user ?? ""}`;

export const withdrawalActions = [
  act({
    act: "payWithdrawal",
    title: "office.withdrawal.pay",
    Icon: Wallet,
    fits: isWaiting,
    of: ({ id }) => ({ id: id ?? "" }),
    fields: { transaction: { hint: "office.withdrawal.hash.hint" } },
    holes: (row, { money }) => ({
      name: nameOf(row),
      dollars: money(row.dollars),
      coins: row.coins ?? "",
      address: row.address ?? "",
    }),
  }),
  act({
    act: "refuseWithdrawal",
    title: "office.withdrawal.refuse",
    Icon: Undo2,
    isDangerous: true,
    fits: isWaiting,
    of: ({ id }) => ({ id: id ?? "" }),
    fields: { reason: { hint: "office.reason.read" } },
    holes: (row, { money }) => ({ name: nameOf(row), dollars: money(row.dollars) }),
  }),
];

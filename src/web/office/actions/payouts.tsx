import { Eye, HandCoins, Percent } from "lucide-react";
import { exactPrice } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import type { RowAction } from "../table/RowActions.tsx";
import type { Row } from "../table/tableState.ts";
import { actsOn } from "./ActDialog.tsx";

type Earner = { readonly id: string | null; readonly email: string | null };

const nameOf = ({ id, email }: Earner) => email ?? `#${id ?? ""}`;

/** Records a payout made outside the shop; sends no money. `dueOf` is what the row has due. */
const payout = <Of extends Earner>(
  way: "referrals" | "soft" | "investor",
  dueOf: (row: Of) => string | null,
): RowAction<Of> =>
  actsOn<Of>()({
    act: "payPartner",
    title: `office.payout.${way}`,
    says: "office.payout.says",
    done: "office.payout.done",
    button: "office.payout.do",
    Icon: HandCoins,
    fits: (row) => Number(dueOf(row) ?? 0) > 0,
    of: ({ id }) => ({ partner: id ?? "", way }),
    start: (row) => ({ amount: dueOf(row) }),
    fields: {
      amount: { Below: ({ row, typed }) => <StillDue due={dueOf(row) ?? "0"} paid={typed} /> },
    },
    holes: (row, { money }) => ({ name: nameOf(row), due: money(dueOf(row)) }),
    result: ({ to_withdraw: left }, { money }) => ({ left: money(left) }),
  });

function StillDue({ due, paid }: { due: string; paid: string }) {
  const t = useOfficeText();
  const language = useLanguage();
  const after = Number(due) - Number(paid);
  const shown = { before: exactPrice(language, due), after: exactPrice(language, after.toFixed(8)) };
  return <p role="status">{Number(paid) > 0 && after >= 0 && t("office.payout.after", shown)}</p>;
}

export const partnerActions: readonly RowAction<Row<"partners">>[] = [
  payout("referrals", ({ referrals_due: due }) => due),
  payout("soft", ({ soft_due: due }) => due),
];

const act = actsOn<Row<"investors">>();

export const investorActions: readonly RowAction<Row<"investors">>[] = [
  payout("investor", ({ due }) => due),
  act({
    act: "setShare",
    title: "office.share.set",
    says: "office.share.says",
    done: "office.share.done",
    Icon: Percent,
    of: ({ id }) => ({ user: id ?? "" }),
    holes: (row, { percent }) => ({ name: nameOf(row), before: percent(row.share ?? 0) }),
    result: (set, { percent }) => ({ after: percent(set.percent) }),
  }),
  act({
    act: "clearBatches",
    title: "office.seen.mark",
    says: "office.seen.says",
    done: "office.seen.done",
    Icon: Eye,
    fits: ({ flagged }) => flagged === true,
    of: ({ id }) => ({ user: id ?? "" }),
    holes: (row) => ({ name: nameOf(row) }),
  }),
];

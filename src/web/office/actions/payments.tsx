import { BadgeCheck, Ban, Play } from "lucide-react";
import type { RowAction } from "../table/RowActions.tsx";
import type { Row } from "../table/tableState.ts";
import { actsOn, type Showing } from "./ActDialog.tsx";

const act = actsOn<Row<"payments">>();

/** Under review, or over without credit: a transfer may have come all the same. The latter cannot be rejected. */
const creditable = new Set<unknown>(["review", "expired", "expired_partial", "rejected"]);
const open = new Set<unknown>(["awaiting", "underpaid"]);

const asked = ({ id, dollars }: Row<"payments">, { money }: Showing) => ({
  id: id ?? "",
  asked: money(dollars),
});

/** Only a transfer that is final on the chain can be credited; the server checks. */
const decisions = (["credit", "credit_locked", "reject"] as const).map((verdict) =>
  act({
    act: "decidePayment",
    title: `office.payment.${verdict}`,
    done: "office.payment.decided",
    Icon: verdict === "reject" ? Ban : BadgeCheck,
    fits: ({ state }) => (verdict === "reject" ? state === "review" : creditable.has(state)),
    isDangerous: verdict === "reject",
    of: ({ id }) => ({ id: id ?? "", verdict }),
    holes: asked,
  }),
);

export const paymentActions: readonly RowAction<Row<"payments">>[] = [
  ...decisions,
  act({
    act: "confirmPayment",
    title: "office.payment.play",
    done: "office.payment.played",
    Icon: Play,
    fits: ({ state, sandbox }) => sandbox === true && open.has(state),
    of: ({ id }) => ({ id: id ?? "" }),
    holes: asked,
  }),
];

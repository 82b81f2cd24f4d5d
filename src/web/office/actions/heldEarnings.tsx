import { BadgeCheck, Ban } from "lucide-react";
import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { actsOn } from "./ActDialog.tsx";

export type HeldRow = Reply<Endpoints["heldEarnings"]>["data"][number];

/** The decision about two accounts is final. */
export const heldActions = (["release", "refuse"] as const).map((decision) =>
  actsOn<HeldRow>()({
    act: "decideHeld",
    title: `office.held.${decision}`,
    done: "office.done.held",
    Icon: decision === "refuse" ? Ban : BadgeCheck,
    isDangerous: decision === "refuse",
    of: ({ partner, buyer }) => ({ partner: partner.id, buyer: buyer.id, decision }),
    holes: ({ partner, buyer, referrals, soft }, { money }) => ({
      partner: partner.email,
      buyer: buyer.email,
      referrals: money(referrals),
      soft: money(soft),
    }),
  }),
);

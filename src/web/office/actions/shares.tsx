import { BadgeCheck, Ban, Undo2 } from "lucide-react";
import type { Row } from "../table/tableState.ts";
import { actsOn } from "./ActDialog.tsx";

export const shareActions = (["release", "refuse"] as const).map((decision) =>
  actsOn<Row<"shares">>()({
    act: "decideShares",
    title: `office.shares.${decision}`,
    done: "office.done.held",
    Icon: decision === "refuse" ? Ban : BadgeCheck,
    fits: ({ orders }) => decision === "release" || (orders ?? 0) > 0,
    isDangerous: decision === "refuse",
    of: ({ batch, site }) => ({ batch: batch ?? "", site: site ?? "", decision }),
    holes: ({ batch, site, held }, { money }) => ({
      batch: batch ?? "",
      site: site ?? "",
      held: money(held),
    }),
  }),
);

export const complaintActions = (["refund", "refuse"] as const).map((decision) =>
  actsOn<Row<"complaints">>()({
    act: "decideComplaint",
    title: `office.complaint.${decision}`,
    done: "office.done.held",
    Icon: decision === "refuse" ? Ban : Undo2,
    fits: ({ state }) => state === "review",
    isDangerous: decision === "refuse",
    of: ({ id }) => ({ order: id ?? "", decision }),
    holes: ({ user, email, price }, { money }) => ({ name: email ?? `#${user ?? ""}`, price: money(price) }),
  }),
);

import { BadgeCheck, Ban } from "lucide-react";
import type { Row } from "../table/tableState.ts";
import { actsOn } from "./ActDialog.tsx";

/** The server sees to it that whoever asked does not agree. */
export const adjustmentActions = (["approve", "refuse"] as const).map((decision) =>
  actsOn<Row<"adjustments">>()({
    act: "decideAdjustment",
    title: `office.adjustment.${decision}`,
    done: "office.adjustment.done",
    Icon: decision === "refuse" ? Ban : BadgeCheck,
    fits: ({ state }) => state === "waits",
    isDangerous: decision === "approve",
    of: ({ id }) => ({ id: id ?? "", decision }),
    holes: ({ by, email, change }, { money }) => ({
      by: by ?? "",
      name: email ?? "",
      amount: money(change),
    }),
  }),
);

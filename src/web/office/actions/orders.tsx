import { CircleX } from "lucide-react";
import type { RowAction } from "../table/RowActions.tsx";
import type { Row } from "../table/tableState.ts";
import { actsOn } from "./ActDialog.tsx";

type Order = Row<"orders">;

export const orderActions: readonly RowAction<Order>[] = [
  actsOn<Order>()({
    act: "cancelOrder",
    title: "office.order.cancel",
    done: "office.order.canceled",
    Icon: CircleX,
    fits: ({ state }) => state === "pending",
    isDangerous: true,
    of: ({ id }) => ({ id: id ?? "" }),
    holes: ({ id, price }, { money }) => ({ id: id ?? "", price: money(price) }),
  }),
];

import * as z from "zod/mini";
import { DollarText, field, id, wireId } from "../fields.ts";
import { act } from "./act.ts";
import { Reason } from "./people-acts.ts";

const cancelOrder = act({
  name: "cancelOrder",
  path: "/api/admin/orders/cancel",
  role: "support",
  proof: true,
  reason: "always",
  summary: "Cancel an order that waits for its letter: the buyer is refunded at once (administrators)",
  ask: { id: field(wireId, "no waiting order", "Id of the order", id), reason: Reason },
  reply: z.object({ price: DollarText }),
  refusals: ["no waiting order", "reason"],
  commands: {
    "orders cancel <id>": {
      about: "cancels an order that waits for its letter: refunds the buyer",
      done: "The order {id} is canceled; the buyer has {price} dollars back.",
      undo: false,
    },
  },
});

export const orderActs = { cancelOrder };

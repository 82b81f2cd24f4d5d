import { randomInt } from "node:crypto";
import * as journal from "../journal/journal.ts";
import { attempt, type Db, type Sql } from "../platform/db/db.ts";
import { showUsd, type Usd } from "../platform/money.ts";
import { callCancelOrders } from "./orders.place.sql.ts";
import { selectPriced } from "./orders.sql.ts";

const did = "orders cancel";
const shards = 16;

/** Cancels a waiting order as its buyer would: the price goes back. The journal keeps who did it and why. */
export function cancelForBuyer(
  db: Db,
  { orderId, by, reason }: { readonly orderId: bigint; readonly by: string; readonly reason: string },
): Promise<{ price: Usd } | "no waiting order"> {
  return attempt(db, async (tx) => {
    const order = await selectPriced(tx, orderId);
    if (!order) return "no waiting order";
    const { userId } = order;
    const price = order.price as Usd;
    const [canceled] = await callCancelOrders(tx, [{ userId, orderId }], randomInt(shards));
    if (!canceled) return "no waiting order";
    await journal.note(tx, {
      by,
      did,
      about: `order ${orderId}`,
      before: { buyer: `user ${userId}`, state: "pending" },
      after: { state: "canceled", price: showUsd(price) },
      reason,
    });
    return { price };
  });
}

/** Whether the shop canceled an order, and not its buyer. */
export async function isCanceledByShop(sql: Sql, orderId: bigint): Promise<boolean> {
  const acts = await journal.list(sql, { about: `order ${orderId}` });
  return acts.some((act) => act.did === did);
}

import { api, type Refused } from "../../api.ts";
import type { OrderList } from "../list/useOrderList.ts";

/** One more address of the same mail type for the same site, at the price that the button says. */
export interface OrderAgain {
  site: string;
  domain: string;
  /** Dollars. */
  price: number;
}

/** It was ordered; or it costs something else today, which must be said first; or the server refused. */
export type OrderAgainOutcome = "ordered" | { price: number } | { refused: Refused<string> };

/** Orders it, but only for the price that was said. */
export async function orderAgain(order: OrderList["order"], again: OrderAgain): Promise<OrderAgainOutcome> {
  const { site, domain, price } = again;
  const offers = await api.quantity({ site });
  if (!offers.ok) return { refused: offers };
  const today = offers.data.data[domain]?.price;
  if (today !== undefined && today !== price) return { price: today };
  const [refused] = await order({ site, domain, subject: "", regex: "" }, 1);
  return refused ? { refused } : "ordered";
}

import { api, type Refused } from "../api.ts";
import type { Desk } from "./desk.ts";

/** One more address of the same mail type for the same site, at the price that the button says. */
export interface Again {
  site: string;
  domain: string;
  /** Dollars. */
  price: number;
}

/** It was ordered; or it costs something else today, which must be said first; or the server refused. */
export type AgainOutcome = "ordered" | { price: number } | { refused: Refused<string> };

/** Orders it, but only for the price that was said. */
export async function orderAgain(order: Desk["order"], again: Again): Promise<AgainOutcome> {
  const { site, domain, price } = again;
  const offers = await api.quantity({ site });
  if (!offers.ok) return { refused: offers };
  const today = offers.data.data[domain]?.price;
  if (today !== undefined && today !== price) return { price: today };
  const [refused] = await order({ site, domain, subject: "", regex: "" }, 1);
  return refused ? { refused } : "ordered";
}

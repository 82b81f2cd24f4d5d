import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { outcomeOrdersMin } from "../../../contract/limits.ts";

/** A mail type on sale for the site (spec B §3). */
export interface Offer {
  type: string;
  count: number;
  /** Dollars for one. */
  price: number;
  /** Undefined while too few orders have ended. */
  outcome: OfferOutcome | undefined;
}

/** Results of the orders of the last day or, if too few, of the last week. */
export interface OfferOutcome {
  /** Successful ones, from 0 to 1. */
  share: number;
  /** The median time to the first letter. */
  seconds: number | undefined;
  /** Dollars for each letter: the price divided by the share. */
  letterPrice: number | undefined;
}

export type OfferOrder = "price" | "letter";

type Wire = Reply<Endpoints["quantity"]>["data"][string];

/** A share of fewer orders would be chance. */
const shareOrdersMin = 5;

/** The mail types: available ones first (spec B §2), then by price, or by cost of a letter if `order` says so, then by name. */
export function offersOf(data: Record<string, Wire>, order: OfferOrder = "price"): Offer[] {
  return Object.entries(data)
    .map(([type, wire]) => ({ type, count: wire.count, price: wire.price, outcome: outcomeOf(wire) }))
    .toSorted(
      (a, b) =>
        Number(a.count === 0) - Number(b.count === 0) ||
        (order === "letter" ? letterCost(a) - letterCost(b) : 0) ||
        a.price - b.price ||
        a.type.localeCompare(b.type, "en"),
    );
}

/** Unknown costs come last but one, mail types without any letter last. */
const letterCost = ({ outcome }: Offer) =>
  outcome?.share === 0 ? Number.POSITIVE_INFINITY : (outcome?.letterPrice ?? Number.MAX_VALUE);

function outcomeOf({ stats }: Wire): OfferOutcome | undefined {
  if (!stats) return undefined;
  const { orders, share, seconds } = stats.day.orders >= outcomeOrdersMin ? stats.day : stats.week;
  if (orders < shareOrdersMin || share === undefined) return undefined;
  return { share, seconds, letterPrice: stats.letter_price };
}

/** A share in whole percent; 100 and 0 only when exact. */
export function percentOf(share: number): number {
  if (share > 0 && share < 0.01) return 1;
  return Math.floor(Math.round(share * 10_000) / 100);
}

/** Finds a mail type as /email/order does: any case, `.com` optional (spec B §2), or an unambiguous first part. */
export function findType(offers: readonly Offer[], wanted: string): string | undefined {
  const name = bare(wanted);
  if (name === "") return undefined;
  const exact = offers.find((offer) => offer.type.toLowerCase() === wanted.trim().toLowerCase());
  const short = offers.filter((offer) => offer.type.toLowerCase().startsWith(`${name}.`));
  const found =
    exact ?? offers.find((offer) => bare(offer.type) === name) ?? (short.length === 1 ? short[0] : undefined);
  return found?.type;
}

const bare = (type: string) =>
  type
    .trim()
    .toLowerCase()
    .replace(/\.com$/, "");

/** Dollars for a quantity, in integers of 10⁻⁸ dollars: ten times 0.0035 is 0.035. */
export function totalOf(price: number, quantity: number): number {
  return (Math.round(price * 1e8) * quantity) / 1e8;
}

/** Dollars that a balance lacks for a total; 0 if it suffices. */
export function lackOf(total: number, balance: number): number {
  return Math.max(0, Math.round(total * 1e8) - Math.round(balance * 1e8)) / 1e8;
}

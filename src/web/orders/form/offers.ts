import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { outcomeOrdersMin } from "../../../contract/limits.ts";

/** One mail type on sale for the chosen site (spec B §3). */
export interface Offer {
  type: string;
  count: number;
  /** Dollars for one. */
  price: number;
  /** How orders of it went; undefined while too few have ended to say anything. */
  outcome: OfferOutcome | undefined;
}

/** How the orders of a mail type went for the site, of the last day or, where that says too little, of the last week. */
export interface OfferOutcome {
  /** Of those that ended, from 0 to 1. */
  share: number;
  /** The median to the first letter. */
  seconds: number | undefined;
  /** Dollars for each letter that came: the price divided by the share. */
  letterPrice: number | undefined;
}

export type OfferOrder = "price" | "letter";

type Wire = Reply<Endpoints["quantity"]>["data"][string];

/** A share of fewer orders than these would be chance. */
const shareOrdersMin = 5;

/**
 * The mail types as a list: what can be bought first (spec B §2: zero-count ones last), then by what one costs, or what
 * one letter costs if that is wanted and known, then by name.
 */
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

/** What is not known stands behind what is, and what never got a letter behind all. */
const letterCost = ({ outcome }: Offer) =>
  outcome?.share === 0 ? Number.POSITIVE_INFINITY : (outcome?.letterPrice ?? Number.MAX_VALUE);

function outcomeOf({ stats }: Wire): OfferOutcome | undefined {
  if (!stats) return undefined;
  const { orders, share, seconds } = stats.day.orders >= outcomeOrdersMin ? stats.day : stats.week;
  if (orders < shareOrdersMin || share === undefined) return undefined;
  return { share, seconds, letterPrice: stats.letter_price };
}

/** A share in whole percent. Only what never failed is 100, and only what never came is 0. */
export function percentOf(share: number): number {
  if (share > 0 && share < 0.01) return 1;
  return Math.floor(Math.round(share * 10_000) / 100);
}

/**
 * The mail type that an address asked for: whatever the case, with or without `.com` (spec B §2), or by the first part
 * of its name when that is unambiguous, as /email/order takes it.
 */
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

/** Dollars for so many. In whole 10⁻⁸ dollars, so that ten times 0.0035 is 0.035. */
export function totalOf(price: number, quantity: number): number {
  return (Math.round(price * 1e8) * quantity) / 1e8;
}

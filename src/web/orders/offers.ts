/** One mail type on sale for the chosen site (spec B §3). */
export interface Offer {
  type: string;
  count: number;
  /** Dollars for one. */
  price: number;
}

/** The mail types as a list: what can be bought first, then by price and name (spec B §2: zero-count ones last). */
export function offersOf(data: Record<string, { count: number; price: number }>): Offer[] {
  return Object.entries(data)
    .map(([type, { count, price }]) => ({ type, count, price }))
    .toSorted(
      (a, b) =>
        Number(a.count === 0) - Number(b.count === 0) ||
        a.price - b.price ||
        a.type.localeCompare(b.type, "en"),
    );
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

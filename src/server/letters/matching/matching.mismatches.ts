import type { Fit, WaitingOrder } from "./matching.match.ts";

export interface MatchResult {
  readonly letterId: bigint;
  readonly order: WaitingOrder;
  readonly found: Fit;
  /** Its sender is of the order's site; false for the site that takes any sender. */
  readonly isOfSite: boolean;
}

export interface Mismatch {
  readonly letterId: bigint;
  readonly orderId: bigint;
  readonly reason: "sender" | "subject" | "regex";
}

/**
 * A mailbox is sold for several sites: a letter for another buyer's order shows to no one else, one of their site only to its orders. An
 * order for another site is told only of letters that are of nobody's site: else each letter would be a row for each of them.
 */
export function mismatchesOf(results: readonly MatchResult[]): Mismatch[] {
  const owners = ownersOf(results);
  return results.flatMap(({ letterId, order: { orderId, userId }, found, isOfSite }) => {
    if (!("missed" in found) || found.missed === "time") return [];
    const { fitting, ofSite } = owners.get(letterId) ?? nobody;
    const isAnothers = hasOther(fitting, userId) || (!isOfSite && hasOther(ofSite, userId));
    const isOfAnotherSite = found.missed === "sender" && fitting.size + ofSite.size > 0;
    return isAnothers || isOfAnotherSite ? [] : [{ letterId, orderId, reason: found.missed }];
  });
}

interface Owners {
  readonly fitting: Set<bigint>;
  readonly ofSite: Set<bigint>;
}

const nobody: Owners = { fitting: new Set(), ofSite: new Set() };

function ownersOf(results: readonly MatchResult[]): Map<bigint, Owners> {
  const owners = new Map<bigint, Owners>();
  for (const { letterId, order, found, isOfSite } of results) {
    const { fitting, ofSite } = owners.get(letterId) ?? { fitting: new Set(), ofSite: new Set() };
    if ("value" in found) fitting.add(order.userId);
    if (isOfSite) ofSite.add(order.userId);
    owners.set(letterId, { fitting, ofSite });
  }
  return owners;
}

const hasOther = (users: ReadonlySet<bigint>, userId: bigint) => users.size > (users.has(userId) ? 1 : 0);

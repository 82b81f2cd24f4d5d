// Lists unclaimed letters: they show the operator that a site writes from one more domain. unclaimed.deliver.ts delivers them then.
import type { Sql } from "../../platform/db/db.ts";
import { findCode } from "../../codes/codes.ts";
import type { Read } from "../parsing/parsing.letter.ts";
import { mismatchesOf, type MatchResult } from "../matching/matching.mismatches.ts";
import { selectGroups, type Group, type UnclaimedRow } from "./unclaimed.sql.ts";

export interface UnclaimedGroup extends Omit<Group, "siteId"> {
  /** Null: no order lived at the mailbox. */
  readonly siteId: number | null;
  /** Of the newest letter, with everything hidden that could be a code. */
  readonly subject: string | null;
}

const noOrder = 0;

export function unclaimedOf(
  letters: readonly (Pick<Read, "id" | "mailboxIds" | "parsed"> & { readonly isGiven: boolean })[],
  results: readonly MatchResult[],
): UnclaimedRow[] {
  const sites = sitesThatMissed(results);
  return letters.flatMap(({ id, mailboxIds, parsed, isGiven }) => {
    if (isGiven || mailboxIds.length === 0) return [];
    const signers = parsed.dkimDomains.filter((domain) => domain !== parsed.senderDomain);
    const domains = [parsed.senderDomain, ...new Set(signers)];
    return [...(sites.get(id) ?? [noOrder])].flatMap((siteId) =>
      domains.map((domain, place) => ({ letterId: id, siteId, domain, isSigner: place > 0 })),
    );
  });
}

/** For each letter in the time of an order: the sites whose orders it missed by its sender, unless it is another buyer's. */
function sitesThatMissed(results: readonly MatchResult[]): Map<bigint, Set<number>> {
  const sites = new Map<bigint, Set<number>>();
  const siteOf = new Map<bigint, number>();
  for (const { letterId, order, found } of results) {
    siteOf.set(order.orderId, order.siteId);
    if (!("missed" in found && found.missed === "time")) sites.set(letterId, new Set());
  }
  for (const { letterId, orderId, reason } of mismatchesOf(results)) {
    const siteId = siteOf.get(orderId);
    if (reason === "sender" && siteId !== undefined) sites.get(letterId)?.add(siteId);
  }
  return sites;
}

/** Senders of unclaimed letters of the last 24 hours, most letters first: of one site, or among the newest 100,000. */
export async function listUnclaimed(
  sql: Sql,
  { siteId, size = 50, page = 1 }: { siteId?: number | undefined; size?: number; page?: number } = {},
): Promise<UnclaimedGroup[]> {
  const groups = await selectGroups(sql, { siteId: siteId ?? null, size, offset: (page - 1) * size });
  return groups.map((group) => ({
    ...group,
    siteId: group.siteId === noOrder ? null : group.siteId,
    subject: group.subject === null ? null : hideCodes(group.subject),
  }));
}

/** Hides every word with a digit, and what is found to be a code. */
export function hideCodes(subject: string): string {
  const code = findCode(subject, "");
  const shown =
    code === undefined ? subject : subject.replaceAll(code, (found) => found.replace(/\S/gu, "#"));
  return shown.replace(/[\p{L}\p{N}]*\p{N}[\p{L}\p{N}]*/gu, (word) => "#".repeat(word.length));
}

// Matches unclaimed letters again when their domain now counts for a site, and delivers each once, as any letter.
import { attempt, type Db, type Tx } from "../../platform/db/db.ts";
import { withHabits } from "../matching/matching.choices.ts";
import { give } from "../matching/matching.deliver.ts";
import { match, read, type LettersOptions } from "../matching/matching.ts";
import type { Read } from "../parsing/parsing.letter.ts";
import type { MatchResult } from "../matching/matching.mismatches.ts";
import { saveVerdicts } from "../letters.sql.ts";
import {
  correctMismatches,
  deleteDecided,
  deleteUnclaimed,
  lockWaiting,
  selectSendersNow,
  selectUnclaimed,
  type Unclaimed,
} from "./unclaimed.sql.ts";

export interface DeliveredUnclaimed {
  readonly delivered: number;
  /** Their orders were canceled or expired meanwhile, and are refunded. */
  readonly tooLate: number;
  /** They do not match the subject word or the pattern, or are another buyer's as well. */
  readonly unfit: number;
}

const batchLetters = 50;
const batchBytes = 16 * 1024 * 1024;

/**
 * Delivers unclaimed letters of the last 24 hours whose domain their site takes by now. Each batch is a transaction: the job finishes after
 * a crash.
 */
export async function deliverUnclaimed(
  db: Db,
  options: LettersOptions,
  { siteId, signal }: { siteId?: number | undefined; signal?: AbortSignal | undefined } = {},
): Promise<DeliveredUnclaimed> {
  const failed: bigint[] = [];
  const sum = { delivered: 0, tooLate: 0, unfit: 0 };
  let size = batchLetters;
  while (!signal?.aborted) {
    let taken: bigint[] = [];
    try {
      const done = await attempt(db, async (tx) => {
        const waiting = await lockWaiting(tx, siteId ?? null, failed, size);
        taken = withinBytes(waiting);
        return matchAgain(tx, options, taken);
      });
      sum.delivered += done.delivered;
      sum.tooLate += done.tooLate;
      sum.unfit += done.unfit;
    } catch (fault) {
      // One letter that fails must not stop the others: it is found one by one and waits for the next run.
      if (taken.length === 0) throw fault;
      if (size > 1) {
        size = 1;
        continue;
      }
      failed.push(...taken);
      size = batchLetters;
      options.log.error({ err: fault, letters: taken.map(String) }, "a letter was not matched again");
      continue;
    }
    if (taken.length === 0) break;
  }
  return sum;
}

function withinBytes(waiting: readonly { letterId: bigint; bytes: number }[]): bigint[] {
  let sum = 0;
  const taken = waiting.filter(({ bytes }, place) => (sum += bytes) <= batchBytes || place === 0);
  return taken.map(({ letterId }) => letterId);
}

async function matchAgain(
  tx: Tx,
  options: LettersOptions,
  letterIds: readonly bigint[],
): Promise<DeliveredUnclaimed> {
  if (letterIds.length === 0) return { delivered: 0, tooLate: 0, unfit: 0 };
  const unclaimed = await selectUnclaimed(tx, letterIds);
  const letters = await read(options, unclaimed);
  const signed = letters.map((letter) => ({
    ...letter,
    parsed: { ...letter.parsed, dkimDomains: [...letter.parsed.dkimDomains, ...letter.signers] },
  }));
  const results = await match(tx, await withSendersNow(tx, options, unclaimed), signed);
  const mine = looksThatCount(unclaimed, results);
  const given = await give(tx, options, mine);
  await keepDecisions(tx, { letterIds, unclaimed, letters: signed, given, results: mine });
  // Matched but not delivered: the order was closed meanwhile.
  const lacking = results.filter(
    (look) => !("missed" in look.found ? look.found.missed === "time" : mine.includes(look)),
  );
  const rest = unclaimed.filter(({ id, siteIds }) => siteIds.length > 0 && !given.has(id));
  const unfit = rest.filter(({ id, siteIds }) =>
    lacking.some(({ letterId, order }) => letterId === id && siteIds.includes(order.siteId)),
  );
  return { delivered: given.size, unfit: unfit.length, tooLate: rest.length - unfit.length };
}

/** Caches of the catalogue may not have the added domain yet: asks the database. */
async function withSendersNow(
  tx: Tx,
  options: LettersOptions,
  unclaimed: readonly Unclaimed[],
): Promise<LettersOptions> {
  const siteIds = [...new Set(unclaimed.flatMap((letter) => letter.siteIds))];
  const now = await selectSendersNow(tx, siteIds);
  const sendersOf: LettersOptions["sendersOf"] = async (siteId, site) =>
    siteIds.includes(siteId)
      ? new Set([site, ...now.filter((sender) => sender.siteId === siteId).map(({ domain }) => domain)])
      : options.sendersOf(siteId, site);
  return { ...options, sendersOf };
}

/** Results for orders of the sites that take the letter by now, unless it is of the site of another buyer's order as well. */
function looksThatCount(unclaimed: readonly Unclaimed[], results: readonly MatchResult[]): MatchResult[] {
  const sitesOf = new Map(unclaimed.map(({ id, siteIds }) => [id, new Set(siteIds)]));
  const isDue = ({ letterId, order }: MatchResult) => sitesOf.get(letterId)?.has(order.siteId) ?? false;
  const others = results.filter((look) => !isDue(look) && (look.isOfSite || "value" in look.found));
  return results.filter(
    (look) =>
      isDue(look) &&
      !others.some((other) => other.letterId === look.letterId && other.order.userId !== look.order.userId),
  );
}

async function keepDecisions(
  tx: Tx,
  {
    letterIds,
    unclaimed,
    letters,
    given,
    results,
  }: {
    letterIds: readonly bigint[];
    unclaimed: readonly Unclaimed[];
    letters: readonly Read[];
    given: ReadonlySet<bigint>;
    results: readonly MatchResult[];
  },
): Promise<void> {
  const delivered = letters.filter(({ id }) => given.has(id)).map((letter) => ({ ...letter, isGiven: true }));
  const verdicts = await withHabits(tx, delivered, results);
  if (verdicts.length > 0) await saveVerdicts(tx, verdicts);
  const mismatches = results.flatMap(({ letterId, order: { orderId }, found }) =>
    "missed" in found && found.missed !== "time" ? [{ letterId, orderId, reason: found.missed }] : [],
  );
  if (mismatches.length > 0) await correctMismatches(tx, mismatches);
  const decided = unclaimed.flatMap(({ id, siteIds }) => siteIds.map((siteId) => ({ id, siteId })));
  await deleteDecided(
    tx,
    decided.map(({ id }) => id),
    decided.map(({ siteId }) => siteId),
  );
  const readable = new Set(unclaimed.map(({ id }) => id));
  await deleteUnclaimed(
    tx,
    letterIds.filter((id) => given.has(id) || !readable.has(id)),
  );
}

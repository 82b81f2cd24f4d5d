// Buyers choose another number as the code of a letter; where several did so at a site, its next letters prefer the like.
import { prefer } from "../../codes/codes.ts";
import type { Tx } from "../../platform/db/db.ts";
import type { MatchResult } from "./matching.mismatches.ts";
import { selectHabits } from "./matching.choices.sql.ts";
import type { Verdict } from "../letters.sql.ts";

/** The letters with the codes that buyers of their sites prefer. Asks the database only for codes that are not sure. */
export async function withHabits<Letter extends Verdict>(
  tx: Tx,
  letters: readonly Letter[],
  results: readonly MatchResult[],
): Promise<Letter[]> {
  const unsure = new Set(
    letters.filter(({ isGiven, code }) => isGiven && mayChange(code)).map(({ id }) => id),
  );
  if (unsure.size === 0) return [...letters];
  const siteOf = new Map<bigint, number>();
  for (const { letterId, order, found } of results)
    if (unsure.has(letterId) && "value" in found && !siteOf.has(letterId)) siteOf.set(letterId, order.siteId);
  const habits = await selectHabits(tx, [...new Set(siteOf.values())]);
  const patterns = new Map(habits.map(({ siteId, pattern }) => [siteId, pattern]));
  return letters.map((letter) => {
    const siteId = siteOf.get(letter.id);
    const pattern = siteId === undefined ? undefined : patterns.get(siteId);
    return pattern === undefined ? letter : { ...letter, code: prefer(letter.code, pattern) };
  });
}

const mayChange = ({ value, candidates }: Verdict["code"]) =>
  candidates.length > (value === undefined ? 0 : 1);

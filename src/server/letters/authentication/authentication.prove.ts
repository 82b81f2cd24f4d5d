// Matches an unclaimed letter again when its signatures prove another domain than its From.
import type { Tx } from "../../platform/db/db.ts";
import { deleteMismatches } from "./authentication.sql.ts";
import { give, saveLacking } from "../matching/matching.deliver.ts";
import { match, type LettersOptions } from "../matching/matching.ts";
import type { Read } from "../parsing/parsing.letter.ts";
import { saveVerdicts } from "../letters.sql.ts";
import { deleteUnclaimed } from "../unclaimed/unclaimed.sql.ts";

/** Matches a letter by its signers. Finds mismatches anew: a letter of another buyer's site must not show in this order's timeline. */
export async function prove(
  tx: Tx,
  options: LettersOptions,
  letter: Read,
  dkimDomains: readonly string[],
): Promise<void> {
  const proven = { ...letter, parsed: { ...letter.parsed, dkimDomains } };
  const results = await match(tx, options, [proven]);
  const given = await give(tx, options, results);
  const matched = { ...proven, isGiven: given.size > 0 };
  if (matched.isGiven) {
    await saveVerdicts(tx, [matched]);
    await deleteUnclaimed(tx, [letter.id]);
  }
  const seen = results.map(({ order }) => order.orderId);
  await deleteMismatches(tx, letter.id, matched.isGiven ? "all" : seen);
  await saveLacking(tx, [matched], results);
}

import type { Db } from "../platform/db/db.ts";
import { localParts } from "./inventory.names.ts";
import { insertBatch, insertStock, selectDomain } from "./inventory.sql.ts";

// One transaction each: short enough that a kill loses little, and that other imports need not wait long.
const lotSize = 10_000;

/**
 * Orders up `count` mailboxes of an own domain, with plausible local parts that are new in the domain.
 * Tells after each lot how many there are so far. What was added stays when the process dies in between.
 * Answers the number added; throws when there is no such domain or its mailboxes are not ours to make.
 */
export async function addStock(
  db: Db,
  domainId: number,
  count: number,
  onProgress?: (added: number) => void,
): Promise<number> {
  const domain = await selectDomain(db, domainId);
  if (!domain) throw new Error(`there is no mail domain ${domainId}`);
  if (domain.kind !== "own") throw new Error(`the mailboxes of ${domain.name} are made by its own server`);
  const { id: batchId } = await insertBatch(db, null, 0, `${count} of ${domain.name}`);
  let added = 0;
  while (added < count) {
    // Some are there already: the next turn makes up for them.
    const parts = localParts(Math.min(lotSize, count - added));
    added += (await insertStock(db, batchId, domainId, parts, null)).added;
    onProgress?.(added);
  }
  return added;
}

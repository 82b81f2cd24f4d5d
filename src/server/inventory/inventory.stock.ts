import type { Db } from "../platform/db/db.ts";
import { localParts } from "./inventory.names.ts";
import { insertBatch, insertStock, selectDomain } from "./inventory.sql.ts";

// One transaction each: a crash loses little, and other imports wait little.
const lotSize = 10_000;

/** Adds `count` plausible mailboxes to an own domain, in lots that stay after a crash; throws for an unknown or hosted domain. */
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
    const parts = localParts(Math.min(lotSize, count - added));
    added += (await insertStock(db, batchId, domainId, parts, null)).added;
    onProgress?.(added);
  }
  return added;
}

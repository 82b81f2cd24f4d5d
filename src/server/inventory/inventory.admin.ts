import * as catalog from "../catalog/catalog.ts";
import * as journal from "../journal/journal.ts";
import type { Db } from "../platform/db/db.ts";
import { addStock } from "./inventory.stock.ts";

export interface OrderedUp {
  readonly domain: string;
  readonly added: number;
  readonly mailboxes: number;
}

/** Adds mailboxes of an own domain, with an entry in the journal; calls back after each lot with the count so far. */
export async function orderUp(
  db: Db,
  asked: { domain: string; count: number },
  by: string,
  onProgress?: (added: number, domain: string) => void,
): Promise<OrderedUp | "no domain" | "not own"> {
  const domain = await catalog.findDomain(db, asked.domain);
  if (!domain) return "no domain";
  if (domain.kind !== "own") return "not own";
  // Before the work: lots are kept one by one, and the request must be on record after a crash.
  await journal.note(db, {
    by,
    did: "stock add",
    about: domain.name,
    before: { mailboxes: Number(domain.live) },
    after: { asked: asked.count },
  });
  const added = await addStock(db, domain.id, asked.count, (done) => onProgress?.(done, domain.name));
  const live = (await catalog.findDomain(db, domain.name))?.live ?? 0n;
  return { domain: domain.name, added, mailboxes: Number(live) };
}

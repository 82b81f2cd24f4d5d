// The operator's side of the stock: mailboxes of own domains are ordered up, and that is written down.
import * as catalog from "../catalog/catalog.ts";
import * as journal from "../journal/journal.ts";
import type { Db } from "../platform/db/db.ts";
import { addStock } from "./inventory.stock.ts";

export interface OrderedUp {
  readonly domain: string;
  readonly added: number;
  /** Living ones of the domain after that. */
  readonly mailboxes: number;
}

/** Orders up mailboxes of an own domain for somebody; tells after each lot how many there are so far. */
export async function orderUp(
  db: Db,
  asked: { domain: string; count: number },
  by: string,
  onProgress?: (added: number, domain: string) => void,
): Promise<OrderedUp | "no domain" | "not own"> {
  const domain = await catalog.findDomain(db, asked.domain);
  if (!domain) return "no domain";
  if (domain.kind !== "own") return "not own";
  // Written before the work: it is kept lot by lot, and what was asked for must be on record if it is killed half way.
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

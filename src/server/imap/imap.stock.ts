// A mailbox whose password its server calls wrong leaves the sale at once, and comes back with a log-in. It dies, and loses
// its password, only after refusals over a day while others of its host are opened.
import * as inventory from "../inventory/inventory.ts";
import { attempt, type Db, type Tx } from "../platform/db/db.ts";
import type { Log } from "../platform/log.ts";
import { type Box, deleteRefusals, noteRefusal } from "./imap.sql.ts";

interface Parts {
  readonly db: Db;
  readonly log: Log;
}

export async function noteRefused(
  { db, log }: Parts,
  { mailboxId, host }: Pick<Box, "mailboxId" | "host">,
  why: string,
): Promise<void> {
  const { isFirst, isDead } = await attempt(db, async (tx) => {
    const noted = await noteRefusal(tx, mailboxId, why);
    if (noted.isDead) {
      await inventory.setDead(tx, [mailboxId], true);
      await deleteRefusals(tx, [mailboxId]);
    } else if (noted.isFirst) await inventory.withhold(tx, [mailboxId]);
    return noted;
  });
  const about = { mailbox: String(mailboxId), host, why };
  if (isDead) log.warn(about, "a hosted mailbox was refused for a day: it is dead");
  else if (isFirst) log.warn(about, "a hosted mailbox is refused: it is out of sale");
}

/** Takes mailboxes out of sale, in the transaction that puts their batch on sale, whose log-in was refused in its check. */
export async function withholdRefused(tx: Tx, mailboxIds: bigint[], why: string): Promise<void> {
  for (const mailboxId of mailboxIds) await noteRefusal(tx, mailboxId, why);
  if (mailboxIds.length > 0) await inventory.withhold(tx, mailboxIds);
}

/** After a log-in. */
export async function noteOpened(
  { db, log }: Parts,
  { mailboxId, host, isRefused }: Pick<Box, "mailboxId" | "host" | "isRefused">,
): Promise<void> {
  if (isRefused && (await giveBack(db, [mailboxId])) > 0)
    log.info({ mailbox: String(mailboxId), host }, "a hosted mailbox opens again: it is on sale");
}

/** Puts mailboxes on sale again that were refused, but for those that open the box of another one; answers how many were. */
export async function giveBack(db: Db, mailboxIds: readonly bigint[]): Promise<number> {
  return attempt(db, async (tx) => {
    const deleted = await deleteRefusals(tx, mailboxIds);
    const refused = deleted.flatMap(({ mailboxId, isSame }) => (isSame ? [] : [mailboxId]));
    return refused.length === 0 ? 0 : inventory.setDead(tx, refused, false);
  });
}

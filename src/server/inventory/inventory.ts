// Each single address: what there is, what a site can still have, and how more is added.
import { attempt, type Db, type Sql, type Tx } from "../platform/db/db.ts";
import { Batcher } from "../platform/db/batcher.ts";
import type { Usd } from "../platform/money.ts";
import {
  callBlockBatch,
  callHoldMailboxes,
  callJoinStock,
  callSetDead,
  callUnblockBatch,
  callWipeHeld,
  insertBatch,
  insertStock,
  selectMailboxes,
  selectQuantity,
  updateSecrets,
  type Quantity,
} from "./inventory.sql.ts";

export { type OrderedUp, orderUp } from "./inventory.admin.ts";
export { addStock } from "./inventory.stock.ts";

/** A look-up costs little more for many addresses than for one; two at once, so that nobody waits for a slow one. */
const finding = { concurrency: 2, batchMax: 256, queueMax: 10_000 };

/** What a site can have of one mail domain on sale. */
export type Available = Omit<Quantity, "price" | "available"> & { price: Usd; available: number };

/** Opens a batch: whose mailboxes will be added, and his share of each price in millionths. Answers its id. */
export async function addBatch(
  sql: Sql,
  batch: { investorId?: bigint; sharePpm?: number; title: string },
): Promise<number> {
  return (await insertBatch(sql, batch.investorId ?? null, batch.sharePpm ?? 0, batch.title)).id;
}

/**
 * Adds given local parts of one domain to a batch, as one lot, and answers how many were new.
 * `secrets` are the sealed passwords beside them, for hosted mailboxes.
 */
export async function addMailboxes(
  sql: Sql,
  batchId: number,
  domainId: number,
  parts: string[],
  secrets?: Buffer[],
): Promise<number> {
  return (await insertStock(sql, batchId, domainId, parts, secrets ?? null)).added;
}

/**
 * Puts hosted mailboxes of the shop's own into the stock, by local part with their sealed passwords: those that are new are
 * added, those that are there get the password and live again. Those of an investor are left alone, and not counted.
 */
export async function renewMailboxes(
  db: Db,
  batchId: number,
  domainId: number,
  passwords: ReadonlyMap<string, Buffer>,
): Promise<{ added: number; renewed: number }> {
  const parts = [...passwords.keys()];
  const secrets = [...passwords.values()];
  return attempt(db, async (tx) => {
    // What is new first: the batch is locked before the mailboxes.
    const added = await addMailboxes(tx, batchId, domainId, parts, secrets);
    const there = await updateSecrets(tx, batchId, domainId, parts, secrets);
    const dead = there.filter((mailbox) => mailbox.dead).map(({ id }) => id);
    if (dead.length > 0) await setDead(tx, dead, false);
    return { added, renewed: there.length };
  });
}

/**
 * Takes the mailboxes that the session has staged in its table `brought` into a batch, where they are held: not on sale. Answers
 * of each domain how many were taken, and of how many different addresses; what the shop had is left alone.
 */
export function hold(
  tx: Tx,
  batchId: number,
): Promise<{ domainId: number; held: number; brought: number }[]> {
  return callHoldMailboxes(tx, batchId);
}

/** Puts what is held of a batch on sale, however much it is, in a moment. */
export async function putOnSale(tx: Tx, batchId: number): Promise<void> {
  await callJoinStock(tx, batchId);
}

/** Wipes the passwords of what is held of a batch. Its addresses stay taken for good. */
export async function wipe(tx: Tx, batchId: number): Promise<void> {
  await callWipeHeld(tx, batchId);
}

/** Finds mailboxes for many callers: those who ask while a look-up runs share the next one. */
export function openFinder(db: Db): (email: string) => Promise<bigint | undefined> {
  const batcher = new Batcher((emails: string[]) => findAll(db, emails), finding);
  return (email) => batcher.submit(email);
}

/**
 * The id of the mailbox that an address belongs to, if it is living and of an own domain; else undefined.
 * Upper and lower case are the same (RFC 5321 §2.4 lets the receiver decide). A domain that is off sale still receives:
 * its living orders wait for their letters.
 */
export async function find(sql: Sql, email: string): Promise<bigint | undefined> {
  const [found] = await findAll(sql, [email]);
  return found;
}

async function findAll(sql: Sql, emails: readonly string[]): Promise<(bigint | undefined)[]> {
  const addresses = emails.map((email) => email.toLowerCase());
  const rows = await selectMailboxes(
    sql,
    addresses.map((address) => address.slice(0, Math.max(address.lastIndexOf("@"), 0))),
    addresses.map((address) => address.slice(address.lastIndexOf("@") + 1)),
  );
  const living = new Map(rows.flatMap(({ position, id, dead }) => (dead ? [] : [[position, id] as const])));
  return emails.map((_, index) => living.get(index + 1));
}

/**
 * What a site can have of each mail domain on sale, exactly, at the cost of one look-up a domain.
 * A site that has no row yet (undefined) can have everything.
 */
export async function available(sql: Sql, siteId: number | undefined): Promise<Available[]> {
  const rows = await selectQuantity(sql, siteId ?? null);
  return rows.map((row) => ({ ...row, price: row.price as Usd, available: Number(row.available) }));
}

/** From now on a batch does not serve a site; what was sold stays sold. */
export async function block(sql: Sql, batchId: number, siteId: number): Promise<void> {
  await callBlockBatch(sql, batchId, siteId);
}

/** Lets a batch serve a site again. */
export async function unblock(sql: Sql, batchId: number, siteId: number): Promise<void> {
  await callUnblockBatch(sql, batchId, siteId);
}

/** Marks mailboxes as dead (they are sold and written to no more) or as living again; answers how many changed. */
export async function setDead(sql: Sql, mailboxIds: bigint[], isDead: boolean): Promise<number> {
  return (await callSetDead(sql, mailboxIds, isDead)).changed;
}

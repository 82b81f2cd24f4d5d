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
  selectStock,
  updateSecrets,
  wipeDead,
  type Quantity,
} from "./inventory.sql.ts";

export { type OrderedUp, orderUp } from "./inventory.admin.ts";
export { addStock } from "./inventory.stock.ts";

/** A query for many addresses costs little more than for one; two run at once, so that a slow one delays no other. */
const finding = { concurrency: 2, batchMax: 256, queueMax: 10_000 };

export type Available = Omit<Quantity, "price" | "available"> & { price: Usd; available: number };

/** Creates a batch with its owner and their share of each price in millionths. Answers its id. */
export async function addBatch(
  sql: Sql,
  batch: { investorId?: bigint; sharePpm?: number; title: string },
): Promise<number> {
  return (await insertBatch(sql, batch.investorId ?? null, batch.sharePpm ?? 0, batch.title)).id;
}

/** Adds local parts of one domain to a batch as one lot; answers how many were new. `secrets` are the sealed passwords of hosted mailboxes. */
export async function addMailboxes(
  sql: Sql,
  batchId: number,
  domainId: number,
  parts: string[],
  secrets?: Buffer[],
): Promise<number> {
  return (await insertStock(sql, batchId, domainId, parts, secrets ?? null)).added;
}

/** Adds hosted mailboxes of the shop, or renews the password of existing ones, which live again. Skips those of an investor. */
export async function renewMailboxes(
  db: Db,
  batchId: number,
  domainId: number,
  passwords: ReadonlyMap<string, Buffer>,
): Promise<{ added: number; renewed: number }> {
  const parts = [...passwords.keys()];
  const secrets = [...passwords.values()];
  return attempt(db, async (tx) => {
    // The lock order: the batch before the mailboxes.
    const added = await addMailboxes(tx, batchId, domainId, parts, secrets);
    const there = await updateSecrets(tx, batchId, domainId, parts, secrets);
    const dead = there.filter((mailbox) => mailbox.dead).map(({ id }) => id);
    if (dead.length > 0) await setDead(tx, dead, false);
    return { added, renewed: there.length };
  });
}

/** Moves the staged rows of `brought` into a held batch; answers per domain how many were taken. Skips mailboxes that the shop has. */
export function hold(
  tx: Tx,
  batchId: number,
): Promise<{ domainId: number; held: number; brought: number }[]> {
  return callHoldMailboxes(tx, batchId);
}

/** Puts a held batch on sale, in a moment whatever its size. */
export async function putOnSale(tx: Tx, batchId: number): Promise<void> {
  await callJoinStock(tx, batchId);
}

/** Wipes the passwords of a held batch. Its addresses can never be added again. */
export async function wipe(tx: Tx, batchId: number): Promise<void> {
  await callWipeHeld(tx, batchId);
}

/** Finds mailboxes for many callers: those who ask during a query share the next one. */
export function openFinder(db: Db): (email: string) => Promise<bigint | undefined> {
  const batcher = new Batcher((emails: string[]) => findAll(db, emails), finding);
  return (email) => batcher.submit(email);
}

/** The id of a living mailbox of an own domain, on sale or not; else undefined. Ignores case (RFC 5321 §2.4 lets the receiver decide). */
export async function find(sql: Sql, email: string): Promise<bigint | undefined> {
  const [found] = await findAll(sql, [email]);
  return found;
}

/** The mailboxes of lower-case addresses, whatever became of them: of own and hosted domains, on sale or not. */
export async function findStock(sql: Sql, emails: readonly string[]): Promise<Map<string, bigint>> {
  const asked = [...new Set(emails)];
  if (asked.length === 0) return new Map();
  const rows = await selectStock(sql, asked.map(localOf), asked.map(domainOf));
  return new Map(rows.map(({ position, id }) => [asked[position - 1] ?? "", id]));
}

const localOf = (address: string) => address.slice(0, Math.max(address.lastIndexOf("@"), 0));
const domainOf = (address: string) => address.slice(address.lastIndexOf("@") + 1);

async function findAll(sql: Sql, emails: readonly string[]): Promise<(bigint | undefined)[]> {
  const addresses = emails.map((email) => email.toLowerCase());
  const rows = await selectMailboxes(sql, addresses.map(localOf), addresses.map(domainOf));
  const living = new Map(rows.flatMap(({ position, id, dead }) => (dead ? [] : [[position, id] as const])));
  return emails.map((_, index) => living.get(index + 1));
}

/** The exact stock of a site in each mail domain on sale, one look-up a domain. A site without a row (undefined) can have everything. */
export async function available(sql: Sql, siteId: number | undefined): Promise<Available[]> {
  const rows = await selectQuantity(sql, siteId ?? null);
  return rows.map((row) => ({ ...row, price: row.price as Usd, available: Number(row.available) }));
}

export async function block(sql: Sql, batchId: number, siteId: number): Promise<void> {
  await callBlockBatch(sql, batchId, siteId);
}

export async function unblock(sql: Sql, batchId: number, siteId: number): Promise<void> {
  await callUnblockBatch(sql, batchId, siteId);
}

/** Marks mailboxes dead (neither sold nor received for, their passwords wiped) or living; answers how many changed. */
export async function setDead(sql: Sql, mailboxIds: bigint[], isDead: boolean): Promise<number> {
  const { changed } = await callSetDead(sql, mailboxIds, isDead, true);
  // Those out of sale were dead already.
  if (isDead) await wipeDead(sql, mailboxIds);
  return changed;
}

/** Takes mailboxes out of sale with their passwords: `setDead` with false puts them back. */
export async function withhold(sql: Sql, mailboxIds: bigint[]): Promise<number> {
  return (await callSetDead(sql, mailboxIds, true, false)).changed;
}

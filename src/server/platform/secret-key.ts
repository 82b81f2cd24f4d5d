// Whether a shop has the SECRET_KEY that its database was sealed with.
import { z } from "zod/mini";
import { type Db, maybe, type Sql } from "./db/db.ts";
import { openOrNone, type Seal } from "./seal.ts";

const Mark = z.object({ mark: z.instanceof(Uint8Array) });

const markOf = (seal: Seal) => seal.hash("shop", "key");

/** Whether this is the key of the database; undefined: it was never started with any. */
export async function isOwnKey(sql: Sql, seal: Seal): Promise<boolean | undefined> {
  const kept = await maybe(Mark, sql`select mark from shop_key`);
  return kept && markOf(seal).equals(kept.mark);
}

/**
 * Throws, with a sentence that says what to do, when the key is another than the database's; the first that comes is kept. `sample` is
 * something that was sealed in it, for a database that is older than the mark.
 */
export async function checkSecretKey(
  db: Db,
  seal: Seal,
  sample: () => Promise<Uint8Array | undefined>,
): Promise<void> {
  const isIts = await isOwnKey(db, seal);
  if (isIts) return;
  const sealed = isIts === undefined ? await sample() : undefined;
  const isAnothers = sealed !== undefined && openOrNone(seal, sealed) === undefined;
  if (isIts === false || isAnothers) throw new Error(anotherKey);
  await db`insert into shop_key (mark) values (${markOf(seal)}) on conflict do nothing`;
  // Of two that start at once with two keys one is refused.
  if (!(await isOwnKey(db, seal))) throw new Error(anotherKey);
}

/** Takes another key than the one that the secrets were sealed by, because that is lost. */
export const acceptKey = (sql: Sql, seal: Seal) =>
  sql`insert into shop_key (mark) values (${markOf(seal)}) on conflict (is_only) do update set mark = excluded.mark`;

export const anotherKey =
  "SECRET_KEY (with the embedded database: DATA_DIR/secret.key) is not the one that this database was sealed with. " +
  "Put that one back; if it is lost for good, docs/operations.md says what to do (Backups).";

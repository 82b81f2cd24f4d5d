// Checks that SECRET_KEY is the one that sealed the database.
import { z } from "zod/mini";
import { type Db, maybe, type Sql } from "./db/db.ts";
import { openOrNone, type Seal } from "./seal.ts";

const Mark = z.object({ mark: z.instanceof(Uint8Array) });

const markOf = (seal: Seal) => seal.hash("shop", "key");

/** Undefined: the database was never started with any key. */
export async function isOwnKey(sql: Sql, seal: Seal): Promise<boolean | undefined> {
  const kept = await maybe(Mark, sql`select mark from shop_key`);
  return kept && markOf(seal).equals(kept.mark);
}

/** Throws, with advice, when the key is another; stores the first. `sample`: a sealed text of a database older than the mark. */
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
  // Of two first starts with different keys, one fails.
  if (!(await isOwnKey(db, seal))) throw new Error(anotherKey);
}

export const acceptKey = (sql: Sql, seal: Seal) =>
  sql`insert into shop_key (mark) values (${markOf(seal)}) on conflict (is_only) do update set mark = excluded.mark`;

export const anotherKey =
  "SECRET_KEY (with the embedded database: DATA_DIR/secret.key) is not the one that this database was sealed with. " +
  "Put that one back; if it is lost for good, docs/operations.md says what to do (Backups).";

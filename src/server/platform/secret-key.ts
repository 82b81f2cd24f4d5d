// Checks that SECRET_KEY is the one that sealed the database, and notes when another one takes its place (docs/decisions/100).
import { existsSync } from "node:fs";
import { z } from "zod/mini";
import { type Config, keyFileOf, resolveSecret } from "./config/config.ts";
import { type Db, maybe, type Sql } from "./db/db.ts";
import { createSeal, openOrNone, type Seal } from "./seal.ts";

type KeySettings = Pick<Config, "secretKey" | "secretKeyOld" | "dataDir">;

/** What the keys of the settings seal and open. */
export const sealOf = (config: KeySettings): Seal => createSeal(resolveSecret(config), config.secretKeyOld);

const Bytes = z.instanceof(Uint8Array);
const Kept = z.object({ mark: Bytes, before: z.nullable(Bytes), changedAt: z.nullable(z.date()) });

const markOf = (seal: Seal) => seal.hash("shop", "key");

const isMark = (seal: Seal | undefined, mark: Uint8Array): boolean =>
  seal !== undefined && markOf(seal).equals(mark);

/** Undefined: the database was never started with any key. */
export const selectKey = (sql: Sql) =>
  maybe(Kept, sql`select mark, before, changed_at as "changedAt" from shop_key`);

/** Whether the database is sealed with the key, or with the key before. Undefined: it was never started with any. */
export async function isOwnKey(sql: Sql, seal: Seal): Promise<boolean | undefined> {
  const kept = await selectKey(sql);
  return kept && (isMark(seal, kept.mark) || isMark(seal.before, kept.mark));
}

/** How the key of the settings stands to a database. Makes none where there is none yet. */
export async function isKeyOf(db: Db, config: KeySettings): Promise<"fits" | "another" | "missing" | "none"> {
  if (!(await selectKey(db))) return "none";
  if (!config.secretKey && !existsSync(keyFileOf(config))) return "missing";
  return (await isOwnKey(db, sealOf(config))) ? "fits" : "another";
}

/** The seal of a command beside a shop that may run: it writes with the key that the shop writes with. Undefined: the keys are others. */
export async function sealBeside(db: Db, config: KeySettings): Promise<Seal | undefined> {
  const seal = sealOf(config);
  const kept = await selectKey(db);
  if (!kept || isMark(seal, kept.mark)) return seal;
  const { secretKeyOld: before } = config;
  return before && isMark(seal.before, kept.mark) ? createSeal(before, resolveSecret(config)) : undefined;
}

/**
 * Throws, with advice, when the key is another; stores the first, and the one that takes the place of SECRET_KEY_OLD. `sample`: a
 * sealed text of a database older than the mark.
 */
export async function checkSecretKey(
  db: Db,
  seal: Seal,
  sample: () => Promise<Uint8Array | undefined>,
): Promise<void> {
  const kept = (await selectKey(db)) ?? (await storeFirst(db, seal, sample));
  const { mark, before } = kept;
  const known = [seal, seal.before];
  if (!known.some((one) => isMark(one, mark))) throw new Error(anotherKey);
  if (before && !known.some((one) => isMark(one, before))) throw new Error(stillNeeded);
  if (isMark(seal, mark)) return;
  // Of processes that name the two keys the other way round the last to start decides which of them is written with.
  await db`with changed as (
             update shop_key set mark = ${markOf(seal)}, before = mark, changed_at = clock_timestamp()
             where mark = ${mark} returning true)
           delete from key_pass where exists (select from changed)`;
}

async function storeFirst(db: Db, seal: Seal, sample: () => Promise<Uint8Array | undefined>) {
  const sealed = await sample();
  if (sealed !== undefined && openOrNone(seal, sealed) === undefined) throw new Error(anotherKey);
  await db`insert into shop_key (mark, before) values (${markOf(seal)}, ${seal.before && sealed ? markOf(seal.before) : null})
           on conflict do nothing`;
  // Of two first starts with different keys, one fails.
  const kept = await selectKey(db);
  if (!kept) throw new Error("the key of this database was not stored");
  return kept;
}

/** Whether the database is written with the key of this process; of two processes with the keys the other way round only one is. */
export async function isWritten(sql: Sql, seal: Seal): Promise<boolean> {
  const kept = await selectKey(sql);
  return kept !== undefined && isMark(seal, kept.mark);
}

/** Notes whether the key before is still needed to read. */
export const noteBefore = (sql: Sql, seal: Seal, isNeeded: boolean) =>
  sql`update shop_key set before = ${isNeeded && seal.before ? markOf(seal.before) : null} where mark = ${markOf(seal)}`;

export const acceptKey = (sql: Sql, seal: Seal) =>
  sql`insert into shop_key (mark) values (${markOf(seal)})
      on conflict (is_only) do update set mark = excluded.mark, before = null, changed_at = null`;

export const anotherKey =
  "SECRET_KEY (with the embedded database: DATA_DIR/secret.key) is not the one that this database was sealed with. " +
  "Put that one back; to have another key, name that one as SECRET_KEY_OLD beside the new one; " +
  "if it is lost for good, docs/operations.md says what to do (Backups).";

const stillNeeded =
  "SECRET_KEY_OLD must still name the key before: some of this database is sealed with it. " +
  "`npm run shop -- secret show` says how much; a shop that runs seals it anew.";

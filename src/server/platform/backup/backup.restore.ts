// Restores a backup: the schema by the migrations that it names, then its rows, then what the program has since migrated.
import { existsSync } from "node:fs";
import { mkdir, readFile as readText, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Db, Reserved } from "../db/db.ts";
import { migrate, migrateAsBefore, unknownMigration } from "../db/migrate.ts";
import { checkFile, type Contents, readFile, type Whole } from "./backup.file.ts";
import { damaged, Unusable } from "./backup.pull.ts";
import * as rows from "./backup.sql.ts";
import { addressFile, keyFiles } from "./backup.write.ts";

export interface Restored extends Whole {
  /** Tables that are not of the shop, whose rows stay behind. */
  readonly left: readonly string[];
  /** Migrations since the backup. */
  readonly migrated: readonly string[];
  /** What was put into DATA_DIR. */
  readonly files: readonly string[];
}

export interface Source {
  readonly path: string;
  /** Of BACKUP_PRIVATE_KEY. */
  readonly privateKey: Uint8Array | undefined;
}

export interface Target {
  readonly db: Db;
  /** DATA_DIR. */
  readonly dataDir: string;
  readonly progress?: (line: string) => void;
}

/** Reads a backup to its end. Throws Unusable when it cannot be restored by this program. Nothing is changed. */
export async function checkBackup({ path, privateKey }: Source): Promise<Whole> {
  if (!existsSync(path)) throw new Unusable(`There is no ${path}.`);
  const whole = await checkFile(path, privateKey);
  const unknown = await unknownMigration(whole.contents.applied);
  if (unknown !== undefined)
    throw new Unusable(
      `The backup has the migration ${unknown}, which this program does not know as it is there: it was made by a newer one, which must restore it.`,
    );
  return whole;
}

/**
 * Fills an empty database, and an empty DATA_DIR, with a backup that `checkBackup` has found whole. What an earlier restore has left that
 * did not come to its end is thrown away first. Throws Unusable, before anything is changed, when the database is not empty.
 */
export async function restoreBackup(source: Source, whole: Whole, target: Target): Promise<Restored> {
  // Of its own: after a copy that failed nothing is said on the other.
  const lock = await target.db.reserve();
  try {
    if (!(await rows.lockRestore(lock))) throw new Unusable("Another restore fills this database now.");
    try {
      return await restoreAlone(source, whole, target);
    } finally {
      await rows.unlockRestore(lock);
    }
  } finally {
    lock.release();
  }
}

async function restoreAlone(source: Source, whole: Whole, target: Target): Promise<Restored> {
  const session = await target.db.reserve();
  try {
    const { state } = await rows.standing(session);
    if (state === "in use")
      throw new Unusable("The database is not empty: a backup is restored into an empty one.");
    const files = new Files(target.dataDir);
    await rows.noteHalfRestored(session);
    await rows.wipe(session);
    await migrateAsBefore(target.db, whole.contents.applied);
    const left = await fill(session, { source, whole, files, progress: target.progress });
    await rows.noteRestored(session);
    const migrated = await migrate(target.db);
    await rows.analyze(session);
    return { ...whole, left, migrated, files: files.written };
  } finally {
    session.release();
  }
}

/** What takes longer than a moment. */
const rowsPerNotice = 100_000;

interface Filling {
  readonly source: Source;
  readonly whole: Whole;
  readonly files: Files;
  readonly progress: Target["progress"];
}

/** Answers the tables that have no place here. */
async function fill(session: Reserved, { source, whole, files, progress }: Filling): Promise<string[]> {
  const { contents, rows: counts } = whole;
  const keys = await rows.selectForeignKeys(session);
  for (const key of keys) await rows.dropForeignKey(session, key);
  const places = await prepare(session, contents);
  const indexes = await rows.selectIndexes(session);
  for (const index of indexes) await rows.dropIndex(session, index);
  const left: string[] = [];
  await readFile(source.path, source.privateKey, {
    table: async (name, pieces) => {
      const table = places.get(name);
      if (!table) {
        left.push(name);
        for await (const _ of pieces);
        return;
      }
      if ((counts[name] ?? 0) >= rowsPerNotice) progress?.(`${name}: ${counts[name]} rows …`);
      await pipeline(pieces, await rows.takeTable(session, table));
      if ((await rows.countRows(session, name)) !== counts[name]) throw new Unusable(damaged);
    },
    file: (name, pieces) => files.put(name, pieces),
  });
  for (const sequence of contents.sequences)
    if (await rows.exists(session, sequence.name)) await rows.setSequence(session, sequence);
  for (const index of indexes) await rows.addIndex(session, index);
  for (const key of keys) await rows.addForeignKey(session, key);
  return left;
}

/** Empties the tables, and makes the partitions of the backup in the place of those that the migrations have made for today. */
async function prepare(session: Reserved, { tables }: Contents): Promise<Map<string, rows.Table>> {
  for (const { name, parent } of await rows.selectTables(session))
    if (parent !== null) await rows.dropTable(session, name);
  for (const table of tables) if (table.parent !== null) await rows.addPartition(session, table);
  const here = await rows.selectTables(session);
  for (const { name } of here) if (await rows.hasRows(session, name)) await rows.truncate(session, [name]);
  const known = new Map(here.map((table) => [table.name, table]));
  return new Map(tables.flatMap((table) => (known.has(table.name) ? [[table.name, table] as const] : [])));
}

/** What a backup puts into DATA_DIR: nothing that is there is lost. */
class Files {
  readonly written: string[] = [];
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(name: string, pieces: AsyncIterable<Buffer>): Promise<void> {
    const isList = name === addressFile;
    if (!isList && !(keyFiles as readonly string[]).includes(name)) throw new Unusable(damaged);
    const held: Buffer[] = [];
    for await (const piece of pieces) held.push(piece);
    const path = join(this.#folder, name);
    const before = existsSync(path) ? await readText(path, "utf8") : "";
    if (before !== "" && !isList) return;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const text = Buffer.concat(held).toString();
    await writeFile(`${path}.new`, isList ? joined(text, before) : text, { mode: 0o600, flush: true });
    await rename(`${path}.new`, path);
    this.written.push(name);
  }
}

/** The lines of both, each once. One that was cut short is no line. */
function joined(text: string, more: string): string {
  const lines = new Set([text, more].flatMap((each) => each.split("\n").slice(0, -1)));
  return [...lines].map((line) => `${line}\n`).join("");
}

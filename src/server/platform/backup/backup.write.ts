// Writes a backup: every row as it is at one moment, by COPY in one transaction that sees no later one.
import { createReadStream, existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { addAbortSignal } from "node:stream";
import { type Db, reasonOf, type Reserved } from "../db/db.ts";
import { type Contents, type Part, writeFile } from "./backup.file.ts";
import * as rows from "./backup.sql.ts";
import { Unusable } from "./backup.pull.ts";

/** What of DATA_DIR cannot be made again. Its keys are those of an embedded database; others have theirs in the settings. */
export const keyFiles = ["secret.key", "secret.key.old"] as const;
export const addressFile = "addresses.csv";

export interface Backup {
  readonly path: string;
  /** The moment that it shows. */
  readonly at: Date;
  readonly sizeBytes: number;
  readonly rows: number;
  readonly tookSeconds: number;
  readonly isEncrypted: boolean;
  /** It has the key that seals tokens and passwords in the database. */
  readonly hasKey: boolean;
}

export interface Writing {
  readonly db: Db;
  /** DATA_DIR. */
  readonly dataDir: string;
  /** The database is that of DATA_DIR. */
  readonly isEmbedded: boolean;
  /** Made when it is missing. */
  readonly folder: string;
  /** Of BACKUP_KEY. */
  readonly publicKey: Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
}

const nameOf = (at: Date) => `postern-${at.toISOString().replaceAll(":", "-")}.backup`;
/** The names of backups; they stand in the order of their moments. */
export const backupName = /^postern-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.backup$/;

/** Writes a backup. Throws Unusable when it cannot show one moment; whatever it throws, it leaves no file. */
export async function writeBackup({ db, folder, publicKey, signal, ...place }: Writing): Promise<Backup> {
  const start = performance.now();
  if ((await rows.standing(db)).state !== "in use")
    throw new Unusable("The database has no shop in it: there is nothing to back up.");
  if (await rows.isOnWorkers(db))
    throw new Unusable(
      "The letters of this shop are on other servers (Citus), whose moment cannot be that of this database: back them up by the means of the cluster.",
    );
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const session = await db.reserve();
  try {
    const at = await rows.beginSnapshot(session);
    const path = join(folder, nameOf(at));
    if (existsSync(path)) throw new Unusable(`${path} is there already.`);
    const counts: Record<string, number> = {};
    const files = filesOf(place);
    const parts = partsOf(session, { db, at, counts, files, signal });
    const sizeBytes = await writeFile(path, { parts, rows: () => counts, publicKey }, signal);
    return {
      path,
      at,
      sizeBytes,
      rows: Object.values(counts).reduce((sum, count) => sum + count, 0),
      tookSeconds: (performance.now() - start) / 1000,
      isEncrypted: publicKey !== undefined,
      hasKey: files.some(({ name }) => name === keyFiles[0]),
    };
  } catch (cause) {
    // A migration has ended the session, or the database is being stopped.
    throw wasEnded(cause) ? new Unusable(migrated, { cause }) : cause;
  } finally {
    await rows.endSnapshot(session).catch(() => undefined);
    session.release();
  }
}

function filesOf({ dataDir, isEmbedded }: Pick<Writing, "dataDir" | "isEmbedded">) {
  return [...(isEmbedded ? keyFiles : []), addressFile]
    .map((name) => ({ name, path: join(dataDir, name) }))
    .filter(({ path }) => existsSync(path));
}

interface Taking {
  readonly db: Db;
  readonly at: Date;
  /** Gets the rows of each table. */
  readonly counts: Record<string, number>;
  readonly files: readonly { readonly name: string; readonly path: string }[];
  readonly signal: AbortSignal | undefined;
}

async function* partsOf(session: Reserved, { db, at, counts, files, signal }: Taking): AsyncGenerator<Part> {
  const contents: Contents = {
    at: at.toISOString(),
    applied: await rows.selectApplied(session),
    tables: await rows.selectTables(session),
    sequences: await rows.selectSequences(session),
  };
  yield { line: { contents } };
  // After the snapshot began: the list then has every address that the database has.
  for (const { name, path } of files) yield { line: { file: name }, pieces: createReadStream(path) };
  for (const table of contents.tables) {
    // A partition of old letters may be dropped meanwhile: they were to be forgotten.
    if (table.parent !== null && !(await rows.exists(session, table.name))) continue;
    const { rows: pieces, count } = await rows.giveTable(session, table);
    // Who waits for a lock hears of the signal by nothing else.
    if (signal) addAbortSignal(signal, pieces);
    yield { line: { table: table.name }, pieces };
    counts[table.name] = await count;
    await rows.afterTable(session);
  }
  const applied = await rows.selectApplied(db);
  if (applied.length !== contents.applied.length) throw new Unusable(migrated);
}

const migrated = "The database was migrated while the backup was written, so it was given up: make it again.";

function wasEnded(fault: unknown): boolean {
  const faults = [fault, (fault as Error).cause];
  return faults.some((each) => reasonOf(each).code === "57P01");
}

// One uploaded file. Until its one transaction at the end it is only in a temporary table: a failure leaves nothing.
import { createHash } from "node:crypto";
import { sampleSize, uploadBytesMax } from "../../contract/limits.ts";
import { isOtherFile } from "../../contract/login.ts";
import * as catalog from "../catalog/catalog.ts";
import * as inventory from "../inventory/inventory.ts";
import { type Db, reasonOf, type Reserved, type Tx } from "../platform/db/db.ts";
import { inUtf8 } from "../platform/http/upload.ts";
import { notTooSlow, Pace } from "./investors.pace.ts";
import { type RowChecker, newBuffer, piecesOf, type Registered } from "./investors.stage.ts";
import * as rows from "./investors.sql.ts";

/** The default part of each price, in millionths. */
export const usualSharePpm = 300_000;

export interface Upload {
  readonly userId: bigint;
  readonly sites: readonly string[];
  readonly file: AsyncIterable<Uint8Array>;
  /** Repeated under the same key it is the same batch. */
  readonly key: string | undefined;
  readonly at: Date;
  /** Checks the token again: a file takes up to an hour. */
  readonly isValid: () => Promise<boolean>;
}

export interface Rejected {
  malformed: number;
  unknownDomain: number;
  duplicateInFile: number;
  duplicate: number;
}

export interface Brought {
  readonly batchId: number;
  readonly accepted: number;
  readonly rejected: Rejected;
  readonly domains: string[];
  readonly restricted: string[];
}

export interface TooFew {
  readonly refused: "too few mailboxes";
  readonly accepted: number;
  readonly rejected: Rejected;
}

/** Nothing was kept: the account is blocked, its token was replaced, an operator must look at it first, the key names another file, or it is no list of login:password. */
export type Barred = "token" | "under review" | "key used" | "columns";

interface Parts {
  readonly db: Db;
  readonly checker: RowChecker;
}

/** Stores a file as a batch, or nothing. Throws `TooLong`, and the error of a file that breaks off. */
export async function store({ db, checker }: Parts, upload: Upload): Promise<Brought | TooFew | Barred> {
  const barred = await barredFrom(db, upload);
  if (barred) return barred;
  const seen = hashing(upload);
  const earlier = await earlierOf(db, upload);
  if (earlier) return (await isSame(earlier, seen)) ? broughtOf(earlier) : "key used";
  const domains = await registered(db);
  const connection = await rows.openConnection(db);
  try {
    await rows.openStage(connection);
    const rejected = await stageAll(connection, checker, seen.file, domains);
    if (rejected === "columns") return rejected;
    return (await barredFrom(db, upload)) ?? (await finish(connection, upload, rejected, seen.hash()));
  } catch (fault) {
    const isRepeat = reasonOf(fault).code === uniqueViolation;
    const there = isRepeat ? await earlierOf(db, upload) : undefined;
    if (there) return seen.isHashOf(there.fileHash) ? broughtOf(there) : "key used";
    throw fault;
  } finally {
    await rows.closeStage(connection).finally(() => connection.release());
  }
}

const uniqueViolation = "23505";

async function barredFrom(db: Db, { userId, isValid }: Upload): Promise<Barred | undefined> {
  if (!(await isValid())) return "token";
  return (await rows.selectFlags(db, userId)).length > 0 ? "under review" : undefined;
}

/** The batch that was made under the same key. */
const earlierOf = async (db: Db, { userId, key }: Upload) =>
  key === undefined ? undefined : rows.selectByKey(db, userId, key);

interface Hashing {
  readonly file: AsyncIterable<Uint8Array>;
  /** Of all that was read. */
  hash(): Buffer;
  isHashOf(hash: Uint8Array | null): boolean;
}

/** The file of an upload, hashed with its restrictions while it is read. */
function hashing({ file, sites }: Upload): Hashing {
  const sum = createHash("sha256").update(`${[...sites].toSorted().join(",")}\n`);
  let ended: Buffer | undefined;
  const hash = () => (ended ??= sum.digest());
  return {
    file: (async function* read() {
      for await (const chunk of file) {
        sum.update(chunk);
        yield chunk;
      }
    })(),
    hash,
    // A batch of before the column is believed.
    isHashOf: (other) => other === null || hash().equals(other),
  };
}

/** Reads the file to its end, or beyond what a batch may be. */
async function isSame({ fileHash }: rows.Batch, { file, isHashOf }: Hashing): Promise<boolean> {
  let bytes = 0;
  for await (const chunk of notTooSlow(file)) if ((bytes += chunk.length) > uploadBytesMax) return false;
  return isHashOf(fileHash);
}

const broughtOf = (batch: rows.Batch): Brought => {
  const { batchId, taken: accepted, malformed, unknownDomain, duplicateInFile, duplicate } = batch;
  const rejected = { malformed, unknownDomain, duplicateInFile, duplicate };
  return { batchId, accepted, rejected, domains: batch.domains, restricted: batch.restricted };
};

/** Own domains, and hosted ones whose server the operator has registered: we connect to no other server. */
export async function registered(db: Db): Promise<ReadonlyMap<string, Registered>> {
  const domains = await catalog.listDomains(db);
  return new Map(
    domains
      .filter(({ kind, imap }) => kind === "own" || imap !== null)
      .map(({ name, id, kind }) => [name, { id, isHosted: kind === "hosted" }]),
  );
}

async function stageAll(
  connection: Reserved,
  checker: RowChecker,
  file: AsyncIterable<Uint8Array>,
  domains: ReadonlyMap<string, Registered>,
): Promise<Rejected | "columns"> {
  const rejected = { malformed: 0, unknownDomain: 0, duplicateInFile: 0, duplicate: 0 };
  const all = { lines: 0, otherColumns: 0 };
  const buffers = [newBuffer(), newBuffer()] as const;
  let writing: Promise<unknown> = Promise.resolve();
  let turn = 0;
  const pace = new Pace();
  try {
    for await (const lines of piecesOf(
      inUtf8(notTooSlow(file)),
      uploadBytesMax,
      () => rejected.malformed++,
    )) {
      const buffer = buffers[turn++ % 2 === 0 ? 0 : 1];
      const checked = await checker.run({ lines, buffer, domains });
      all.lines += checked.lines;
      all.otherColumns += checked.otherColumns;
      rejected.malformed += checked.malformed;
      rejected.unknownDomain += checked.unknownDomain;
      await writing;
      writing = rows.stage(connection, buffer.subarray(0, checked.rowsBytes));
      // Awaited above or below; without this a fault until then would be an unhandled rejection.
      writing.catch(() => undefined);
      rejected.duplicateInFile += checked.lines - checked.malformed - checked.unknownDomain;
      await pace.keep(lines.length);
    }
  } finally {
    await writing;
  }
  return isOtherFile(all) ? "columns" : rejected;
}

async function finish(
  connection: Reserved,
  upload: Upload,
  staged: Rejected,
  fileHash: Buffer,
): Promise<Brought | TooFew> {
  await rows.begin(connection);
  try {
    const tx = connection as unknown as Tx;
    const kept = await keep(tx, upload, staged, fileHash);
    await ("refused" in kept ? rows.rollback(connection) : rows.commit(connection));
    return kept;
  } catch (fault) {
    await rows.rollback(connection).catch(() => undefined);
    throw fault;
  }
}

/** `staged.duplicateInFile` comes in as the count of all staged lines; subtracts the distinct ones. */
async function keep(tx: Tx, upload: Upload, staged: Rejected, fileHash: Buffer): Promise<Brought | TooFew> {
  const { userId, key, at } = upload;
  const sharePpm = (await rows.selectTerms(tx, userId))?.sharePpm ?? usualSharePpm;
  const title = `upload of user ${userId}`;
  const batchId = await inventory.addBatch(tx, { investorId: userId, sharePpm, title });
  const held = await inventory.hold(tx, batchId);
  const accepted = sum(held.map((each) => each.held));
  const different = sum(held.map((each) => each.brought));
  const rejected = {
    ...staged,
    duplicateInFile: staged.duplicateInFile - different,
    duplicate: different - accepted,
  };
  if (accepted < sampleSize) return { refused: "too few mailboxes", accepted, rejected };
  for (const name of upload.sites) {
    const site = await catalog.findOrAddSite(tx, name);
    if (site) await inventory.block(tx, batchId, site.id);
  }
  await rows.insertBatch(tx, { batchId, userId, at, key, fileHash, taken: accepted, ...rejected });
  const batch = await rows.selectBatch(tx, batchId);
  return { batchId, accepted, rejected, domains: batch?.domains ?? [], restricted: batch?.restricted ?? [] };
}

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

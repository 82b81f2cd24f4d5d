// The file of a backup: a line that says what it is, and behind it, compressed and perhaps encrypted, sections: a line of JSON each, and
// the pieces of a table or a file behind it. The last one counts what was before it: without it the backup is not whole.
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { z } from "zod/mini";
import { openWith, sealFor } from "./keys.ts";
import { damaged, Pull, unfinished, Unusable, withSize } from "./backup.pull.ts";
import { Applied, Sequence, Table } from "./backup.sql.ts";

const firstLine = "postern backup 1 ";
const First = z.object({
  sealed: z.nullable(z.object({ for: z.string(), key: z.string(), stream: z.string() })),
});

/** What is in a backup; its first section. */
export const Contents = z.object({
  /** The moment that it shows. */
  at: z.string(),
  applied: z.array(Applied),
  tables: z.array(Table),
  sequences: z.array(Sequence),
});
export type Contents = z.infer<typeof Contents>;

/** The last section: the rows of each table, and the SHA-256 of everything before. */
const End = z.object({ rows: z.record(z.string(), z.int()), sha256: z.string() });

const Line = z.union([
  z.object({ contents: Contents }),
  z.object({ table: z.string() }),
  z.object({ file: z.string() }),
  z.object({ end: End }),
]);
type Line = z.infer<typeof Line>;

/** A part of what is written: its line, and the pieces behind it. */
export interface Part {
  readonly line: { readonly contents: Contents } | { readonly table: string } | { readonly file: string };
  readonly pieces?: AsyncIterable<Buffer>;
}

const noPiece = withSize(Buffer.alloc(0));
/** Compressed pieces, and so those that are encrypted. */
const chunkSize = 64 * 1024;
const compression = {
  chunkSize,
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
};

async function* encoded(parts: AsyncIterable<Part>, rows: () => Record<string, number>) {
  const hash = createHash("sha256");
  const passed = (bytes: Buffer) => {
    hash.update(bytes);
    return bytes;
  };
  for await (const { line, pieces } of parts) {
    yield passed(asLine(line));
    if (!pieces) continue;
    for await (const piece of pieces) yield passed(withSize(piece));
    yield passed(noPiece);
  }
  yield asLine({ end: { rows: rows(), sha256: hash.digest("hex") } });
}

const asLine = (line: Line) => Buffer.from(`${JSON.stringify(line)}\n`);

/** How the name of a backup ends that is being written. */
export const partEnd = ".part";

/**
 * Writes a backup of these parts; `rows` is asked behind the last of them. At its end the file is on the disk and has its name; with a
 * fault, or when the process ends before, nothing has that name. Answers its size.
 */
export async function writeFile(
  path: string,
  {
    parts,
    rows,
    publicKey,
  }: { parts: AsyncIterable<Part>; rows: () => Record<string, number>; publicKey?: Uint8Array | undefined },
  signal?: AbortSignal,
): Promise<number> {
  const part = `${path}${partEnd}`;
  const sealing = publicKey && sealFor(publicKey);
  const file = createWriteStream(part, { flags: "wx", mode: 0o600, flush: true });
  try {
    await pipeline(
      encoded(parts, rows),
      createZstdCompress(compression),
      async function* (source: AsyncIterable<Buffer>) {
        yield Buffer.from(`${firstLine}${JSON.stringify({ sealed: sealing?.envelope ?? null })}\n`);
        yield* sealing ? sealing.seal(source) : source;
      },
      file,
      { signal },
    );
    await rename(part, path);
  } catch (fault) {
    await rm(part, { force: true });
    throw fault;
  }
  await syncFolder(dirname(path));
  return file.bytesWritten;
}

/** The new name is on the disk, too. */
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path);
  await folder.sync();
}

/** What a reader does with each section; its pieces are read to their end before the next. */
export interface Reader {
  readonly contents?: (contents: Contents) => Promise<void> | void;
  readonly table: (name: string, pieces: AsyncIterable<Buffer>) => Promise<void>;
  readonly file: (name: string, pieces: AsyncIterable<Buffer>) => Promise<void>;
}

export interface Whole {
  readonly contents: Contents;
  /** Of each table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly isEncrypted: boolean;
}

/**
 * Reads a backup to its end and answers what it is. Throws Unusable when it is none, is not whole, was changed, or needs another key;
 * what the reader got before is then worth nothing.
 */
export async function readFile(
  path: string,
  privateKey: Uint8Array | undefined,
  reader: Reader,
): Promise<Whole> {
  const source = createReadStream(path, { highWaterMark: 256 * 1024 });
  try {
    const pull = new Pull(source);
    const { sealed } = await readFirst(pull, path);
    const bytes = sealed ? openWith(sealed, privateKey)(pull.rest()) : pull.rest();
    return { ...(await readSections(unpacked(bytes), reader)), isEncrypted: sealed !== null };
  } finally {
    source.destroy();
  }
}

const firstMax = 4_096;

async function readFirst(pull: Pull, path: string) {
  const line = await pull.line(firstMax).catch((fault: unknown) => {
    // A line without an end is of another file; a disk that cannot be read says nothing of it.
    if (fault instanceof Unusable) return undefined;
    throw fault;
  });
  const text = line?.toString("latin1") ?? "";
  const first = text.startsWith(firstLine) ? parsed(First, text.slice(firstLine.length)) : undefined;
  if (first) return first;
  throw new Unusable(
    text.startsWith("postern backup ")
      ? `${path} was written by a newer program, which must be the one that reads it.`
      : `${path} is no backup of a shop.`,
  );
}

function parsed<Value>(shape: z.ZodMiniType<Value>, text: string): Value | undefined {
  try {
    return shape.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** What was compressed. */
async function* unpacked(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const unzip = createZstdDecompress({ chunkSize: 4 * chunkSize });
  const whole = pipeline(bytes, unzip);
  // Its fault is that of the last of both; it is asked for below, where all was read.
  whole.catch(() => undefined);
  try {
    yield* unzip as AsyncIterable<Buffer>;
    await whole;
  } catch (cause) {
    if (cause instanceof Unusable) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    if (code?.startsWith("E")) throw cause;
    throw new Unusable(code === "Z_BUF_ERROR" ? unfinished : damaged, { cause });
  }
}

async function readSections(
  bytes: AsyncIterable<Buffer>,
  reader: Reader,
): Promise<Omit<Whole, "isEncrypted">> {
  const hash = createHash("sha256");
  const pull = new Pull(bytes, hash);
  let contents: Contents | undefined;
  for (let text = await pull.line(); text !== undefined; text = await pull.line()) {
    const line = parsed(Line, text.toString());
    if (!line) throw new Unusable(damaged);
    if ("end" in line) {
      const { rows, sha256 } = line.end;
      if (sha256 !== hash.digest("hex") || !contents) throw new Unusable(damaged);
      if ((await pull.line()) !== undefined) throw new Unusable(damaged);
      return { contents, rows };
    }
    hash.update(`${text.toString()}\n`);
    if ("contents" in line) {
      contents = line.contents;
      await reader.contents?.(contents);
    } else if ("table" in line) await reader.table(line.table, piecesOf(pull));
    else await reader.file(line.file, piecesOf(pull));
  }
  throw new Unusable(unfinished);
}

async function* piecesOf(pull: Pull): AsyncGenerator<Buffer> {
  for (let piece = await pull.sized(); piece.length > 0; piece = await pull.sized()) yield piece;
}

/** Reads a backup to its end without doing anything with it. */
export const checkFile = (path: string, privateKey: Uint8Array | undefined): Promise<Whole> => {
  const pass = async (_name: string, pieces: AsyncIterable<Buffer>) => {
    for await (const _ of pieces);
  };
  return readFile(path, privateKey, { table: pass, file: pass });
};

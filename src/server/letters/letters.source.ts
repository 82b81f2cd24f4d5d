import { pipeline } from "node:stream";
import { createZstdDecompress } from "node:zlib";
import type { Db } from "../platform/db/db.ts";
import { isPacked } from "./letters.raw.ts";
import { selectPiece } from "./letters.sql.ts";

const pieceBytes = 256 * 1024;

/** The bytes of a letter as they came, a piece at a time; undefined when they are no longer stored. Ask only for whom the letter is. */
export async function openSource(db: Db, letterId: bigint): Promise<AsyncIterable<Buffer> | undefined> {
  const first = await selectPiece(db, letterId, 0, pieceBytes);
  if (!first) return undefined;
  const stored = storedPieces(db, letterId, first);
  if (!isPacked(first)) return stored;
  const unpacked = createZstdDecompress();
  // A fault destroys the stream, and its reader hears of it.
  pipeline(stored, unpacked, () => undefined);
  return unpacked;
}

async function* storedPieces(db: Db, letterId: bigint, first: Buffer): AsyncGenerator<Buffer> {
  let piece: Buffer | undefined = first;
  for (let read = 0; piece && piece.length > 0; read += pieceBytes) {
    yield piece;
    if (piece.length < pieceBytes) return;
    piece = await selectPiece(db, letterId, read + pieceBytes, pieceBytes);
  }
  if (!piece) throw new Error(`the letter ${letterId} was deleted while it was read`);
}

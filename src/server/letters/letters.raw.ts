import { promisify } from "node:util";
import {
  constants,
  createZstdCompress,
  zstdCompress,
  zstdCompressSync,
  zstdDecompress,
  zstdDecompressSync,
} from "node:zlib";
import { z } from "zod/mini";

/** Below this a letter costs more to pack than its place is worth. */
const packedMin = 4 * 1024;
/** Above this packing takes long enough for others to wait: a thread does it. */
const aloneMax = 256 * 1024;
/** Stored bytes that begin so are packed (RFC 8878 §3.1.1). A letter that itself begins so is packed whatever it gains. */
const magic = Buffer.from("28b52ffd", "hex");
const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const packApart = promisify(zstdCompress);
const unpackApart = promisify(zstdDecompress);

const isPacked = (raw: Buffer) => raw.subarray(0, magic.length).equals(magic);

/** Bytes as they are stored: packed when that pays, which is before they travel to the database. */
export async function pack(raw: Buffer): Promise<Buffer> {
  return raw.length > aloneMax ? shorter(raw, await packApart(raw, options)) : packNow(raw);
}

/** The same for who keeps nobody waiting. */
export function packNow(raw: Buffer): Buffer {
  if (raw.length < packedMin && !isPacked(raw)) return raw;
  return shorter(raw, zstdCompressSync(raw, options));
}

const shorter = (raw: Buffer, packed: Buffer) =>
  isPacked(raw) || packed.length < raw.length * 0.9 ? packed : raw;

const longMin = 1024 * 1024;
const pieceBytes = 64 * 1024;

/** Whether a letter is so long that few of them may be in memory at once, and none in several copies. */
export const isLong = ({ raw }: { readonly raw: Uint8Array }): boolean => raw.length >= longMin;

/** Gives memory back at once that nobody needs any more: the collector comes for bytes when there are many times as many. */
export function letGo({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** The bytes of a long letter as they are stored, packed whatever that gains, piece by piece. */
export const packedPieces = (raw: Buffer): AsyncIterable<Buffer> =>
  createZstdCompress({ ...options, chunkSize: pieceBytes }).end(raw);

/** The bytes as they were. */
export const unpack = (stored: Buffer): Buffer => (isPacked(stored) ? zstdDecompressSync(stored) : stored);

/** The same for a long letter of which it is known how long it was: in a thread, and without parts that are joined in the end. */
export const unpackLong = async (stored: Buffer, sizeBytes: number): Promise<Buffer> =>
  isPacked(stored) ? unpackApart(stored, { chunkSize: sizeBytes + 1 }) : stored;

/** How a query answers the bytes of a letter: as they came. */
export const Raw = z.pipe(z.instanceof(Buffer), z.transform(unpack));

/** How a query answers the HTML of a letter. */
export const StoredHtml = z.pipe(
  z.instanceof(Buffer),
  z.transform((stored: Buffer) => unpack(stored).toString()),
);

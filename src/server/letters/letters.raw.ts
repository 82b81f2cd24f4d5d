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

/** Packing a shorter letter costs more than its space. */
const packedMin = 4 * 1024;
/** Packing a longer letter blocks too long: a thread does it. */
const aloneMax = 256 * 1024;
/** Packed bytes begin so (RFC 8878 §3.1.1). A letter that itself begins so is packed whatever it gains. */
const magic = Buffer.from("28b52ffd", "hex");
const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const packApart = promisify(zstdCompress);
const unpackApart = promisify(zstdDecompress);

/** Whether packing a letter blocks so little that no thread is needed. */
export const isPackedSoon = ({ raw }: { readonly raw: Uint8Array }): boolean => raw.length <= aloneMax;

export const isPacked = (raw: Buffer) => raw.subarray(0, magic.length).equals(magic);

/** Packs bytes for storage when that pays; the database gets them packed. */
export async function pack(raw: Buffer): Promise<Buffer> {
  return isPackedSoon({ raw }) ? packNow(raw) : shorter(raw, await packApart(raw, options));
}

/** The same, synchronously, for callers that block nothing. */
export function packNow(raw: Buffer): Buffer {
  if (raw.length < packedMin && !isPacked(raw)) return raw;
  return shorter(raw, zstdCompressSync(raw, options));
}

const shorter = (raw: Buffer, packed: Buffer) =>
  isPacked(raw) || packed.length < raw.length * 0.9 ? packed : raw;

const longMin = 1024 * 1024;
const pieceBytes = 64 * 1024;

/** Whether a letter is so long that few may be in memory at once, and none in several copies. */
export const isLong = ({ raw }: { readonly raw: Uint8Array }): boolean => raw.length >= longMin;

/** Frees memory at once: the collector would wait for many times as much. */
export function letGo({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

export const packedPieces = (raw: Buffer): AsyncIterable<Buffer> =>
  createZstdCompress({ ...options, chunkSize: pieceBytes }).end(raw);

export const unpack = (stored: Buffer): Buffer => (isPacked(stored) ? zstdDecompressSync(stored) : stored);

/** The same for a long letter of known length: in a thread, and without joining parts. */
export const unpackLong = async (stored: Buffer, sizeBytes: number): Promise<Buffer> =>
  isPacked(stored) ? unpackApart(stored, { chunkSize: sizeBytes + 1 }) : stored;

export const Raw = z.pipe(z.instanceof(Buffer), z.transform(unpack));

export const StoredHtml = z.pipe(
  z.instanceof(Buffer),
  z.transform((stored: Buffer) => unpack(stored).toString()),
);

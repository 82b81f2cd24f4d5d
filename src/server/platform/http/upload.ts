import { TextDecoder } from "node:util";
import { encodingBytes, encodingOf } from "../../../contract/login.ts";

export class TooLong extends Error {
  override name = "TooLong";
  readonly statusCode = 413;
  constructor(bytesMax: number) {
    super(`more than ${bytesMax} bytes`);
  }
}

/** Reads a file into memory. Throws `TooLong` once it exceeds `bytesMax`. */
export async function readWhole(file: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let total = 0;
  for await (const part of file) {
    total += part.length;
    if (total > bytesMax) throw new TooLong(bytesMax);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** A file in UTF-8 as it is, one in UTF-16 converted. */
export async function* inUtf8(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let start: number[] | undefined = [];
  let decoder: TextDecoder | undefined;
  const read = (bytes: Uint8Array) =>
    decoder ? encoder.encode(decoder.decode(bytes, { stream: true })) : bytes;
  const begin = (first: readonly number[]) => {
    const bytes = Uint8Array.from(first);
    const encoding = encodingOf(bytes);
    if (encoding !== "utf-8") decoder = new TextDecoder(encoding);
    start = undefined;
    return read(bytes);
  };
  for await (const chunk of file) {
    if (!start) {
      yield read(chunk);
      continue;
    }
    const needed = encodingBytes - start.length;
    start.push(...chunk.subarray(0, needed));
    if (start.length < encodingBytes) continue;
    yield begin(start);
    yield read(chunk.subarray(needed));
  }
  if (start) yield begin(start);
  if (decoder) yield encoder.encode(decoder.decode());
}

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

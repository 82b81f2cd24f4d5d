/** Thrown while a file is read that is longer than is taken. */
export class TooLong extends Error {
  override name = "TooLong";
  /** As the framework's own. */
  readonly statusCode = 413;
  constructor(bytesMax: number) {
    super(`more than ${bytesMax} bytes`);
  }
}

/** Reads a file that is short enough to be held in memory. Throws `TooLong` as soon as it is longer. */
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

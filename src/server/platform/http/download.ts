import { pipeline } from "node:stream/promises";
import { type RequestFacts, Streamed } from "./answer.ts";

/** After so long without reading, a download is given up. */
const stalledMs = 60_000;

/** A file, written at the pace of its reader. */
export const download = (
  headers: Record<string, string>,
  pieces: AsyncIterable<string | Uint8Array>,
  { gone }: Pick<RequestFacts, "gone">,
): Streamed =>
  new Streamed(headers, async (response) => {
    response.setTimeout(stalledMs, () => response.destroy());
    await pipeline(pieces, response, { signal: gone });
  });

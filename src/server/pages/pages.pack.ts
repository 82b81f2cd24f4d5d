import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

// The best quality would cost a second at each start for a few per cent.
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const packers = { br: promisify(brotliCompress), gzip: promisify(gzip) };

export interface Page {
  readonly status: 200 | 404;
  readonly isPublic: boolean;
  readonly etag: string;
  readonly body: Record<"identity" | "br" | "gzip", Buffer>;
  /** HTML if absent. */
  readonly type?: string;
}

/** Compresses a text once for all who read it. */
export async function pack(
  text: string,
  { isFound, isPublic }: { isFound: boolean; isPublic: boolean },
): Promise<Page> {
  const identity = Buffer.from(text);
  const etag = `W/"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`;
  const status = isFound ? 200 : 404;
  if (!isFound) return { status, isPublic, etag, body: { identity, br: identity, gzip: identity } };
  const [br, gz] = await Promise.all([packers.br(identity, quick), packers.gzip(identity)]);
  return { status, isPublic, etag, body: { identity, br, gzip: gz } };
}

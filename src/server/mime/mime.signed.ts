// Letters inside their own signature (S/MIME, RFC 8551 §3.5.2): extracts the content without checking the signature.
const octets = 0x04;
const octetsInPieces = 0x24;
const content = 0xa0;
// The object identifier 1.2.840.113549.1.7.1 (data), before the content.
const dataIdentifier = Buffer.from("06092a864886f70d010701", "hex");
const piecesMax = 100_000;
const depthMax = 8;

export function signedContent(bytes: Buffer): Buffer | undefined {
  const found = bytes.indexOf(dataIdentifier);
  if (found < 0) return undefined;
  const outer = headAt(bytes, found + dataIdentifier.length, bytes.length);
  if (outer?.tag !== content) return undefined;
  const pieces: Buffer[] = [];
  gather(bytes, outer.start, outer.end, pieces, 0);
  return pieces.length === 0 ? undefined : Buffer.concat(pieces);
}

interface Head {
  tag: number;
  start: number;
  end: number;
}

/** The head of one BER value (X.690 §8.1). An indefinite length ends at `limit`. */
function headAt(bytes: Buffer, at: number, limit: number): Head | undefined {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined || at + 2 > limit) return undefined;
  if (first < 0x80) return { tag, start: at + 2, end: Math.min(at + 2 + first, limit) };
  const count = first & 0x7f;
  if (count === 0) return { tag, start: at + 2, end: limit };
  if (count > 4 || at + 2 + count > limit) return undefined;
  const start = at + 2 + count;
  return { tag, start, end: Math.min(start + bytes.readUIntBE(at + 2, count), limit) };
}

function gather(bytes: Buffer, start: number, end: number, pieces: Buffer[], depth: number): void {
  let at = start;
  while (at < end && pieces.length < piecesMax) {
    const head = headAt(bytes, at, end);
    if (!head) return;
    if (head.tag === octets) pieces.push(bytes.subarray(head.start, head.end));
    else if (head.tag === octetsInPieces && depth < depthMax) {
      gather(bytes, head.start, head.end, pieces, depth + 1);
      return;
    } else return;
    at = head.end;
  }
}

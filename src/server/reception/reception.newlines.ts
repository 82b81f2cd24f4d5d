const cr = 0x0d;
const lf = 0x0a;

/**
 * Makes every line end CRLF, as some senders leave out the CR; a lone CR is text. The end of a letter was found before, by CRLF.CRLF alone:
 * no lone LF can end one (CVE-2023-51764).
 */
export function withLineEnds(raw: Buffer): Buffer {
  const lone = loneLineFeeds(raw);
  if (lone === 0) return raw;
  const out = Buffer.allocUnsafeSlow(raw.length + lone);
  let used = 0;
  for (let at = 0; at < raw.length; at++) {
    if (raw[at] === lf && raw[at - 1] !== cr) out[used++] = cr;
    out[used++] = raw[at]!;
  }
  return out;
}

const shortLine = 32;

function loneLineFeeds(raw: Buffer): number {
  let lone = 0;
  let lines = 0;
  for (let at = raw.indexOf(lf); at >= 0; at = raw.indexOf(lf, at + 1)) {
    if (raw[at - 1] !== cr) lone++;
    // indexOf is fast for long lines, but would block for a second where nearly every byte ends a line.
    if (++lines * shortLine > raw.length) return loneByByte(raw);
  }
  return lone;
}

function loneByByte(raw: Buffer): number {
  let lone = 0;
  for (let at = 0; at < raw.length; at++) if (raw[at] === lf && raw[at - 1] !== cr) lone++;
  return lone;
}

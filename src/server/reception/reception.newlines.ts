const cr = 0x0d;
const lf = 0x0a;
const shortLine = 32;

/** Finds a lone CR or LF. No honest mailer sends one (RFC 5321 §2.3.8); as line ends they allow SMTP smuggling (CVE-2023-51764). */
export function hasBareNewline(raw: Buffer): boolean {
  let lines = 0;
  for (let at = raw.indexOf(lf); at >= 0; at = raw.indexOf(lf, at + 1)) {
    if (raw[at - 1] !== cr) return true;
    lines++;
    // indexOf is fast for long lines, but would block for a second where nearly every byte ends a line.
    if (lines * shortLine > raw.length) return hasBareNewlineByByte(raw);
  }
  // Each LF has its CR: one more CR stands alone.
  for (let at = raw.indexOf(cr); at >= 0 && lines >= 0; at = raw.indexOf(cr, at + 1)) lines--;
  return lines !== 0;
}

function hasBareNewlineByByte(raw: Buffer): boolean {
  for (let at = 0; at < raw.length; at++) {
    const byte = raw[at]!;
    if (byte === lf) return true;
    if (byte !== cr) continue;
    at++;
    if (raw[at] !== lf) return true;
  }
  return false;
}

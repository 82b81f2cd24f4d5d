// DKIM (RFC 6376, RFC 8463). nodemailer's signer knows only RSA, cannot sign a field twice, and sends mail unsigned when signing fails.
import { createHash, createPublicKey, sign as signBytes } from "node:crypto";
import type { Dkim } from "../platform/config/config.ts";

const fields = [
  "from",
  "to",
  "cc",
  "reply-to",
  "subject",
  "date",
  "message-id",
  "auto-submitted",
  "mime-version",
  "content-type",
  "content-transfer-encoding",
];
/** Relays may add or change these, so they are not oversigned. */
const mayBeAdded = new Set(["message-id", "auto-submitted"]);

/** The mail with its signature on top; lines end in CRLF. */
export function sign(mail: Buffer, { key, selector, domain }: Dkim): Buffer {
  const [head, body] = halvesOf(mail.toString("latin1"));
  const lines = headerLines(head);
  const names = lines.map(nameOf);
  const present = fields.flatMap((name) => names.filter((other) => other === name));
  // Named once more than present: another subject added below breaks the signature.
  const oversigned = fields.filter((name) => !mayBeAdded.has(name));
  const bodyHash = createHash("sha256").update(relaxedBody(body), "latin1").digest("base64");
  const kind = key.asymmetricKeyType === "ed25519" ? "ed25519" : "rsa";
  const unsigned = [
    `DKIM-Signature: v=1; a=${kind}-sha256; c=relaxed/relaxed;`,
    ` d=${domain}; s=${selector};`,
    ` h=${present.join(":")}:`,
    `  ${oversigned.join(":")};`,
    ` bh=${folded(bodyHash)};`,
    " b=",
  ].join("\r\n");
  // Of fields with one name the lowest is signed first (RFC 6376 §5.4.2).
  const signed = fields
    .flatMap((name) => lines.filter((line) => nameOf(line) === name).toReversed())
    .map((line) => `${relaxedLine(line)}\r\n`);
  const data = Buffer.from(signed.join("") + relaxedLine(unsigned), "latin1");
  // RFC 8463 §3: Ed25519 signs the hash of the data.
  const signature =
    kind === "rsa"
      ? signBytes("sha256", data, key)
      : signBytes(null, createHash("sha256").update(data).digest(), key);
  return Buffer.concat([Buffer.from(`${unsigned}${folded(signature.toString("base64"))}\r\n`), mail]);
}

export function recordOf({ key, selector, domain }: Dkim): { name: string; value: string } {
  const spki = createPublicKey(key).export({ type: "spki", format: "der" });
  const isRsa = key.asymmetricKeyType === "rsa";
  // RFC 8463 §4: the bare 32 bytes, at the end.
  const published = isRsa ? spki : spki.subarray(-32);
  return {
    name: `${selector}._domainkey.${domain}`,
    value: `v=DKIM1; k=${isRsa ? "rsa" : "ed25519"}; p=${published.toString("base64")}`,
  };
}

function halvesOf(mail: string): [head: string, body: string] {
  const end = mail.indexOf("\r\n\r\n");
  return end < 0 ? [mail, ""] : [mail.slice(0, end), mail.slice(end + 4)];
}

const headerLines = (head: string) => head.split(/\r\n(?![ \t])/);

const nameOf = (line: string) => line.slice(0, line.indexOf(":")).trim().toLowerCase();

/** RFC 6376 §3.4.2. */
function relaxedLine(line: string): string {
  const value = line.slice(line.indexOf(":") + 1).replaceAll("\r\n", "");
  return `${nameOf(line)}:${value.replace(/[ \t]+/g, " ").replace(/^ | $/g, "")}`;
}

/** RFC 6376 §3.4.4. */
function relaxedBody(body: string): string {
  const lines = body.split("\r\n").map((line) => line.replace(/[ \t]+/g, " ").replace(/ $/, ""));
  while (lines.at(-1) === "") lines.pop();
  return lines.map((line) => `${line}\r\n`).join("");
}

/** Base64 in lines of mail, without runs of digits that look like a code to clients' programs. */
const folded = (base64: string) =>
  base64.replace(/.{70}(?=.)/g, "$&\r\n ").replace(/\d{5}(?=\d)/g, "$&\r\n ");

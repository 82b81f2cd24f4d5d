// What the thread of investors.stage.ts runs: it judges lines, seals passwords, and writes rows as COPY takes them. Sealing millions
// of passwords would keep the thread that serves buyers from them.
import { isUtf8 } from "node:buffer";
import { setPriority } from "node:os";
import { workerData } from "piscina";
import { createSeal } from "../kit/seal.ts";
import { readLogin } from "./investors.lines.ts";
import type { Judged, Lines } from "./investors.stage.ts";

const niceness = 5;
if (process.platform === "linux") setPriority(niceness);

const { secretKey } = workerData as { secretKey: Uint8Array };
const { seal } = createSeal(secretKey);

/** PostgreSQL, "COPY", Binary Format: signature, flags, length of the header's extension; at the end a count of -1. */
const header = Buffer.concat([Buffer.from("PGCOPY\n\xff\r\n\0", "latin1"), Buffer.alloc(8)]);
const trailer = Buffer.from([0xff, 0xff]);
const columns = 3;
const nothing = -1;

/** Judges whole lines. */
export default function judge({ bytes, domains }: Lines): Judged {
  const parts: Uint8Array[] = [header];
  const judged = { lines: 0, malformed: 0, unknownDomain: 0 };
  for (const line of linesOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))) {
    const login = line === undefined ? "malformed" : readLogin(line);
    if (login === undefined) continue;
    judged.lines++;
    const domain =
      typeof login === "string" || login.domain === undefined ? undefined : domains.get(login.domain);
    if (typeof login === "string" || login.domain === undefined) judged.malformed++;
    else if (!domain) judged.unknownDomain++;
    // The mailboxes of an own domain have no password: their letters come to us.
    else parts.push(row(domain.id, login.part, domain.isHosted ? seal(login.password) : undefined));
  }
  parts.push(trailer);
  return { ...judged, rows: Buffer.concat(parts) };
}

/** A line that is not UTF-8 is undefined; those around it are read all the same. */
function* linesOf(bytes: Buffer): Generator<string | undefined> {
  if (isUtf8(bytes)) {
    yield* bytes.toString("utf8").split(/[\r\n]+/);
    return;
  }
  // Latin-1 keeps each byte, so a line can be turned back into its own.
  for (const line of bytes.toString("latin1").split(/[\r\n]+/)) {
    const own = Buffer.from(line, "latin1");
    yield isUtf8(own) ? own.toString("utf8") : undefined;
  }
}

/** domain_id integer, local_part text (ASCII), secret bytea. */
function row(domainId: number, part: string, secret: Buffer | undefined): Buffer {
  const bytes = Buffer.allocUnsafe(18 + part.length + (secret?.length ?? 0));
  let at = bytes.writeInt16BE(columns, 0);
  at = bytes.writeInt32BE(4, at);
  at = bytes.writeInt32BE(domainId, at);
  at = bytes.writeInt32BE(part.length, at);
  at += bytes.write(part, at, "latin1");
  at = bytes.writeInt32BE(secret?.length ?? nothing, at);
  secret?.copy(bytes, at);
  return bytes;
}

// The thread of investors.stage.ts: encrypting millions of passwords would block the thread that serves buyers.
import { isUtf8 } from "node:buffer";
import { setPriority } from "node:os";
import { workerData } from "piscina";
import { hasOtherColumns, readLogin } from "../../contract/login.ts";
import { copyHeader, copyTrailer } from "../platform/db/copy.ts";
import { createSeal } from "../platform/seal.ts";
import type { CheckedRows, Lines } from "./investors.stage.ts";

const niceness = 5;
if (process.platform === "linux") setPriority(niceness);

const { secretKey } = workerData as { secretKey: Uint8Array };
const { seal } = createSeal(secretKey);

const columns = 3;
const nothing = -1;

export default function checkRows({ lines, buffer, domains }: Lines): CheckedRows {
  const rows = Buffer.from(buffer.buffer, buffer.byteOffset, buffer.length);
  let at = copyHeader.copy(rows);
  const checked = { lines: 0, malformed: 0, unknownDomain: 0, otherColumns: 0 };
  for (const line of linesOf(Buffer.from(lines.buffer, lines.byteOffset, lines.length))) {
    const login = line === undefined ? "malformed" : readLogin(line);
    if (login === undefined) continue;
    checked.lines++;
    if (line !== undefined && hasOtherColumns(line)) checked.otherColumns++;
    const domain =
      typeof login === "string" || login.domain === undefined ? undefined : domains.get(login.domain);
    if (typeof login === "string" || login.domain === undefined) checked.malformed++;
    else if (!domain) checked.unknownDomain++;
    // Mailboxes of an own domain have no password: their letters come to us.
    else at = addRow(rows, at, domain.id, login.part, domain.isHosted ? seal(login.password) : undefined);
  }
  at += copyTrailer.copy(rows, at);
  return { ...checked, rowsBytes: at };
}

const blockBytes = 16 * 1024;
const lineFeed = 10;

// In blocks: all lines of a piece at once would live long enough to reach the old generation.
function* linesOf(bytes: Buffer): Generator<string | undefined> {
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    const last = bytes.indexOf(lineFeed, start + blockBytes);
    end = last < 0 ? bytes.length : last + 1;
    yield* linesOfBlock(bytes.subarray(start, end));
  }
}

/** Yields undefined for a line that is not UTF-8. */
function* linesOfBlock(bytes: Buffer): Generator<string | undefined> {
  if (isUtf8(bytes)) {
    yield* bytes.toString("utf8").split(/[\r\n]+/);
    return;
  }
  // Latin-1 keeps each byte, so a line can be converted back.
  for (const line of bytes.toString("latin1").split(/[\r\n]+/)) {
    const own = Buffer.from(line, "latin1");
    yield isUtf8(own) ? own.toString("utf8") : undefined;
  }
}

/** Writes domain_id integer, local_part text (ASCII), secret bytea; answers where the next row goes. */
function addRow(
  rows: Buffer,
  start: number,
  domainId: number,
  part: string,
  secret: Buffer | undefined,
): number {
  let at = rows.writeInt16BE(columns, start);
  at = rows.writeInt32BE(4, at);
  at = rows.writeInt32BE(domainId, at);
  at = rows.writeInt32BE(part.length, at);
  at += rows.write(part, at, "latin1");
  at = rows.writeInt32BE(secret?.length ?? nothing, at);
  return at + (secret?.copy(rows, at) ?? 0);
}

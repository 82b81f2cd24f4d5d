// Letters for the operator: those to postmaster@ and abuse@ whole; of a buyer's letter only the header fields of its way.
import * as journal from "../journal/journal.ts";
import { attempt, type Db, type Sql } from "../platform/db/db.ts";
import { selectForPostmaster, selectInspected, type About, type Inspected } from "./letters.inspect.sql.ts";
import { openAll } from "./parsing/parsing.ts";
import { hideCodes } from "./unclaimed/unclaimed.ts";

export type { About as PostmasterLetter } from "./letters.inspect.sql.ts";

export interface InspectedLetter extends Omit<Inspected, "raw"> {
  /** As they came; of a buyer's letter only the fields of its way. Undefined when its bytes are kept no more. */
  readonly headers: string | undefined;
  readonly text: string | undefined;
}

const headersBytesMax = 64 * 1024;

export function listForPostmaster(
  sql: Sql,
  { before, size = 50 }: { before?: bigint | undefined; size?: number } = {},
): Promise<About[]> {
  return selectForPostmaster(sql, before ?? null, size);
}

/** One letter; undefined when there is none. Logs the access in the journal. */
export async function inspect(db: Db, id: bigint, by: string): Promise<InspectedLetter | undefined> {
  return attempt(db, async (tx) => {
    const found = await selectInspected(tx, id);
    if (!found) return undefined;
    await journal.note(tx, { by, did: "letters show", about: `letter ${id}` });
    const { raw, ...about } = found;
    if (!found.isPostmasters) {
      const subject = found.subject === null ? null : hideCodes(found.subject);
      return {
        ...about,
        subject,
        headers: raw ? theWay(headersOf(raw)) : undefined,
        text: undefined,
      };
    }
    const [opened] = raw ? await openAll([raw]) : [];
    return { ...about, headers: raw ? headersOf(raw) : undefined, text: opened?.parsed.text };
  });
}

/** The bytes before the first empty line; lines end in CRLF, or as a broken program wrote them. */
function headersOf(raw: Uint8Array): string {
  const text = new TextDecoder().decode(raw.subarray(0, headersBytesMax));
  const lines = text.replace(/\r\n?/g, "\n");
  const end = lines.indexOf("\n\n");
  return end < 0 ? lines : lines.slice(0, end);
}

/** The way of a letter and its author. Every other field is the buyer's: a program may repeat the subject in any of them. */
const fieldsOfTheWay = new RegExp(
  `^(${[
    "received(-spf)?|return-path|delivered-to|authentication-results|dkim-signature|arc-[a-z-]+",
    "from|sender|reply-to|to|cc|date|message-id|x-mailer|user-agent|mime-version|content-type|content-transfer-encoding",
  ].join("|")})[ \\t]*:`,
  "i",
);

function theWay(headers: string): string {
  const fields = headers.split(/\n(?![ \t])/);
  return fields.filter((field) => fieldsOfTheWay.test(field)).join("\n");
}

import { z } from "zod/mini";
import { all, maybe, type Sql, type Tx } from "../../platform/db/db.ts";
import type { Authenticated } from "./authenticate.ts";
import { letGo, unpack, unpackLong } from "../letters.raw.ts";

const Due = z.object({
  id: z.bigint(),
  arrivedAt: z.date(),
  sizeBytes: z.int(),
  mailFrom: z.string(),
  remote: z.nullable(z.string()),
  helo: z.string(),
  senderDomain: z.string(),
  isGiven: z.boolean(),
  to: z.array(z.string()),
  tries: z.int(),
});
export type Due = z.infer<typeof Due>;

const recipientsMax = 100;

/** Leases due letters of the last day. By the statement's time, so that the index skips letters that wait for a name server. */
export const takeDue = (sql: Sql, leaseSeconds: number, size: number) =>
  all(
    Due,
    sql`update letter set authentication_tries = authentication_tries + 1,
          authentication_due_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
        where id in (
          select id from letter
          where authentication_due_at <= statement_timestamp() and arrived_at > clock_timestamp() - interval '1 day'
          order by authentication_due_at limit ${size} for update skip locked)
        returning id, arrived_at as "arrivedAt", size_bytes as "sizeBytes", mail_from as "mailFrom", host(remote) as remote, helo,
          coalesce(sender_domain, '') as "senderDomain", is_given as "isGiven", authentication_tries as tries,
          array(select m.local_part || '@' || d.name from recipient r
                join mailbox m on m.id = r.mailbox_id join mail_domain d on d.id = m.domain_id
                where r.letter_id = letter.id order by m.id limit ${recipientsMax}) as "to"`,
  );

/** Drops letters that have been due for a day; at most `size`, answers how many. */
export const dropLate = async (sql: Sql, size: number): Promise<number> => {
  const dropped = await sql`
    update letter set authentication_due_at = null
    where id in (
      select id from letter where authentication_due_at < statement_timestamp() - interval '1 day'
      order by authentication_due_at limit ${size} for update skip locked)`;
  return dropped.count;
};

const pieceBytes = 256 * 1024;
const Piece = z.object({ piece: z.instanceof(Buffer), bytes: z.int() });

/** Reads a long letter in pieces: the driver takes a value as hexadecimal, bytes and string, 70 MB for a letter of 10 MB. */
export async function readRaw(
  sql: Sql,
  { id, sizeBytes }: Pick<Due, "id" | "sizeBytes">,
): Promise<Buffer | undefined> {
  let long: Buffer | undefined;
  for (let at = 0; ; at += pieceBytes) {
    const found = await maybe(
      Piece,
      sql`select stored.raw as piece, stored.bytes
          from letter cross join lateral raw_of(letter.id, letter.arrived_at, ${at + 1}, ${pieceBytes}) stored
          where letter.id = ${id}`,
    );
    if (!found) return undefined;
    if (found.bytes <= pieceBytes) return unpack(found.piece);
    long ??= Buffer.allocUnsafeSlow(found.bytes);
    found.piece.copy(long, at);
    if (at + pieceBytes < found.bytes) continue;
    const raw = await unpackLong(long, sizeBytes);
    if (raw !== long) letGo(long);
    return raw;
  }
}

const Locked = z.object({ isGiven: z.boolean(), mailboxIds: z.array(z.bigint()) });

/** Locks a letter until the transaction ends; undefined when another process took the try. */
export const lockTried = (tx: Tx, { id, tries }: Pick<Due, "id" | "tries">) =>
  maybe(
    Locked,
    tx`select is_given as "isGiven",
              array(select mailbox_id from recipient where letter_id = letter.id order by mailbox_id) as "mailboxIds"
       from letter
       where id = ${id} and authentication_tries = ${tries} and authentication_due_at is not null for update`,
  );

/** Saves the result; with `againSeconds` null there is no further try. */
export const saveAuthentication = (
  tx: Tx,
  id: bigint,
  { spf, dkim, dmarc, dkimDomains, dkimAddressed, datedAt }: Authenticated,
  againSeconds: number | null,
) =>
  tx`update letter set spf = ${spf}::mail_result, dkim = ${dkim}::mail_result, dmarc = ${dmarc}::mail_result,
       dkim_domains = ${[...dkimDomains]}::text[], dkim_addressed = ${[...dkimAddressed]}::text[], dated_at = ${datedAt}, authenticated_at = clock_timestamp(),
       authentication_due_at = clock_timestamp() + make_interval(secs => ${againSeconds})
     where id = ${id}`;

export const deleteMismatches = (tx: Tx, letterId: bigint, orderIds: readonly bigint[] | "all") =>
  tx`delete from missed where letter_id = ${letterId}
     and (${orderIds === "all"} or order_id = any (${orderIds === "all" ? [] : orderIds}::bigint[]))`;

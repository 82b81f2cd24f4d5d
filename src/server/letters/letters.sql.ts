import { pipeline } from "node:stream/promises";
import { z } from "zod/mini";
import { all, maybe, one, type Fragment, type Sql, type Tx } from "../platform/db/db.ts";
import { copyHeader, copyTrailer } from "../platform/db/copy.ts";
import type { Mismatch } from "./matching/matching.mismatches.ts";
import type { CodeFound } from "../codes/codes.ts";
import type { Parsed } from "../mime/mime.ts";
import { isPackedSoon, pack, packedPieces, packNow, Raw } from "./letters.raw.ts";
import type { Incoming } from "./letters.incoming.ts";

const Stored = z.object({ id: z.bigint(), arrivedAt: z.date() });
export type Stored = z.infer<typeof Stored>;

const Reserved = z.object({ ids: z.array(z.bigint()), now: z.date() });

/** Ids for letters that are stored later, and the database's clock, by which their arrival is told. */
export const reserveLetters = (sql: Sql, count: number) =>
  one(
    Reserved,
    sql`select array(select nextval('letter_id_seq') from generate_series(1, ${count}::integer)) as ids, clock_timestamp() as now`,
  );

/** Makes letters durable in one statement; answers in their order. */
export const storeLetters = async (
  sql: Sql,
  letters: readonly Incoming[],
  matched?: Matched,
): Promise<Stored[]> => {
  // The statement is sent in this turn where nothing needs a thread: what is sent after it comes after it.
  const packed = letters.every(isPackedSoon)
    ? letters.map((letter) => packNow(letter.raw))
    : await Promise.all(letters.map((letter) => pack(letter.raw)));
  const stored = packed.map((raw) => raw.length);
  return store(
    sql,
    letters,
    sql`${packed.length === 1 ? packed[0]! : Buffer.concat(packed)}::bytea`,
    sql`${stored}::integer[]`,
    matched,
  );
};

/** What is known of letters when they are stored by the transaction that also delivers them. */
export interface Matched {
  readonly letters: readonly (Pick<Verdict, "id" | "parsed"> & { readonly isGiven: boolean })[];
  readonly isToAuthenticate: boolean;
}

/** Sends a long letter in pieces, as rows of a COPY: as a value of a statement it would be in memory six times. */
export const storeLong = async (tx: Tx, letter: Incoming): Promise<Stored[]> => {
  await tx`create temporary table if not exists long_letter (
    n integer generated always as identity, piece bytea storage external not null) on commit drop`;
  await tx`truncate long_letter`;
  const copying = await tx`copy long_letter (piece) from stdin (format binary)`.writable();
  await pipeline(rowsOf(packedPieces(letter.raw)), copying);
  return store(
    tx,
    [letter],
    tx`(select string_agg(piece, ''::bytea order by n) from long_letter)`,
    tx`(select array[sum(octet_length(piece))::integer] from long_letter)`,
  );
};

async function* rowsOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield copyHeader;
  for await (const piece of pieces) {
    const head = Buffer.alloc(6);
    head.writeInt32BE(piece.length, head.writeInt16BE(1));
    yield head;
    yield piece;
  }
  yield copyTrailer;
}

/** `raw`: the stored letters joined; `stored`: the length of each in it. */
const store = (
  sql: Sql,
  letters: readonly Incoming[],
  raw: Fragment,
  stored: Fragment,
  matched?: Matched,
) => {
  const sizes = letters.map((letter) => letter.raw.length);
  const senders = letters.map((letter) => letter.mailFrom);
  const remotes = letters.map((letter) => letter.remote ?? null);
  const greetings = letters.map((letter) => letter.helo);
  const postmaster = letters.map((letter) => String(letter.isToPostmaster));
  const arrivals = letters.some(({ arrivedAt }) => arrivedAt !== undefined)
    ? letters.map(({ arrivedAt }) => arrivedAt?.toISOString() ?? null)
    : null;
  const waited = letters.some(({ receivedAt }) => receivedAt !== undefined)
    ? letters.map(({ receivedAt }) => (receivedAt === undefined ? null : waitedMs(receivedAt)))
    : null;
  const positions = letters.flatMap((letter, index) => letter.mailboxIds.map(() => index + 1));
  const mailboxes = letters.flatMap((letter) => letter.mailboxIds);
  return all(
    Stored,
    sql`select id, arrived_at as "arrivedAt"
        from store_letters(
          ${raw}, ${stored}, ${sizes}::integer[], ${senders}::text[], ${remotes}::text[]::inet[], ${greetings}::text[],
          ${postmaster}::text[]::boolean[], ${arrivals}::text[]::timestamptz[],
          ${waited}::integer[], ${positions}::integer[], ${mailboxes}::bigint[]${matched ? matchedColumns(sql, matched) : sql``})`,
  );
};

const matchedColumns = (sql: Sql, { letters, isToAuthenticate }: Matched) => sql`,
  ${idsOf(letters)}::bigint[], ${letters.map(({ isGiven }) => String(isGiven))}::text[]::boolean[],
  ${letters.map(({ parsed }) => parsed.sender)}::text[], ${letters.map(({ parsed }) => parsed.senderDomain)}::text[],
  ${letters.map(({ parsed }) => parsed.subject)}::text[], ${isToAuthenticate}::boolean`;

/** Milliseconds since the letter was here whole. */
export const waitedMs = (receivedAt: number): number =>
  Math.max(0, Math.round(performance.now() - receivedAt));

const Locked = z.object({ id: z.bigint() });

export const lockUnmatched = (tx: Tx, ids: readonly bigint[]) =>
  all(
    Locked,
    tx`select id from letter where id = any (${ids}::bigint[]) and judged_at is null order by id for update`,
  );

/** Of this transaction. */
export async function limitLockWaits(tx: Tx, milliseconds: number): Promise<void> {
  await tx`select set_config('lock_timeout', ${String(milliseconds)}, true)`;
}

export interface Verdict {
  readonly id: bigint;
  readonly parsed: Pick<Parsed, "sender" | "senderDomain" | "subject" | "text" | "attachments">;
  readonly html: Uint8Array | undefined;
  readonly code: CodeFound;
  readonly link: string | undefined;
  readonly isGiven: boolean;
}

/** Takes back that orders have these letters. */
export const saveNotGiven = (tx: Tx, ids: readonly bigint[]) =>
  tx`update letter set is_given = false where id = any (${ids}::bigint[])`;

/** Saves the results and marks letters matched; with `isToAuthenticate` also due for authentication. */
export const saveVerdicts = async (
  tx: Tx,
  verdicts: readonly Verdict[],
  { isToAuthenticate } = { isToAuthenticate: false },
): Promise<void> => {
  const column = (of: (verdict: Verdict) => string) => verdicts.map(of);
  const matched = tx`
    update letter set judged_at = coalesce(judged_at, clock_timestamp()), is_given = v.is_given, sender = v.sender,
      sender_domain = v.sender_domain, subject = v.subject,
      authentication_due_at =
        case when ${isToAuthenticate} and judged_at is null then clock_timestamp() else authentication_due_at end
    from unnest(
      ${idsOf(verdicts)}::bigint[], ${column(({ isGiven }) => String(isGiven))}::text[]::boolean[],
      ${column(({ parsed }) => parsed.sender)}::text[], ${column(({ parsed }) => parsed.senderDomain)}::text[],
      ${column(({ parsed }) => parsed.subject)}::text[]
    ) as v (id, is_given, sender, sender_domain, subject)
    where letter.id = v.id`;
  await Promise.all([matched, saveBodies(tx, verdicts)]);
};

/** Saves what can be read of those that orders have. */
export const saveBodies = async (tx: Tx, verdicts: readonly Verdict[]): Promise<void> => {
  const given = verdicts.filter(({ isGiven }) => isGiven);
  if (given.length > 0) await Promise.all([insertBodies(tx, given), noteTerms(tx, given)]);
};

const insertBodies = (tx: Tx, verdicts: readonly Verdict[]) => {
  const column = (of: (verdict: Verdict) => string | undefined) =>
    verdicts.map((verdict) => of(verdict) ?? null);
  return tx`
    insert into letter_body (letter_id, arrived_at, html, text, code, link, attachments, code_confidence, code_candidates)
    select letter.id, letter.arrived_at, v.html, v.text, v.code, v.link, v.attachments, v.confidence, v.candidates
    from unnest(
      ${idsOf(verdicts)}::bigint[], ${verdicts.map(({ html }) => html ?? null)}::bytea[],
      ${column(({ parsed, html }) => (html === undefined ? parsed.text : undefined))}::text[], ${column(({ code }) => code.value)}::text[],
      ${column(({ link }) => link)}::text[],
      ${column(({ parsed }) => JSON.stringify(parsed.attachments))}::text[]::jsonb[],
      ${column(({ code }) => code.confidence)}::text[], ${column(({ code }) => listOf(code))}::text[]::jsonb[]
    ) as v (id, html, text, code, link, attachments, confidence, candidates)
    join letter on letter.id = v.id
    on conflict do nothing`;
};

/** Of saved letters that orders already have; of another one whoever gives it notes them. */
const noteTerms = (tx: Tx, letters: readonly { id: bigint }[]) =>
  tx`select note_terms(${idsOf(letters)}::bigint[])`;

const listOf = ({ candidates }: CodeFound) =>
  candidates.length === 0 ? undefined : JSON.stringify(candidates);

const idsOf = (rows: readonly { id: bigint }[]) => rows.map(({ id }) => id);

/** Saves mismatches; of one order at most `max` by sender, and as many others. */
export const saveMismatches = (tx: Tx, mismatches: readonly Mismatch[], max: number) =>
  tx`
    insert into missed (order_id, letter_id, arrived_at, reason)
    select m.order_id, m.letter_id, letter.arrived_at, m.reason
    from unnest(
      ${mismatches.map(({ orderId }) => orderId)}::bigint[],
      ${mismatches.map(({ letterId }) => letterId)}::bigint[],
      ${mismatches.map(({ reason }) => reason)}::text[]::missed_reason[]
    ) as m (order_id, letter_id, reason)
    join letter on letter.id = m.letter_id
    where ${max} > (
      select count(*) from (
        select 1 from missed old
        where old.order_id = m.order_id and (old.reason = 'sender') = (m.reason = 'sender') limit ${max}) noted)
    on conflict do nothing`;

export const lockMatched = (tx: Tx, id: bigint) =>
  maybe(
    z.object({ raw: Raw }),
    tx`select stored.raw from letter cross join lateral raw_of(letter.id, letter.arrived_at) stored
       where letter.id = ${id} and letter.judged_at is not null for update of letter`,
  );

/** A part of a stored letter, as it is stored. */
export async function selectPiece(
  sql: Sql,
  id: bigint,
  from: number,
  bytes: number,
): Promise<Buffer | undefined> {
  const row = await maybe(
    z.object({ piece: z.instanceof(Buffer) }),
    sql`select stored.raw as piece
        from letter cross join lateral raw_of(letter.id, letter.arrived_at, ${from + 1}, ${bytes}) stored
        where letter.id = ${id}`,
  );
  return row?.piece;
}

export interface Unmatched {
  readonly id: bigint;
  readonly arrivedAt: Date;
  readonly raw: Uint8Array;
  readonly mailboxIds: bigint[];
  /** Of a letter that is not stored yet: the transaction that delivers it stores it. */
  readonly incoming?: Incoming | undefined;
}

const UnmatchedRow = z.object({
  id: z.bigint(),
  arrivedAt: z.date(),
  raw: Raw,
  mailboxIds: z.array(z.bigint()),
});

const mailboxesOf = (sql: Sql) =>
  sql`array(select mailbox_id from recipient where letter_id = letter.id order by mailbox_id) as "mailboxIds"`;

/** The letters of `found` first, then their bytes, which may lie on other servers: all of a batch at once, not each by `raw_of`. */
const withRaw = (sql: Sql) => sql`
  select f.id, f.arrived_at as "arrivedAt", f."mailboxIds", r.raw
  from found f join letter_raw r on r.letter_id = f.id and r.arrived_at = f.arrived_at
  order by f.arrived_at, f.id`;

export const readUnmatched = (sql: Sql, ids: readonly bigint[]): Promise<Unmatched[]> =>
  all(
    UnmatchedRow,
    sql`with found as materialized (
          select id, arrived_at, ${mailboxesOf(sql)} from letter where id = any (${ids}::bigint[]) and judged_at is null)
        ${withRaw(sql)}`,
  );

/** The oldest unmatched letters from before `until`, as many as `size` and `bytes` allow and at least one, except `without`. Does not lock. */
export const oldestUnmatched = (
  sql: Sql,
  until: Date,
  without: readonly bigint[],
  { size, bytes }: { size: number; bytes: number },
): Promise<Unmatched[]> =>
  all(
    UnmatchedRow,
    sql`with oldest as (
          select id, arrived_at, sum(size_bytes) over (order by arrived_at, id) - size_bytes as before
          from (select id, arrived_at, size_bytes from letter
                where judged_at is null and arrived_at < ${until} and id <> all (${without}::bigint[])
                order by arrived_at, id limit ${size}) l),
        found as materialized (select id, arrived_at, ${mailboxesOf(sql)} from oldest letter where before < ${bytes})
        ${withRaw(sql)}`,
  );

/** Deletes matched letters from before `until` that no order got, at most `size`, not those for postmasters; answers how many. */
export const deleteNotGiven = async (sql: Sql, until: Date, size: number): Promise<number> => {
  const deleted = await one(
    z.object({ count: z.int() }),
    sql`select forget_letters(${until}, false, ${size}) as count`,
  );
  return deleted.count;
};

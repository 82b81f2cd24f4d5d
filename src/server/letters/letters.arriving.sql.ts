import { type Db, type Sql } from "../platform/db/db.ts";

export interface ArrivingRow {
  readonly letter: string;
  readonly mailboxIds: readonly bigint[];
}

/** Senders wait ten minutes for the answer (RFC 5321 §4.5.3.2.6); no letter waits longer. */
const lifeSeconds = 600;

export const insertArriving = (db: Db, rows: readonly ArrivingRow[]): Promise<unknown> => {
  const letters = rows.flatMap(({ letter, mailboxIds }) => mailboxIds.map(() => letter));
  const mailboxes = rows.flatMap(({ mailboxIds }) => mailboxIds);
  return db`
    insert into letter_arriving (letter, mailbox_id, until)
    select t.letter, t.mailbox_id, clock_timestamp() + make_interval(secs => ${lifeSeconds})
    from unnest(${letters}::text[]::uuid[], ${mailboxes}::bigint[]) as t (letter, mailbox_id)`;
};

export const deleteArriving = (sql: Sql, letters: readonly string[]): Promise<unknown> =>
  sql`delete from letter_arriving where letter = any (${letters}::text[]::uuid[]) or until <= clock_timestamp()`;

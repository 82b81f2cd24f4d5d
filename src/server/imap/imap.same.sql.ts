import { z } from "zod/mini";
import { all, type Sql, type Tx } from "../platform/db/db.ts";

export interface MarkRow {
  readonly folder: string;
  readonly uidValidity: bigint;
  /** 0: the folder itself. */
  readonly uid: number;
  readonly mark: Buffer;
  /** No second box has it. */
  readonly isPersonal: boolean;
}

/** Of two logins that show the same mark at once the second one waits, and sees the first. */
export const lockMarks = (tx: Tx, marks: readonly Buffer[]) =>
  tx`select pg_advisory_xact_lock(key)
     from (select distinct hashtextextended(encode(mark, 'hex'), 0) as key from unnest(${marks}::bytea[]) as mark order by key) t`;

export const insertMarks = (tx: Tx, mailboxId: bigint, marks: readonly MarkRow[]) => {
  const column = <Value>(of: (mark: MarkRow) => Value) => marks.map(of);
  return tx`
    insert into box_mark (mailbox_id, folder, uid_validity, uid, mark, is_personal)
    select ${mailboxId}, t.folder, t.uid_validity, t.uid, t.mark, t.is_personal
    from unnest(
      ${column(({ folder }) => folder)}::text[], ${column(({ uidValidity }) => uidValidity)}::bigint[],
      ${column(({ uid }) => uid)}::bigint[], ${column(({ mark }) => mark)}::bytea[],
      ${column(({ isPersonal }) => String(isPersonal))}::text[]::boolean[]
    ) as t (folder, uid_validity, uid, mark, is_personal)
    on conflict (mailbox_id, folder, uid_validity, uid) do update
      set mark = excluded.mark, is_personal = excluded.is_personal, seen_at = excluded.seen_at`;
};

/** So many marks say it that a provider may put into every box. */
const commonMin = 3;

/** A mailbox and those that open the same box, the first one first: none of the dead, and none that has another letter under the same number. */
export const selectSame = (sql: Sql, mailboxId: bigint) =>
  all(
    z.object({ mailboxId: z.bigint(), isOnSale: z.boolean() }),
    sql`with other as (
          select o.mailbox_id
          from box_mark m join box_mark o on o.mark = m.mark and o.mailbox_id <> m.mailbox_id
          where m.mailbox_id = ${mailboxId}
          group by o.mailbox_id
          having (bool_or(m.is_personal or o.is_personal) or count(*) >= ${commonMin})
            and not exists (
              select from box_mark x join box_mark y using (folder, uid_validity, uid)
              where x.mailbox_id = ${mailboxId} and y.mailbox_id = o.mailbox_id and x.mark <> y.mark))
        select b.id as "mailboxId", exists (select from lot l where l.id = b.lot_id) as "isOnSale"
        from mailbox b
        where not b.dead and (b.id = ${mailboxId} or b.id in (select mailbox_id from other))
          and exists (select from mailbox m where m.id = ${mailboxId} and not m.dead)
        order by b.id`,
  );

/** Answers those that were not known. */
export const insertSame = (sql: Sql, mailboxIds: readonly bigint[], firstId: bigint) =>
  all(
    z.object({ mailboxId: z.bigint() }),
    sql`insert into same_box (mailbox_id, first_id) select unnest(${mailboxIds}::bigint[]), ${firstId}
        on conflict do nothing returning mailbox_id as "mailboxId"`,
  );

export const deleteOldMarks = (sql: Sql, until: Date) => sql`delete from box_mark where seen_at < ${until}`;

import { z } from "zod/mini";
import { all, type Sql } from "../platform/db/db.ts";

export interface MarkRow {
  readonly folder: string;
  readonly uidValidity: bigint;
  /** 0: the folder itself. */
  readonly uid: number;
  readonly mark: Buffer;
  /** No second box has it. */
  readonly isPersonal: boolean;
}

const Same = z.object({ mailboxId: z.bigint(), isOnSale: z.boolean() });
export type Same = z.infer<typeof Same>;

/** Notes marks of a mailbox; answers it and those that open the same box, the first one first, or nothing. */
export const callNoteMarks = (sql: Sql, mailboxId: bigint, marks: readonly MarkRow[]) => {
  const column = <Value>(of: (mark: MarkRow) => Value) => marks.map(of);
  return all(
    Same,
    sql`select mailbox_id as "mailboxId", is_on_sale as "isOnSale"
        from note_marks(
          ${mailboxId}, ${column(({ folder }) => folder)}::text[], ${column(({ uidValidity }) => uidValidity)}::bigint[],
          ${column(({ uid }) => uid)}::bigint[], ${column(({ mark }) => mark)}::bytea[],
          ${column(({ isPersonal }) => String(isPersonal))}::text[]::boolean[])`,
  );
};

/** Answers those that were not known. */
export const insertSame = (sql: Sql, mailboxIds: readonly bigint[], firstId: bigint) =>
  all(
    z.object({ mailboxId: z.bigint() }),
    sql`insert into same_box (mailbox_id, first_id) select unnest(${mailboxIds}::bigint[]), ${firstId}
        on conflict do nothing returning mailbox_id as "mailboxId"`,
  );

export const deleteOldMarks = (sql: Sql, until: Date) => sql`delete from box_mark where seen_at < ${until}`;

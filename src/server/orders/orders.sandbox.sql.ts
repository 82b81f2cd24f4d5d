import { z } from "zod/mini";
import { all, one, type Sql } from "../platform/db/db.ts";

export const selectLeft = (sql: Sql, siteId: number) =>
  one(
    z.object({ left: z.bigint() }),
    sql`select d.live - coalesce(t.taken, 0) as left
        from site s join mail_domain d on d.id = s.sandbox_domain_id
        left join stock t on t.site_id = s.id and t.domain_id = d.id
        where s.id = ${siteId}`,
  );

const DueLetter = z.object({
  orderId: z.bigint(),
  kind: z.enum(["code", "html", "subject", "second"]),
  isWanted: z.boolean(),
  mailboxId: z.bigint(),
  email: z.string(),
  site: z.string(),
  subject: z.nullable(z.string()),
});
export type DueLetter = z.infer<typeof DueLetter>;

export const selectDue = (sql: Sql, at: Date, size: number) =>
  all(
    DueLetter,
    sql`select l.order_id as "orderId", l.kind, o.status in ('pending', 'received') and o.expires_at > ${at} as "isWanted",
               m.id as "mailboxId", m.local_part || '@' || d.name as email, s.name as site, o.subject
        from sandbox_letter l
        join orders o on o.id = l.order_id
        join site s on s.id = o.site_id
        join mailbox m on m.id = o.mailbox_id
        join mail_domain d on d.id = o.domain_id
        where l.due_at <= ${at}
        order by l.due_at, l.order_id limit ${size}`,
  );

export const deleteDue = (sql: Sql, letters: readonly DueLetter[]) =>
  sql`delete from sandbox_letter l
      using unnest(${letters.map(({ orderId }) => orderId)}::bigint[], ${letters.map(({ kind }) => kind)}::text[]::sandbox_kind[]) as t (order_id, kind)
      where l.order_id = t.order_id and l.kind = t.kind`;

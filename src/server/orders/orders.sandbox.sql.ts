import { z } from "zod/mini";
import { all, one, type Sql, type Tx } from "../platform/db/db.ts";

export const selectLeft = (sql: Sql, siteId: number) =>
  one(
    z.object({ left: z.bigint() }),
    sql`select d.live - coalesce(t.taken, 0) as left
        from site s join mail_domain d on d.id = s.sandbox_domain_id
        left join stock t on t.site_id = s.id and t.domain_id = d.id
        where s.id = ${siteId}`,
  );

export const letterKinds = ["code", "html", "subject", "second"] as const;

const DueLetter = z.object({
  orderId: z.bigint(),
  isWanted: z.boolean(),
  mailboxId: z.bigint(),
  email: z.string(),
  site: z.string(),
  subject: z.nullable(z.string()),
});

export type DueLetter = z.infer<typeof DueLetter> & { readonly kind: (typeof letterKinds)[number] };

/** What letters to these orders are written from. */
export const selectOrders = (sql: Sql, ids: readonly bigint[], at: Date) =>
  all(
    DueLetter,
    sql`select o.id as "orderId", o.status in ('pending', 'received') and o.expires_at > ${at} as "isWanted",
               m.id as "mailboxId", m.local_part || '@' || d.name as email, s.name as site, o.subject
        from orders o
        join site s on s.id = o.site_id
        join mailbox m on m.id = o.mailbox_id
        join mail_domain d on d.id = o.domain_id
        where o.id = any (${ids}::bigint[])`,
  );

const Left = z.object({
  orderId: z.bigint(),
  kind: z.enum(letterKinds),
  site: z.string(),
  userId: z.bigint(),
  dueAt: z.date(),
});

/** Takes what the functions of the release before planned. Until the next release; then its table goes. */
export const takeLetters = (tx: Tx, before: Date) =>
  all(
    Left,
    tx`with left_behind as (delete from sandbox_letter where due_at < ${before} returning *)
       select l.order_id as "orderId", l.kind, s.name as site, o.user_id as "userId", l.due_at as "dueAt"
       from left_behind l join orders o on o.id = l.order_id join site s on s.id = o.site_id`,
  );

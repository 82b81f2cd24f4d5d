import { z } from "zod/mini";
import { idempotencyHours } from "../../../contract/limits.ts";
import { all, one, type Sql, type Tx } from "../../platform/db/db.ts";

const Skip = z.object({ siteId: z.int(), site: z.string(), domain: z.string(), expiresAt: z.date() });

/** What a buyer skips now, what ends last first. */
export const selectSkips = (sql: Sql, userId: bigint, at: Date) =>
  all(
    Skip,
    sql`select k.site_id as "siteId", s.name as site, d.name as domain, k.expires_at as "expiresAt"
        from skipped_domain k join site s on s.id = k.site_id join mail_domain d on d.id = k.domain_id
        where k.user_id = ${userId} and k.expires_at > ${at} order by k.expires_at desc, s.name, d.name`,
  );

export interface OfUser {
  readonly userId: bigint;
  readonly siteId: number;
  readonly at: Date;
}

/** The mail domains that an order passes over; none where its key names an order, which is answered again. */
export const selectSkipped = async (
  sql: Sql,
  { userId, siteId, at }: OfUser,
  key: string | undefined,
): Promise<ReadonlySet<number>> => {
  const rows = await all(
    z.object({ domainId: z.int() }),
    sql`select domain_id as "domainId" from skipped_domain
        where user_id = ${userId} and site_id = ${siteId} and expires_at > ${at}
          and not exists (select from orders where user_id = ${userId} and idempotency_key = ${key ?? null}
                          and created_at > ${at}::timestamptz - make_interval(hours => ${idempotencyHours}))`,
  );
  return new Set(rows.map(({ domainId }) => domainId));
};

/** Locks the user until the transaction ends; how many other mail domains are skipped. */
export const countOthers = async (
  tx: Tx,
  { userId, siteId, at }: OfUser,
  domainId: number,
): Promise<number> => {
  await tx`select 1 from users where id = ${userId} for no key update`;
  const { count } = await one(
    z.object({ count: z.int() }),
    tx`select count(*)::integer as count from skipped_domain
       where user_id = ${userId} and expires_at > ${at} and (site_id, domain_id) <> (${siteId}, ${domainId})`,
  );
  return count;
};

export const saveSkip = (
  tx: Tx,
  { userId, siteId }: OfUser,
  { domainId, expiresAt }: { domainId: number; expiresAt: Date },
) =>
  tx`insert into skipped_domain (user_id, site_id, domain_id, expires_at)
     values (${userId}, ${siteId}, ${domainId}, ${expiresAt})
     on conflict (user_id, site_id, domain_id) do update set expires_at = excluded.expires_at`;

export const deleteSkip = (
  sql: Sql,
  { userId, siteId, domainId }: { userId: bigint; siteId: number; domainId: number },
) =>
  sql`delete from skipped_domain where user_id = ${userId} and site_id = ${siteId} and domain_id = ${domainId}`;

export const deleteExpired = (sql: Sql, at: Date) =>
  sql`delete from skipped_domain where expires_at <= ${at}`;

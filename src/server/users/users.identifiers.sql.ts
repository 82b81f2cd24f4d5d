import type { Sql, Tx } from "../platform/db/db.ts";
import { isOneOf } from "../platform/seal.ts";
import type { Hashes } from "./users.sql.ts";

/** An existing one lives as long as the newer. */
export const putIdentifier = (
  sql: Sql,
  mark: { userId: bigint; kind: string; hash: Buffer; expiresAt: Date | null },
) =>
  sql`insert into user_mark as old (user_id, kind, hash, expires_at)
      values (${mark.userId}, ${mark.kind}, ${mark.hash}, ${mark.expiresAt})
      on conflict (user_id, kind, hash) do update set expires_at = excluded.expires_at, home = true
        where old.expires_at < excluded.expires_at`;

/** Strangers were there too: nobody is at home until the next sign-in. */
export const leaveHome = (sql: Sql, userId: bigint) =>
  sql`update user_mark set home = false where user_id = ${userId} and kind = 'address' and home`;

export const hasIdentifier = async (
  sql: Sql,
  account: bigint | string,
  { kind, hashes }: { kind: string; hashes: Hashes },
  at: Date,
): Promise<boolean> => {
  const id = typeof account === "bigint" ? account : null;
  const email = typeof account === "string" ? account : null;
  const found = await sql`
    select 1 from user_mark m join users u on u.id = m.user_id
    where (u.id = ${id}::bigint or u.email = ${email}::text) and m.kind = ${kind} and m.hash ${isOneOf(sql, hashes)} and m.home
      and (m.expires_at is null or m.expires_at > ${at})`;
  return found.length > 0;
};

export const deleteIdentifiers = (sql: Sql, before: Date) =>
  sql`delete from user_mark where expires_at <= ${before}`;

/** Saves a tie of a buyer to a partner when they share identifiers. */
export const callFindAccountLinks = (
  tx: Tx,
  { userId, partnerId }: { userId: bigint; partnerId: bigint },
  at: Date,
) =>
  tx`select find_account_links(array[row(null, ${userId}::bigint, ${partnerId}::bigint, 'referrals', 0)::earned_share], ${at}::timestamptz)`;

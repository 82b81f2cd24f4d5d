import { z } from "zod/mini";
import { type OfficeRole, officeRoles } from "../../contract/endpoint.ts";
import { avatarOfNew, criticalStoryUsers } from "../../contract/limits.ts";
import type { Caller } from "../platform/http/answer.ts";
import { all, maybe, one, type Sql, type Tx } from "../platform/db/db.ts";
import { isOneOf, type Seal } from "../platform/seal.ts";
import { endOf } from "./users.sessions.sql.ts";

/** A keyed hash by each key of the shop. */
export type Hashes = ReturnType<Seal["hashes"]>;

export type CodePurpose = "activation" | "reset" | "old-email" | "new-email";

const Bytes = z.instanceof(Uint8Array);
const NewUser = z.object({ id: z.bigint() });

/** The ids for which the page shows the way to the stories (spec O §2); the first administrators get them. */
export const officeIds = criticalStoryUsers.map(Number);

/** Locked until the transaction ends. */
export const takeOfficeId = async (tx: Tx) => {
  await tx`select pg_advisory_xact_lock(hashtextextended('office ids', 0))`;
  return maybe(
    NewUser,
    tx`select n as id from unnest(${officeIds}::bigint[]) as n
       where not exists (select from users where id = n) order by n limit 1`,
  );
};

/** Undefined when the address is taken. `id` undefined: the next one. */
export const insertUser = (
  sql: Sql,
  user: {
    id: bigint | undefined;
    email: string;
    name: string;
    language: string;
    passwordHash: string;
    tokenHash: Buffer;
    tokenSealed: Buffer;
    referredBy: bigint | null;
    at: Date;
  },
) =>
  maybe(
    NewUser,
    sql`insert into users (id, email, name, avatar, language, password_hash, token_hash, token_sealed, referred_by, created_at)
        overriding system value
        values (coalesce(${user.id ?? null}::bigint, nextval(pg_get_serial_sequence('users', 'id'))), ${user.email}, ${user.name}, ${avatarOfNew}, ${user.language}, ${user.passwordHash}, ${user.tokenHash}, ${user.tokenSealed}, ${user.referredBy}, ${user.at})
        on conflict (email) do nothing returning id`,
  );

const Login = z.object({
  id: z.bigint(),
  passwordHash: z.string(),
  isActive: z.boolean(),
});

/** Leaves out blocked accounts. */
export const selectLogin = (sql: Sql, email: string) =>
  maybe(
    Login,
    sql`select id, password_hash as "passwordHash", activated_at is not null as "isActive"
        from users where email = ${email} and blocked_at is null`,
  );

const HolderRow = z.object({
  userId: z.bigint(),
  active: z.boolean(),
  admin: z.boolean(),
  investor: z.boolean(),
  role: z.nullable(z.literal(officeRoles)),
  confirmed: z.boolean(),
  referred: z.boolean(),
  factor: z.boolean(),
  closed: z.boolean(),
  tokenId: z.nullable(z.bigint()),
  siteIds: z.nullable(z.array(z.int())),
  priceMax: z.nullable(z.bigint()),
  expiresAt: z.nullable(z.date()),
  sessionId: z.nullable(z.bigint()),
  createdAt: z.nullable(z.date()),
  usedAt: z.nullable(z.date()),
  provedAt: z.nullable(z.date()),
});

/** Who has a token. */
export interface Holder extends Omit<Caller, "token"> {
  /** When the token was last seen to be used. */
  readonly usedAt?: Date | undefined;
}

/** Leaves out blocked accounts, limited tokens that are revoked or expired, and sessions that have ended. */
export const selectHolder = async (sql: Sql, tokenHashes: Hashes, at: Date): Promise<Holder | undefined> => {
  const row = await maybe(
    HolderRow,
    sql`select id as "userId", activated_at is not null as active, is_admin as admin, office_role as role, is_investor as investor,
               telegram_id is not null as confirmed, referred_by is not null as referred,
               is_admin and exists (select from user_factor f where f.user_id = users.id) as factor,
               not coalesce(open_to_programs, not is_admin) as closed,
               null::bigint as "tokenId", null::integer[] as "siteIds", null::bigint as "priceMax", null::timestamptz as "expiresAt",
               null::bigint as "sessionId", null::timestamptz as "createdAt", token_used_at as "usedAt", null::timestamptz as "provedAt"
        from users where token_hash ${isOneOf(sql, tokenHashes)} and blocked_at is null
        union all
        select u.id, u.activated_at is not null, false, null, false, u.telegram_id is not null, u.referred_by is not null, false, false, t.id, t.sites, t.price_max, t.expires_at,
               null, null, t.used_at, null
        from user_token t join users u on u.id = t.user_id
        where t.token_hash ${isOneOf(sql, tokenHashes)} and t.revoked_at is null and u.blocked_at is null
          and (t.expires_at is null or t.expires_at > ${at})
        union all
        select u.id, u.activated_at is not null, u.is_admin, u.office_role, u.is_investor, u.telegram_id is not null, u.referred_by is not null,
               u.is_admin and exists (select from user_factor f where f.user_id = u.id),
               not coalesce(u.open_to_programs, not u.is_admin), null, null, null, null, s.id, s.created_at, s.used_at, s.proved_at
        from user_session s join users u on u.id = s.user_id
        where s.token_hash ${isOneOf(sql, tokenHashes)} and u.blocked_at is null`,
  );
  if (!row) return undefined;
  const { tokenId, siteIds, priceMax, expiresAt, sessionId, createdAt, usedAt, provedAt, ...rest } = row;
  const holder = { ...rest, role: rest.role ?? undefined, closed: rest.closed || undefined };
  const used = usedAt ?? undefined;
  if (sessionId !== null && createdAt && usedAt && provedAt) {
    const endsAt = endOf({ createdAt, usedAt });
    if (endsAt <= at) return undefined;
    return { ...holder, session: { id: sessionId, provedAt }, usedAt, expiresAt: endsAt };
  }
  if (tokenId === null) return { ...holder, usedAt: used };
  const limits = {
    tokenId,
    siteIds: siteIds === null ? undefined : new Set(siteIds),
    priceMax: priceMax ?? undefined,
  };
  return { ...holder, limits, usedAt: used, expiresAt: expiresAt ?? undefined };
};

const User = z.object({
  id: z.bigint(),
  email: z.string(),
  name: z.string(),
  avatar: z.int(),
  language: z.string(),
  activatedAt: z.nullable(z.date()),
  blockedAt: z.nullable(z.date()),
  createdAt: z.date(),
  isAdmin: z.boolean(),
  officeRole: z.nullable(z.literal(officeRoles)),
  isInvestor: z.boolean(),
  hasTelegram: z.boolean(),
});
export type User = z.infer<typeof User>;

const userColumns = (sql: Sql) => sql`
  id, email, name, avatar, language, activated_at as "activatedAt", blocked_at as "blockedAt", created_at as "createdAt",
  is_admin as "isAdmin", case when is_admin then coalesce(office_role, 'owner') end as "officeRole", is_investor as "isInvestor", telegram_id is not null as "hasTelegram"`;

export const selectUser = (sql: Sql, userId: bigint) =>
  maybe(User, sql`select ${userColumns(sql)} from users where id = ${userId}`);

export const selectUserByEmail = (sql: Sql, email: string) =>
  maybe(User, sql`select ${userColumns(sql)} from users where email = ${email}`);

/** Undefined when it was activated before. `referrer` counts where the registration named none. */
export const setActivated = (
  sql: Sql,
  {
    userId,
    at,
    adminEmails,
    referrer,
  }: { userId: bigint; at: Date; adminEmails: string[]; referrer?: bigint | undefined },
) =>
  maybe(
    z.object({ referredBy: z.nullable(z.bigint()) }),
    sql`update users set activated_at = ${at}, is_admin = is_admin or email = any(${adminEmails}::text[]),
          referred_by = coalesce(referred_by, nullif(${referrer ?? null}::bigint, id))
        where id = ${userId} and activated_at is null and blocked_at is null returning referred_by as "referredBy"`,
  );

/** What a stranger may have said of an account that was never activated: who brought it, its language, and where it was used. */
export const forgetRegistration = async (tx: Tx, userId: bigint, language: string): Promise<void> => {
  await tx`
    with forgotten as (
      update users set referred_by = null, language = ${language} where id = ${userId} and activated_at is null returning id
    )
    delete from user_mark using forgotten where user_id = forgotten.id and kind = 'address'`;
};

export const setAdmins = (sql: Sql, emails: string[]) =>
  all(
    NewUser,
    sql`update users set is_admin = true, office_role = null
        where email = any(${emails}::text[]) and activated_at is not null and (not is_admin or office_role is not null) returning id`,
  );

/** Addresses of active administrators: the first `count`, and all among `emails`. */
export const selectAdmins = (sql: Sql, emails: readonly string[], count: number) =>
  all(
    z.object({ email: z.string() }),
    sql`(select email from users where is_admin and activated_at is not null and blocked_at is null
         order by id limit ${count})
        union
        select email from users where is_admin and activated_at is not null and blocked_at is null
          and email = any(${[...emails]}::text[])
        order by email`,
  );

export const setPassword = (sql: Sql, userId: bigint, passwordHash: string) =>
  sql`update users set password_hash = ${passwordHash} where id = ${userId}`;

export const selectAvatar = (sql: Sql, userId: bigint) =>
  maybe(z.object({ avatar: z.int() }), sql`select avatar from users where id = ${userId}`);

export const setAvatar = async (sql: Sql, userId: bigint, avatar: number): Promise<void> => {
  await sql`update users set avatar = ${avatar} where id = ${userId}`;
};

export const setToken = (sql: Sql, userId: bigint, token: { hash: Buffer; sealed: Buffer }) =>
  one(
    NewUser,
    sql`update users set token_hash = ${token.hash}, token_sealed = ${token.sealed} where id = ${userId} returning id`,
  );

/** Undefined for a blocked account. */
export const selectToken = (sql: Sql, userId: bigint) =>
  maybe(
    z.object({ token: Bytes }),
    sql`select token_sealed as token from users where id = ${userId} and blocked_at is null`,
  );

/** A sample to check the secret key with. */
export const selectNewestToken = (sql: Sql) =>
  maybe(
    z.object({ token: Bytes }),
    sql`select token_sealed as token from users where token_sealed <> '' order by id desc limit 1`,
  );

export const setBlocked = (sql: Sql, userId: bigint, at: Date | null) =>
  one(NewUser, sql`update users set blocked_at = ${at} where id = ${userId} returning id`);

/** Takes an investor's batches off sale, or puts them back, as the block and the role say; answers those that changed. */
export const followOwner = (sql: Sql, userId: bigint) =>
  all(
    z.object({ batchId: z.int() }),
    sql`select batch_id as "batchId" from follow_owner(${userId}) as batch_id`,
  );

export const setInvestor = (sql: Sql, userId: bigint, granted: boolean) =>
  one(NewUser, sql`update users set is_investor = ${granted} where id = ${userId} returning id`);

/** Undefined takes the role away. Which of them may do everything is not written: so the release before leaves it, too. */
export const setOfficeRole = (sql: Sql, userId: bigint, role: OfficeRole | undefined) =>
  one(
    NewUser,
    sql`update users set is_admin = ${role !== undefined}, office_role = ${role === "owner" ? null : (role ?? null)}
        where id = ${userId} returning id`,
  );

export const setOpenToPrograms = (sql: Sql, userId: bigint, isOpen: boolean) =>
  one(NewUser, sql`update users set open_to_programs = ${isOpen} where id = ${userId} returning id`);

/** Locked until the transaction ends. Undefined for an account that its owner has closed: nobody unblocks it. */
export const lockUser = (sql: Sql, userId: bigint) =>
  maybe(
    User,
    sql`select ${userColumns(sql)} from users where id = ${userId} and closed_at is null for no key update`,
  );

/** Locks the owners of the shop: none is blocked or loses the role until the transaction ends. */
export const lockOwners = (sql: Sql) =>
  all(
    z.object({ id: z.bigint(), email: z.string() }),
    sql`select id, email from users
        where is_admin and coalesce(office_role, 'owner') = 'owner' and activated_at is not null and blocked_at is null
        order by id for no key update`,
  );

interface NewCode {
  readonly userId: bigint;
  readonly purpose: CodePurpose;
  /** Keyed hash of who asked. */
  readonly network: Buffer;
  readonly atHome: boolean;
  readonly hash: Buffer;
  readonly linkHash: Buffer;
  readonly sentAt: Date;
  readonly expiresAt: Date;
  /** Stored only when the last one was sent before this. */
  readonly resendBefore: Date;
  /** A later time comes from a fast clock and does not count. */
  readonly resendAfter: Date;
}

/** Whether the code was stored: not when the last one is too new. It replaces only one that the same network asked for. */
export const putCode = async (tx: Tx, code: NewCode): Promise<boolean> => {
  const { userId, purpose, network } = code;
  await tx`
    insert into user_code_earlier as old (user_id, purpose, network, at_home, code_hash, link_hash, expires_at)
    select user_id, purpose, coalesce(network, ''), at_home, code_hash, link_hash, expires_at from user_code
    where user_id = ${userId} and purpose = ${purpose} and expires_at > ${code.sentAt}
      and (sent_at <= ${code.resendBefore} or sent_at > ${code.resendAfter})
    for update
    on conflict (user_id, purpose, network) do update
      set at_home = excluded.at_home, code_hash = excluded.code_hash, link_hash = excluded.link_hash, expires_at = excluded.expires_at`;
  const put = await tx`
    insert into user_code as old (user_id, purpose, network, at_home, code_hash, link_hash, sent_at, expires_at)
    values (${userId}, ${purpose}, ${network}, ${code.atHome}, ${code.hash}, ${code.linkHash}, ${code.sentAt}, ${code.expiresAt})
    on conflict (user_id, purpose) do update
      set network = excluded.network, at_home = excluded.at_home, code_hash = excluded.code_hash, link_hash = excluded.link_hash,
          sent_at = excluded.sent_at, expires_at = excluded.expires_at
      where old.sent_at <= ${code.resendBefore} or old.sent_at > ${code.resendAfter}`;
  if (put.count === 0) return false;
  await tx`delete from user_code_earlier where user_id = ${userId} and purpose = ${purpose} and network = ${network}`;
  return true;
};

export const selectSentAt = (sql: Sql, userId: bigint, purpose: CodePurpose) =>
  maybe(
    z.object({ sentAt: z.date() }),
    sql`select sent_at as "sentAt" from user_code where user_id = ${userId} and purpose = ${purpose}`,
  );

const LivingCode = z.object({
  hash: Bytes,
  linkHash: z.nullable(Bytes),
  expiresAt: z.date(),
});

/** The newest code first, locked until the transaction ends; then earlier ones, those asked for at home before others. */
export const lockCodes = (tx: Tx, userId: bigint, purpose: CodePurpose, at: Date) =>
  all(
    LivingCode,
    tx`with newest as materialized (
         select code_hash, link_hash, expires_at, at_home from user_code
         where user_id = ${userId} and purpose = ${purpose} for update
       )
       select code_hash as hash, link_hash as "linkHash", expires_at as "expiresAt" from (
         select *, 0 as age from newest
         union all
         select code_hash, link_hash, expires_at, at_home, 1 from user_code_earlier
         where user_id = ${userId} and purpose = ${purpose} and expires_at > ${at} and exists (select from newest)
       ) as code order by age, at_home desc, expires_at desc`,
  );

interface Trier {
  readonly userId: bigint;
  readonly purpose: CodePurpose;
  readonly network: Buffer;
  readonly endsAt: Date;
}

/** How often a network has tried; counts one more unless the try was right. */
export const countTry = (tx: Tx, { userId, purpose, network, endsAt }: Trier, isRight: boolean) =>
  one(
    z.object({ tries: z.int() }),
    tx`insert into user_code_try as old (user_id, purpose, network, tries, ends_at)
       values (${userId}, ${purpose}, ${network}, ${isRight ? 0 : 1}, ${endsAt})
       on conflict (user_id, purpose, network) do update
         set tries = least(old.tries + excluded.tries, 1000), ends_at = greatest(old.ends_at, excluded.ends_at)
       returning tries`,
  );

/** Notes who asked for a new code; the tries of that network begin anew. */
export const noteAsked = (tx: Tx, { userId, purpose, network, endsAt }: Trier, at: Date) =>
  tx`insert into user_code_try as old (user_id, purpose, network, asked_at, ends_at)
     values (${userId}, ${purpose}, ${network}, ${at}, ${endsAt})
     on conflict (user_id, purpose, network) do update
       set asked_at = excluded.asked_at, tries = 0, ends_at = greatest(old.ends_at, excluded.ends_at)`;

export const hasAsked = async (sql: Sql, userId: bigint, networks: Hashes, after: Date): Promise<boolean> =>
  (
    await sql`select 1 from user_code_try
              where user_id = ${userId} and network ${isOneOf(sql, networks)} and asked_at > ${after}`
  ).length > 0;

export const deleteTries = async (sql: Sql, before: Date): Promise<number> => {
  const tries = await sql`delete from user_code_try where ends_at <= ${before}`;
  const codes = await sql`delete from user_code_earlier where expires_at <= ${before}`;
  return tries.count + codes.count;
};

export const deleteCodes = async (tx: Tx, userId: bigint, purpose: CodePurpose): Promise<void> => {
  await tx`delete from user_code where user_id = ${userId} and purpose = ${purpose}`;
  await tx`delete from user_code_earlier where user_id = ${userId} and purpose = ${purpose}`;
};

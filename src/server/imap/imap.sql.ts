import { z } from "zod/mini";
import { tlsWays } from "../../contract/catalog.ts";
import { all, maybe, type Db, type Sql, type Tx } from "../platform/db/db.ts";

const Lease = z.object({
  mailboxId: z.bigint(),
  hostId: z.int(),
  mustLeave: z.boolean(),
  since: z.date(),
  clockMs: z.int(),
  lookedAt: z.date(),
  isPending: z.boolean(),
});
export type Lease = z.infer<typeof Lease>;

export const callLook = (sql: Sql, worker: string, leaseSeconds: number, staySeconds: number) =>
  all(
    Lease,
    sql`select mailbox_id as "mailboxId", host_id as "hostId", must_leave as "mustLeave", since,
               clock_ms as "clockMs", looked_at as "lookedAt", is_pending as "isPending"
        from imap_look(${worker}, make_interval(secs => ${leaseSeconds}), make_interval(secs => ${staySeconds}))`,
  );

const Tls = z.enum(tlsWays);
export type Tls = z.infer<typeof Tls>;

const Box = z.object({
  mailboxId: z.bigint(),
  hostId: z.int(),
  login: z.string(),
  secret: z.instanceof(Buffer),
  host: z.string(),
  port: z.int(),
  tls: Tls,
  ca: z.nullable(z.string()),
  /** Its last log-in was refused. */
  isRefused: z.boolean(),
});
export type Box = z.infer<typeof Box>;

/** Log-in data of mailboxes; the host is the one that the operator registered. */
export const selectBoxes = (sql: Sql, mailboxIds: readonly bigint[]) =>
  all(
    Box,
    sql`select m.id as "mailboxId", i.id as "hostId", m.local_part || '@' || d.name as login, m.secret,
               i.host, i.port, d.imap_tls as tls, i.ca,
               exists (select from imap_refused r where r.mailbox_id = m.id) as "isRefused"
        from mailbox m join mail_domain d on d.id = m.domain_id
        join imap_host i on i.host = d.imap_host and i.port = d.imap_port
        where m.id = any (${mailboxIds}::bigint[]) and d.kind = 'hosted' and m.secret is not null`,
  );

const Folder = z.object({
  folder: z.string(),
  uidValidity: z.bigint(),
  lastUid: z.bigint(),
  nextUid: z.bigint(),
  checkedAt: z.date(),
});

export const selectFolders = (sql: Sql, mailboxId: bigint) =>
  all(
    Folder,
    sql`select folder, uid_validity as "uidValidity", last_uid as "lastUid",
               greatest(next_uid, last_uid + 1) as "nextUid", checked_at as "checkedAt"
        from imap_folder where mailbox_id = ${mailboxId}`,
  );

/** The numbers of letters that were fetched. */
export const selectSeen = (sql: Sql, mailboxId: bigint, folder: string, uidValidity: bigint) =>
  all(
    z.object({ uid: z.bigint() }),
    sql`select uid from imap_seen
        where mailbox_id = ${mailboxId} and folder = ${folder} and uid_validity = ${uidValidity} and uid is not null`,
  );

/** The letters of a folder have other numbers now. */
export const forgetNumbers = (sql: Sql, mailboxId: bigint, folder: string) =>
  sql`update imap_seen set uid = null where mailbox_id = ${mailboxId} and folder = ${folder}`;

export interface Mark {
  readonly mailboxId: bigint;
  readonly folder: string;
  readonly uidValidity: bigint;
  readonly lastUid: number;
  readonly nextUid: number;
  readonly checkedAt: Date;
}

export const saveMark = (sql: Sql, { mailboxId, folder, uidValidity, lastUid, nextUid, checkedAt }: Mark) =>
  sql`
    insert into imap_folder (mailbox_id, folder, uid_validity, last_uid, next_uid, checked_at)
    values (${mailboxId}, ${folder}, ${uidValidity}, ${lastUid}, ${nextUid}, ${checkedAt})
    on conflict (mailbox_id, folder) do update
      set uid_validity = excluded.uid_validity, last_uid = excluded.last_uid, next_uid = excluded.next_uid,
          checked_at = excluded.checked_at`;

export interface Fetched {
  readonly mailboxId: bigint;
  readonly digest: Buffer;
  readonly folder: string;
  readonly uidValidity: bigint;
  readonly uid: number;
}

/** Notes a letter as fetched; false when it was before, maybe under another number. */
export const addSeen = async (
  tx: Tx,
  { mailboxId, digest, folder, uidValidity, uid }: Fetched,
): Promise<boolean> => {
  const row = await maybe(
    z.object({ isNew: z.boolean() }),
    tx`insert into imap_seen (mailbox_id, digest, folder, uid_validity, uid)
       values (${mailboxId}, ${digest}, ${folder}, ${uidValidity}, ${uid})
       on conflict (mailbox_id, digest) do update
         set folder = excluded.folder, uid_validity = excluded.uid_validity, uid = excluded.uid
       returning xmax = 0 as "isNew"`,
  );
  return row?.isNew ?? false;
};

export interface Released {
  readonly mailboxId: bigint;
  readonly worker: string;
  readonly nextTrySeconds: number;
  readonly failures: number;
  readonly refusals: number;
  readonly error: string | null;
}

export const release = (
  sql: Sql,
  { mailboxId, worker, nextTrySeconds, failures, refusals, error }: Released,
) =>
  sql`
    update imap_mailbox
    set worker = null, leased_at = null, lease_until = null, must_leave = false, turn_at = clock_timestamp(),
        next_try_at = clock_timestamp() + make_interval(secs => ${nextTrySeconds}),
        failures = ${failures}, refusals = ${refusals}, last_error = ${error}
    where mailbox_id = ${mailboxId} and worker = ${worker}`;

/** Reserves a connection for one check beside orders; false when none is free. */
export const borrow = async (
  sql: Sql,
  mailboxId: bigint,
  worker: string,
  seconds: number,
): Promise<boolean> => {
  const row = await maybe(
    z.object({ lent: z.boolean() }),
    sql`select imap_borrow(${mailboxId}, ${worker}, make_interval(secs => ${seconds})) as lent`,
  );
  return row?.lent ?? false;
};

const Fared = z.object({ failures: z.int(), refusals: z.int() });

export const selectFared = (sql: Sql, mailboxId: bigint) =>
  maybe(Fared, sql`select failures, refusals from imap_mailbox where mailbox_id = ${mailboxId}`);

export const markUp = (sql: Sql, hostId: number) =>
  sql`update imap_host set failures = 0, refusals = 0, next_try_at = '-infinity', opened_at = clock_timestamp()
      where id = ${hostId}
        and (failures > 0 or refusals > 0 or opened_at < clock_timestamp() - interval '1 minute')`;

/** Delays a host, longer each time. Connections that break together count once. Answers whether this one did. */
export const markDown = async (
  sql: Sql,
  hostId: number,
  error: string,
  rest: { firstSeconds: number; maxSeconds: number; jitter: number },
): Promise<boolean> => {
  const marked = await sql`
    update imap_host
    set failures = least(failures + 1, 30), last_error = ${error}, last_error_at = clock_timestamp(),
        next_try_at = clock_timestamp()
          + make_interval(secs => least(${rest.firstSeconds} * 2 ^ least(failures, 20), ${rest.maxSeconds}) * ${rest.jitter})
    where id = ${hostId} and next_try_at <= clock_timestamp()`;
  return marked.count === 1;
};

/** Counts a refused password; answers for how many mailboxes in a row, without a success between. */
export const countRefused = async (
  sql: Sql,
  hostId: number,
  isFirst: boolean,
  error: string,
): Promise<number> => {
  const row = await maybe(
    z.object({ refusals: z.int() }),
    sql`update imap_host set refusals = refusals + ${isFirst ? 1 : 0}, last_error = ${error}, last_error_at = clock_timestamp()
        where id = ${hostId} returning refusals`,
  );
  return row?.refusals ?? 0;
};

/** A refusal counts hours after the last that did, when another mailbox of the host was opened meanwhile. */
const countedApartHours = 6;
const dyingRefusals = 4;
const dyingHours = 24;

/** Notes a refused log-in: whether the mailbox was on sale until now, and whether it is dead for good. */
export const noteRefusal = async (
  tx: Tx,
  mailboxId: bigint,
  error: string,
): Promise<{ isFirst: boolean; isDead: boolean }> => {
  // Renewed or given back meanwhile: it begins anew.
  await tx`delete from imap_refused r using mailbox m
           where r.mailbox_id = ${mailboxId} and m.id = r.mailbox_id and not m.dead`;
  const row = await maybe(
    z.object({ isFirst: z.boolean(), isDead: z.boolean() }),
    tx`insert into imap_refused as r (mailbox_id, first_at, counted, counted_at, tries, next_try_at, error)
       values (${mailboxId}, clock_timestamp(), 1, clock_timestamp(), 1, clock_timestamp() + interval '10 minutes', ${error})
       on conflict (mailbox_id) do update
         set (counted, counted_at) = (
               select r.counted + count(i.id)::integer, case when count(i.id) > 0 then clock_timestamp() else r.counted_at end
               from mailbox m join mail_domain d on d.id = m.domain_id
               join imap_host i on i.host = d.imap_host and i.port = d.imap_port and i.opened_at > r.counted_at
               where m.id = r.mailbox_id and r.counted_at < clock_timestamp() - make_interval(hours => ${countedApartHours})),
             tries = r.tries + 1, error = excluded.error,
             next_try_at = clock_timestamp() + least(interval '10 minutes' * 2 ^ least(r.tries, 10), interval '6 hours')
       returning r.tries = 1 as "isFirst",
                 r.counted >= ${dyingRefusals} and r.first_at < clock_timestamp() - make_interval(hours => ${dyingHours}) as "isDead"`,
  );
  return row ?? { isFirst: false, isDead: false };
};

/** `isSame`: it opens the box of another one, and stays out of sale. */
export const deleteRefusals = (sql: Sql, mailboxIds: readonly bigint[]) =>
  all(
    z.object({ mailboxId: z.bigint(), isSame: z.boolean() }),
    sql`delete from imap_refused r where mailbox_id = any (${mailboxIds}::bigint[])
        returning mailbox_id as "mailboxId", exists (select from same_box s where s.mailbox_id = r.mailbox_id) as "isSame"`,
  );

/** Refused mailboxes whose next try is due, without those that an order has visited. */
export const selectRefused = (sql: Sql, limit: number) =>
  all(
    z.object({ mailboxId: z.bigint() }),
    sql`select r.mailbox_id as "mailboxId" from imap_refused r
        where r.next_try_at < clock_timestamp()
          and not exists (select from imap_mailbox w where w.mailbox_id = r.mailbox_id and w.since is not null)
        order by r.next_try_at limit ${limit}`,
  );

/** Mailboxes of a domain that are out of sale because their log-in was refused. */
export const selectRefusedOf = (sql: Sql, domainId: number) =>
  all(
    z.object({ mailboxId: z.bigint() }),
    sql`select r.mailbox_id as "mailboxId" from imap_refused r join mailbox m on m.id = r.mailbox_id
        where m.domain_id = ${domainId} and m.dead and m.secret is not null order by m.id`,
  );

export const saveClock = (sql: Sql, hostId: number, clockMs: number) =>
  sql`update imap_host set clock_ms = ${clockMs} where id = ${hostId}`;

export const deleteWorker = (sql: Sql, worker: string) =>
  sql`delete from imap_worker where worker = ${worker}`;

export const deleteOld = async (db: Db, until: Date): Promise<void> => {
  await db`delete from imap_seen where seen_at < ${until}`;
  await db`delete from imap_mailbox where since is null and ended_at < ${until} and lease_until > clock_timestamp() is not true`;
};

const Host = z.object({
  host: z.string(),
  port: z.int(),
  tls: z.nullable(Tls),
  domains: z.array(z.string()),
  connections: z.int(),
  loginsPerMinute: z.int(),
  ownCa: z.boolean(),
  wanted: z.int(),
  open: z.int(),
  waiting: z.int(),
  failures: z.int(),
  refused: z.int(),
  error: z.nullable(z.string()),
  errorAt: z.nullable(z.date()),
});
export type Host = z.infer<typeof Host>;

export const selectHosts = (sql: Sql) =>
  all(
    Host,
    sql`select i.host, i.port, min(d.imap_tls) as tls, coalesce(array_agg(d.name order by d.name) filter (where d.id is not null), '{}') as domains,
               i.connections, i.logins_per_minute as "loginsPerMinute", i.ca is not null as "ownCa",
               coalesce(max(n.wanted), 0)::integer as wanted, coalesce(max(n.open), 0)::integer as open,
               coalesce(max(n.waiting), 0)::integer as waiting, i.failures, i.last_error as error, i.last_error_at as "errorAt",
               (select count(*)::integer from imap_refused r
                join mailbox m on m.id = r.mailbox_id and m.dead join mail_domain o on o.id = m.domain_id
                where o.imap_host = i.host and o.imap_port = i.port) as refused
        from imap_host i
        left join mail_domain d on d.kind = 'hosted' and d.imap_host = i.host and d.imap_port = i.port
        left join lateral (
          select count(*) filter (where w.since is not null) as wanted,
                 count(*) filter (where w.lease_until > clock_timestamp()) as open,
                 count(*) filter (where w.since is not null and w.lease_until > clock_timestamp() is not true) as waiting
          from imap_mailbox w where w.host_id = i.id) n on true
        group by i.id order by i.host, i.port`,
  );

/** Undefined settings stay. */
export interface HostSettings {
  readonly connections?: number | undefined;
  readonly loginsPerMinute?: number | undefined;
  readonly ca?: string | null | undefined;
}

export const upsertHost = (
  sql: Sql,
  host: string,
  port: number,
  { connections, loginsPerMinute, ca }: HostSettings,
) =>
  sql`
    insert into imap_host as old (host, port, connections, logins_per_minute, ca)
    values (${host}, ${port}, coalesce(${connections ?? null}::integer, 20), coalesce(${loginsPerMinute ?? null}::integer, 600), ${ca ?? null})
    on conflict (host, port) do update
      set connections = coalesce(${connections ?? null}::integer, old.connections),
          logins_per_minute = coalesce(${loginsPerMinute ?? null}::integer, old.logins_per_minute),
          ca = case when ${ca !== undefined} then excluded.ca else old.ca end,
          next_try_at = '-infinity'`;

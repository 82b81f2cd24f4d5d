import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod/mini";
import { batchReasons, batchStates } from "../../contract/investors.ts";
import { all, maybe, one, type Db, type Reserved, type Sql } from "../platform/db/db.ts";

/** A connection of its own: staged rows belong to its session. */
export const openConnection = (db: Db): Promise<Reserved> => db.reserve();

/** Temporary: the end of the session drops it. */
export const openStage = (sql: Sql) =>
  sql`create temporary table brought (domain_id integer not null, local_part text not null, secret bytea)`;

export const closeStage = (sql: Sql) => sql`drop table if exists brought`;

const sliceBytes = 64 * 1024;

/** Stages rows in COPY's binary format, in slices: the driver copies each, and small copies are freed soon. */
export async function stage(connection: Reserved, rows: Uint8Array): Promise<void> {
  const copying = await connection`copy brought from stdin (format binary)`.writable();
  await pipeline(Readable.from(slicesOf(rows)), copying);
}

function* slicesOf(rows: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < rows.length; at += sliceBytes) yield rows.subarray(at, at + sliceBytes);
}

export const begin = (sql: Sql) => sql`begin`;
export const commit = (sql: Sql) => sql`commit`;
export const rollback = (sql: Sql) => sql`rollback`;

const State = z.enum(batchStates);
export type State = z.infer<typeof State>;
const Reason = z.enum(batchReasons);
export type Reason = z.infer<typeof Reason>;

const Batch = z.object({
  batchId: z.int(),
  userId: z.bigint(),
  email: z.string(),
  state: State,
  reason: z.nullable(Reason),
  createdAt: z.date(),
  taken: z.int(),
  malformed: z.int(),
  unknownDomain: z.int(),
  duplicateInFile: z.int(),
  duplicate: z.int(),
  sharePpm: z.int(),
  alive: z.bigint(),
  amount: z.bigint(),
  held: z.bigint(),
  domains: z.array(z.string()),
  restricted: z.array(z.string()),
  /** Open the box of another login. */
  same: z.int(),
  sampled: z.int(),
  sampleTried: z.int(),
  tried: z.nullable(z.int()),
  opened: z.nullable(z.int()),
  said: z.nullable(z.string()),
  secondLookAt: z.nullable(z.date()),
  fileHash: z.nullable(z.instanceof(Uint8Array)),
});
export type Batch = z.infer<typeof Batch>;

/** One that was put on sale may be off sale now, and one that was refused may be freed. */
const stateColumn = (sql: Sql) => sql`
  case when b.withdrawn_at is not null then 'withdrawn' when i.freed_at is not null then 'freed' else i.state end`;

const reasonColumn = (sql: Sql) =>
  sql`coalesce(i.reason, case when i.second_look_at is not null then 'busy' end)`;

const batchColumns = (sql: Sql) => sql`
  select i.batch_id as "batchId", i.user_id as "userId", u.email, ${stateColumn(sql)} as state, ${reasonColumn(sql)} as reason, i.created_at as "createdAt", i.taken, i.malformed,
         i.unknown_domain as "unknownDomain", i.duplicate_in_file as "duplicateInFile", i.duplicate, b.share_ppm as "sharePpm",
         (select coalesce(sum(l.live), 0)::bigint from lot l where l.batch_id = i.batch_id) as alive,
         (select coalesce(sum(e.amount), 0)::bigint from batch_earning e where e.batch_id = i.batch_id) as amount,
         (select coalesce(sum(e.held), 0)::bigint from batch_earning e where e.batch_id = i.batch_id) as held,
         array(select d.name from mail_domain d
               where d.id in (select domain_id from lot where batch_id = i.batch_id
                              union select domain_id from held_lot where batch_id = i.batch_id) order by d.name) as domains,
         array(select s.name from batch_block k join site s on s.id = k.site_id where k.batch_id = i.batch_id order by s.name) as restricted,
         (select count(*)::integer
          from (select first_id, last_id from lot where batch_id = i.batch_id
                union all select first_id, last_id from held_lot where batch_id = i.batch_id) r
          join same_box s on s.mailbox_id between r.first_id and r.last_id) as same,
         (select count(*)::integer from batch_sample t where t.batch_id = i.batch_id) as sampled,
         (select count(*)::integer from batch_sample t where t.batch_id = i.batch_id and t.opened is not null) as "sampleTried",
         coalesce(i.tried, case when i.decided_at is null then 0 end)
           + (select count(t.tried_at)::integer from batch_sample t where t.batch_id = i.batch_id) as tried,
         coalesce(i.opened, case when i.decided_at is null then 0 end)
           + (select count(*)::integer from batch_sample t where t.batch_id = i.batch_id and t.opened) as opened,
         i.said, i.second_look_at as "secondLookAt",
         i.file_hash as "fileHash"
  from investor_batch i join batch b on b.id = i.batch_id join users u on u.id = i.user_id`;

export const selectBatches = (sql: Sql, userId: bigint, limit: number, offset: number) =>
  all(
    Batch,
    sql`${batchColumns(sql)} where i.user_id = ${userId} order by i.batch_id desc limit ${limit} offset ${offset}`,
  );

/** All users' batches in these states, the oldest first; the newest `limit` of them. */
export const selectAll = (sql: Sql, states: readonly string[], limit: number) =>
  all(
    Batch,
    sql`select * from (${batchColumns(sql)} where ${stateColumn(sql)} = any (${states as string[]}::text[]) order by i.batch_id desc limit ${limit}) t
        order by t."batchId"`,
  );

export const selectBatch = (sql: Sql, batchId: number) =>
  maybe(Batch, sql`${batchColumns(sql)} where i.batch_id = ${batchId}`);

export const selectByKey = (sql: Sql, userId: bigint, key: string) =>
  maybe(Batch, sql`${batchColumns(sql)} where i.user_id = ${userId} and i.key = ${key}`);

export const countBatches = (sql: Sql, userId: bigint) =>
  one(
    z.object({ count: z.int() }),
    sql`select count(*)::integer as count from investor_batch where user_id = ${userId}`,
  );

/** Held earnings of an investor: the sum that waits for the operator, and when the next of the rest is decided. */
export const selectHeld = (sql: Sql, userId: bigint) =>
  one(
    z.object({ operator: z.bigint(), next: z.nullable(z.date()) }),
    sql`select coalesce(sum(s.amount) filter (where s.due_at is null), 0)::bigint as operator, min(s.due_at) as next
        from investor_batch i join investor_share s on s.batch_id = i.batch_id and s.state = 'held'
        where i.user_id = ${userId}`,
  );

export interface NewBatch {
  readonly batchId: number;
  readonly userId: bigint;
  readonly at: Date;
  readonly key: string | undefined;
  readonly fileHash: Buffer;
  readonly taken: number;
  readonly malformed: number;
  readonly unknownDomain: number;
  readonly duplicateInFile: number;
  readonly duplicate: number;
}

export const insertBatch = (sql: Sql, batch: NewBatch) =>
  sql`insert into investor_batch (batch_id, user_id, created_at, key, file_hash, taken, malformed, unknown_domain, duplicate_in_file, duplicate)
      values (${batch.batchId}, ${batch.userId}, ${batch.at}, ${batch.key ?? null}, ${batch.fileHash}, ${batch.taken}, ${batch.malformed},
              ${batch.unknownDomain}, ${batch.duplicateInFile}, ${batch.duplicate})`;

export const selectTerms = (sql: Sql, userId: bigint) =>
  maybe(
    z.object({ sharePpm: z.int() }),
    sql`select share_ppm as "sharePpm" from investor_terms where user_id = ${userId}`,
  );

export const upsertTerms = (sql: Sql, userId: bigint, sharePpm: number) =>
  sql`insert into investor_terms (user_id, share_ppm) values (${userId}, ${sharePpm})
      on conflict (user_id) do update set share_ppm = excluded.share_ppm`;

/** Refused batches of an account that no operator has looked at. */
export const selectFlags = (sql: Sql, userId: bigint) =>
  all(
    z.object({ batchId: z.int() }),
    sql`select batch_id as "batchId" from investor_flag where user_id = ${userId} and seen_at is null`,
  );

export const insertFlag = (sql: Sql, userId: bigint, batchId: number, at: Date) =>
  sql`insert into investor_flag (user_id, batch_id, flagged_at) values (${userId}, ${batchId}, ${at}) on conflict do nothing`;

export const clearFlags = (sql: Sql, userId: bigint, at: Date) =>
  all(
    z.object({ batchId: z.int() }),
    sql`update investor_flag set seen_at = ${at} where user_id = ${userId} and seen_at is null returning batch_id as "batchId"`,
  );

export const lockState = async (sql: Sql, batchId: number) => {
  await sql`select from investor_batch where batch_id = ${batchId} for update`;
  return maybe(
    z.object({
      state: State,
      reason: z.nullable(Reason),
      userId: z.bigint(),
      opened: z.nullable(z.int()),
      decidedAt: z.nullable(z.date()),
    }),
    sql`select ${stateColumn(sql)} as state, i.reason, i.user_id as "userId", i.opened, i.decided_at as "decidedAt"
        from investor_batch i join batch b on b.id = i.batch_id where i.batch_id = ${batchId}`,
  );
};

/** Locks an owner, so that what he may does not change: before his batches are put on sale. */
export const lockOwner = (sql: Sql, userId: bigint) =>
  one(
    z.object({ maySell: z.boolean() }),
    sql`select is_investor and blocked_at is null as "maySell" from users where id = ${userId} for share`,
  );

/** Takes a batch off sale, or puts it back (undefined). */
export const callSetWithdrawn = (sql: Sql, batchId: number, why: "operator" | "owner" | undefined) =>
  sql`select set_withdrawn(${batchId}, ${why ?? null})`;

export const setState = (
  sql: Sql,
  batchId: number,
  { state, reason, at }: { state: Exclude<State, "withdrawn" | "freed">; reason?: Reason; at: Date },
) =>
  sql`update investor_batch
      set state = ${state}, reason = ${reason ?? null},
          decided_at = ${state === "active" || state === "refused" ? at : null},
          recheck_at = ${state === "active" ? at : null}, second_look_at = null
      where batch_id = ${batchId}`;

export const selectRuns = (sql: Sql, batchId: number) =>
  all(
    z.object({ firstId: z.bigint(), lastId: z.bigint(), isHosted: z.boolean() }),
    sql`select r.first_id as "firstId", r.last_id as "lastId", d.kind = 'hosted' as "isHosted"
        from (select domain_id, first_id, last_id from held_lot where batch_id = ${batchId}
              union all select domain_id, first_id, last_id from lot where batch_id = ${batchId}) r
        join mail_domain d on d.id = r.domain_id order by r.first_id`,
  );

/** Not of an account that may not sell, nor with another refused batch not looked at: stolen mailboxes come in many files at once. */
const mayBeTried = (sql: Sql) => sql`
  not exists (select from investor_flag f where f.user_id = i.user_id and f.seen_at is null)
  and exists (select from users u where u.id = i.user_id and u.is_investor and u.blocked_at is null)`;

export const selectStored = (sql: Sql) =>
  all(
    z.object({ batchId: z.int() }),
    sql`select i.batch_id as "batchId" from investor_batch i
        where i.state = 'stored' and ${mayBeTried(sql)} order by i.created_at, i.batch_id limit 10`,
  );

export const insertSample = (sql: Sql, batchId: number, mailboxIds: readonly bigint[]) =>
  sql`insert into batch_sample (batch_id, mailbox_id) select ${batchId}, unnest(${mailboxIds}::bigint[])`;

/** Keeps of a sample how many were tried and opened, not which. */
export const endSample = (sql: Sql, batchId: number) =>
  sql`with gone as (delete from batch_sample where batch_id = ${batchId} returning opened, tried_at)
      update investor_batch
      set tried = coalesce(tried, 0) + (select count(tried_at) from gone), opened = coalesce(opened, 0) + (select count(*) from gone where opened)
      where batch_id = ${batchId}`;

/** Those of a sample that its server refused. */
export const selectRefused = (sql: Sql, batchId: number) =>
  all(
    z.object({ mailboxId: z.bigint() }),
    sql`select mailbox_id as "mailboxId" from batch_sample where batch_id = ${batchId} and not opened order by 1`,
  );

export const setAnswer = (sql: Sql, batchId: number, answer: string) =>
  sql`update investor_batch set said = ${answer} where batch_id = ${batchId}`;

/** Lets a sample rest, and tries once more then what was refused. */
export const setSecondLook = async (sql: Sql, batchId: number, at: Date): Promise<void> => {
  await sql`update investor_batch set second_look_at = ${at} where batch_id = ${batchId}`;
  await sql`update batch_sample set opened = null, tries = 0, next_try_at = ${at}
            where batch_id = ${batchId} and opened is not true`;
};

/** Null where one of the addresses was freed before and does not rest long enough. */
export const callFree = (sql: Sql, batchId: number, isRested: boolean, at: Date) =>
  one(
    z.object({ freed: z.nullable(z.int()) }),
    sql`select free_batch(${batchId}, ${isRested}, ${at}) as freed`,
  );

/** The same file may come again under its key. */
export const setFreed = (sql: Sql, batchId: number, at: Date) =>
  sql`update investor_batch set freed_at = ${at}, key = null where batch_id = ${batchId}`;

export const selectBatchOf = (sql: Sql, address: string) =>
  maybe(
    z.object({ batchId: z.int() }),
    sql`select coalesce(l.batch_id, h.batch_id) as "batchId"
        from mail_domain d
        join mailbox m on m.domain_id = d.id and m.local_part = substring(${address} from '^(.*)@')
        left join lot l on l.id = m.lot_id left join held_lot h on h.id = m.lot_id
        where d.name = substring(${address} from '@([^@]*)$')`,
  );

const Due = z.object({
  batchId: z.int(),
  mailboxId: z.bigint(),
  createdAt: z.date(),
  tries: z.int(),
  pauseMs: z.number(),
});
export type Due = z.infer<typeof Due>;

/** Between two of a sample its server could take so many log-ins: a file must not reach the server's limit. */
const pauseLogins = 20;

export const selectDue = (sql: Sql, at: Date, limit: number, busy: readonly number[]) =>
  all(
    Due,
    sql`select distinct on (i.created_at, i.batch_id) i.batch_id as "batchId", t.mailbox_id as "mailboxId", i.created_at as "createdAt", t.tries,
               coalesce((select ${pauseLogins} * 60000.0 / h.logins_per_minute
                         from mailbox m join mail_domain d on d.id = m.domain_id
                         join imap_host h on h.host = d.imap_host and h.port = d.imap_port
                         where m.id = t.mailbox_id), 0)::double precision as "pauseMs"
        from investor_batch i join batch_sample t on t.batch_id = i.batch_id and t.opened is null and t.next_try_at <= ${at}
        where i.state = 'sampling' and i.batch_id <> all (${busy as number[]}::integer[]) and ${mayBeTried(sql)}
        order by i.created_at, i.batch_id, t.next_try_at, t.mailbox_id limit ${limit}`,
  );

export const setTried = (sql: Sql, { batchId, mailboxId }: Due, opened: boolean) =>
  sql`update batch_sample set opened = ${opened}, tried_at = clock_timestamp() where batch_id = ${batchId} and mailbox_id = ${mailboxId}`;

export const setLater = (sql: Sql, { batchId, mailboxId }: Due, tries: number, at: Date) =>
  sql`update batch_sample set tries = ${tries}, next_try_at = ${at} where batch_id = ${batchId} and mailbox_id = ${mailboxId}`;

/** `isLimit`: the server let some in, then refused all, and was not asked again yet. */
export const selectProgress = (sql: Sql, batchId: number) =>
  one(
    z.object({ size: z.int(), opened: z.int(), refused: z.int(), isLimit: z.boolean() }),
    sql`select count(*)::integer as size, (count(*) filter (where t.opened and s.mailbox_id is null))::integer as opened,
               (count(*) filter (where not t.opened or s.mailbox_id is not null))::integer as refused,
               (max(t.tried_at) filter (where t.opened) < min(t.tried_at) filter (where not t.opened)) is true
                 and (select second_look_at is null from investor_batch where batch_id = ${batchId}) as "isLimit"
        from batch_sample t left join same_box s on s.mailbox_id = t.mailbox_id where t.batch_id = ${batchId}`,
  );

/** Mailboxes of a batch on sale that open the box of another one. */
export const selectSame = (sql: Sql, batchId: number) =>
  all(
    z.object({ mailboxId: z.bigint() }),
    sql`select s.mailbox_id as "mailboxId" from lot l join same_box s on s.mailbox_id between l.first_id and l.last_id
        join mailbox m on m.id = s.mailbox_id and not m.dead where l.batch_id = ${batchId}`,
  );

const Same = z.object({
  batchId: z.int(),
  address: z.string(),
  first: z.string(),
  firstBatchId: z.int(),
  foundAt: z.date(),
});
export type Same = z.infer<typeof Same>;

/** The newest mailboxes that open the box of another one: of a batch, or of all. */
export const selectSameBoxes = (sql: Sql, batchId: number | null, limit: number) =>
  all(
    Same,
    sql`select b.batch_id as "batchId", m.local_part || '@' || d.name as address, f.local_part || '@' || e.name as first,
               c.batch_id as "firstBatchId", s.found_at as "foundAt"
        from same_box s
        join mailbox m on m.id = s.mailbox_id join mail_domain d on d.id = m.domain_id
        join (select id, batch_id from lot union all select id, batch_id from held_lot) b on b.id = m.lot_id
        join mailbox f on f.id = s.first_id join mail_domain e on e.id = f.domain_id
        join (select id, batch_id from lot union all select id, batch_id from held_lot) c on c.id = f.lot_id
        where ${batchId}::integer is null or b.batch_id = ${batchId}
        order by s.found_at desc, s.mailbox_id desc limit ${limit}`,
  );

const Recheck = z.object({
  batchId: z.int(),
  mailboxId: z.nullable(z.bigint()),
  count: z.int(),
});
export type Recheck = z.infer<typeof Recheck>;

/** For due batches on sale: the next living hosted mailbox after the last that was checked; null at the end. */
export const selectRechecks = (sql: Sql, at: Date, limit: number) =>
  all(
    Recheck,
    sql`select i.batch_id as "batchId", i.taken as count,
               (select min(n.id) from lot l join mail_domain d on d.id = l.domain_id and d.kind = 'hosted'
                cross join lateral (select m.id from mailbox m
                  where m.id between greatest(l.first_id, i.recheck_id + 1) and l.last_id and not m.dead and m.secret is not null
                  order by m.id limit 1) n
                where l.batch_id = i.batch_id) as "mailboxId"
        from investor_batch i where i.state = 'active' and i.recheck_at <= ${at}
          and not exists (select from batch b where b.id = i.batch_id and b.withdrawn_at is not null)
        order by i.recheck_at limit ${limit}`,
  );

export const setRechecked = (sql: Sql, batchId: number, mailboxId: bigint, next: Date) =>
  sql`update investor_batch set recheck_id = ${mailboxId}, recheck_at = ${next} where batch_id = ${batchId}`;

export const selectOther = (sql: Sql, batchId: number, mailboxId: bigint) =>
  maybe(
    z.object({ mailboxId: z.bigint() }),
    sql`select m.id as "mailboxId" from lot l join mailbox m on m.id between l.first_id and l.last_id
        where l.batch_id = ${batchId} and m.id <> ${mailboxId} and not m.dead and m.secret is not null
        order by m.id <= l.first_id + floor(random() * (l.last_id - l.first_id + 1))::bigint, m.id limit 1`,
  );

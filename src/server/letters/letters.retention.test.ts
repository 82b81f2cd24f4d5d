import fc from "fast-check";
import { beforeEach, expect, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { attempt } from "../platform/db/db.ts";
import { createLog } from "../platform/log.ts";
import { addPartitions } from "./letters.retention.sql.ts";
import { forgetOld, spanDaysFor } from "./letters.retention.ts";
import { openLetters } from "./letters.ts";
import { soon } from "../../../test/kit/soon.ts";

const { db } = await createDatabase();
const log = createLog("silent");
const day = 24 * 3600;
const ago = (days: number) => secondsAfter(now(), -days * day);

const open = () =>
  openLetters(db, {
    waiting: async () => [],
    deliver: async () => [],
    sendersOf: async () => undefined,
    log,
  });

const incoming = (text = "hello") => ({
  raw: Buffer.from(`From: a@b.test\r\nSubject: ${text}\r\n\r\n${text}\r\n`),
  mailFrom: "a@b.test",
  mailboxIds: [7n],
  isToPostmaster: false,
  remote: undefined,
  helo: "b.test",
});

interface Partition {
  readonly name: string;
  readonly parent: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly isLeaving: boolean;
}
const partitions = () => db<Partition[]>`
  select name, parent, starts_at as "startsAt", ends_at as "endsAt", is_leaving as "isLeaving"
  from letter_partition order by parent, starts_at`;

beforeEach(async () => {
  await db`truncate letter, letter_raw, letter_body, recipient, delivery, turned_away`;
  for (const { name } of await partitions()) await db.unsafe(`drop table ${name}`);
  await open().makePartitions();
});

/** A letter of some days ago, delivered, or (`judged: false`) unmatched. */
async function letterOf(daysAgo: number, { matched = true, given = true, postmaster = false } = {}) {
  const at = ago(daysAgo);
  await addPartitions(db, at, at, { spanDays: 6, spansAhead: 0 });
  const [row] = await db<{ id: bigint }[]>`
    insert into letter (arrived_at, judged_at, is_given, is_to_postmaster, size_bytes, mail_from, sender, subject)
    values (${at}, ${matched ? at : null}, ${given}, ${postmaster}, 1, '', 'A <a@b.test>', 'Your code')
    returning id`;
  const id = row!.id;
  await db`insert into letter_raw select id, arrived_at, 'raw'::bytea from letter where id = ${id}`;
  if (given)
    await db`
      with body as (insert into letter_body (letter_id, arrived_at, text) select id, arrived_at, 'text' from letter where id = ${id})
      insert into delivery (order_id, letter_id, value, delivered_at) values (${id}, ${id}, '123456', ${at})`;
  return id;
}

const left = () => db<{ id: bigint; raw: boolean; body: boolean; value: string | null }[]>`
  select id, exists (select from letter_raw where letter_id = id) as raw,
    exists (select from letter_body where letter_id = id) as body,
    (select value from delivery where letter_id = id) as value
  from letter order by id`;

test("bodies, bytes and what patterns found go when they are too old; what the history shows stays", async () => {
  const old = await letterOf(50);
  const young = await letterOf(29);
  await db`insert into order_term (user_id, term, number, code_at) values (1, '123456', 1, ${ago(50)}), (1, '123456', 2, ${ago(29)})`;
  await forgetOld(db, 30, { log });
  expect(await db`select number from order_term where term = '123456'`).toMatchObject([{ number: 2 }]);
  expect(await left()).toEqual([
    { id: old, raw: false, body: false, value: null },
    { id: young, raw: true, body: true, value: "123456" },
  ]);
  expect(await db`select sender, subject from letter where id = ${old}`).toMatchObject([
    { sender: "A <a@b.test>", subject: "Your code" },
  ]);
  const kept = await partitions();
  expect(kept.every(({ endsAt }) => endsAt > ago(30))).toBe(true);
  const [{ since } = { since: new Date(0) }] = await db<{ since: Date }[]>`select since from letters_kept`;
  expect(since > ago(50) && since <= ago(30)).toBe(true);
});

test("a setting is heeded to a fifth of it", async () => {
  for (const keepDays of [1, 2, 7, 30, 365, 3650]) {
    const spans = keepDays / spanDaysFor(keepDays);
    expect(spans > 0 && spans <= 5).toBe(true);
    expect(spanDaysFor(keepDays)).toBeLessThanOrEqual(Math.max(1, keepDays / 5 + 1));
  }
});

test("the bytes of a letter that was answered 250 stay until it is matched, however long that takes", async () => {
  const unmatched = await letterOf(50, { matched: false, given: false });
  const error = vi.fn();
  await forgetOld(db, 30, { log: { ...log, info: vi.fn(), error } as unknown as typeof log });
  expect(await left()).toMatchObject([{ id: unmatched, raw: true }]);
  expect(error).toHaveBeenCalledOnce();
  await db`update letter set judged_at = now()`;
  await forgetOld(db, 30, { log });
  expect(await left()).toMatchObject([{ id: unmatched, raw: false }]);
});

test("letters are stored although nobody made partitions for forty days, in several processes at once", async () => {
  for (const { name } of await partitions()) await db.unsafe(`drop table ${name}`);
  await addPartitions(db, ago(60), ago(40), { spanDays: 6, spansAhead: 0 });
  const rooms = [open(), open(), open()];
  await Promise.all(rooms.flatMap((room) => Array.from({ length: 20 }, () => room.keep(incoming()))));
  await rooms[0]?.keepWith({ ...incoming(), arrivedAt: ago(1.5) }, async () => true);
  await Promise.all(rooms.map((room) => room.drain()));
  expect(
    await db`select 1 from letter join letter_raw on letter_id = id where judged_at is not null`,
  ).toHaveLength(61);
});

test("a fault of another kind is not taken for a missing partition", async () => {
  await db`alter table letter add constraint letter_too_large check (size_bytes < 100)`;
  try {
    await expect(open().keep(incoming("x".repeat(100)))).rejects.toThrow("letter_too_large");
  } finally {
    await db`alter table letter drop constraint letter_too_large`;
  }
});

test("whatever partitions there are, new ones stand beside them without a gap or an overlap", async () => {
  const ask = fc.record({ at: fc.integer({ min: -100, max: 100 }), days: fc.integer({ min: 2, max: 40 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(ask, { minLength: 1, maxLength: 4 }), async (asks) => {
      await attempt(db, async (tx) => {
        for (const { at, days } of asks) {
          const [from, until] = [ago(-at), ago(-at - 10)];
          await addPartitions(tx, from, until, { spanDays: days, spansAhead: 0 });
          const covered = await tx<{ seconds: number }[]>`
            select sum(extract(epoch from least(ends_at, ${until}) - greatest(starts_at, ${from})))::float as seconds
            from letter_partition where ends_at > ${from} and starts_at < ${until} group by parent`;
          expect(covered.map(({ seconds }) => Math.round(seconds))).toEqual([10 * day, 10 * day]);
          expect(await addPartitions(tx, from, until, { spanDays: 3, spansAhead: 0 })).toBe(0);
        }
        return "undone";
      });
    }),
    { numRuns: 8 },
  );
});

test(
  "who reads for a long time keeps the old in place, and nobody else waits for him or for the job",
  { tags: ["full"] },
  async () => {
    const old = await letterOf(50);
    await letterOf(29);
    const reader = await db.reserve();
    await reader.unsafe("begin isolation level repeatable read");
    await reader`select count(*) from letter_raw, letter_body`;
    const letters = open();
    let isOver = false;
    const job = forgetOld(db, 30, { log }).finally(() => (isOver = true));
    await vi.waitFor(async () => {
      const waiting = await db`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'alter table letter_raw detach%'`;
      expect(waiting).toHaveLength(1);
    }, soon);
    await letters.keep(incoming());
    await db`select 1 from letter join letter_body on letter_id = id`;
    expect(isOver).toBe(false);
    await Promise.all(Array.from({ length: 9 }, () => letters.keep(incoming())));
    await job;
    expect((await partitions()).filter(({ isLeaving }) => isLeaving)).toHaveLength(1);
    await letters.keep(incoming());
    await forgetOld(db, 30, { log });
    await reader`commit`;
    reader.release();
    await letters.drain();
    await forgetOld(db, 30, { log });
    expect((await partitions()).every(({ endsAt }) => endsAt > ago(30))).toBe(true);
    expect((await left())[0]).toEqual({ id: old, raw: false, body: false, value: null });
    expect(await left()).toHaveLength(13);
  },
);

test("what a killed process had taken out is dropped by the next; what the operator took out is his", async () => {
  await letterOf(50);
  const [body, raw] = (await partitions()).filter(({ endsAt }) => endsAt <= ago(30)).map(({ name }) => name);
  await db.unsafe(`comment on table ${body} is 'Taken out, to be dropped.'`);
  await db.unsafe(`alter table letter_body detach partition ${body} concurrently`);
  await db.unsafe(`alter table letter_raw detach partition ${raw} concurrently`);
  await forgetOld(db, 30, { log });
  expect(await db`select to_regclass(${body!}) as body, to_regclass(${raw!})::text as raw`).toEqual([
    { body: null, raw },
  ]);
  await db.unsafe(`drop table ${raw}`);
});

test("what is forgotten after a day is looked for in the partitions of its time alone", async () => {
  await letterOf(20, { given: false });
  await letterOf(13, { given: false });
  await letterOf(0.1);
  await letterOf(0.1, { given: false });
  await db`delete from letter where arrived_at < ${ago(15)}`;
  await attempt(db, async (tx) => {
    const before = await scans(tx);
    expect(await tx`select forget_letters(${ago(1)}, false, 1000) as count`).toEqual([{ count: 1 }]);
    const after = await scans(tx);
    const touched = [...after].filter(([name, scanned]) => scanned > (before.get(name) ?? 0));
    expect(touched.map(([name]) => name).filter((name) => name.startsWith("letter_raw"))).toHaveLength(1);
    return "undone";
  });
  const plan = await db.unsafe<{ "QUERY PLAN": string }[]>(
    "explain delete from letter_raw where letter_id = any ('{1,2}') and arrived_at between now() and now()",
  );
  expect(plan.map((line) => line["QUERY PLAN"]).join("\n")).toContain("Subplans Removed");
});

const scans = async (sql: typeof db | Parameters<Parameters<typeof attempt>[1]>[0]) => {
  const found = await sql<{ name: string; scanned: number }[]>`
    select relname as name, (seq_scan + coalesce(idx_scan, 0))::integer as scanned from pg_stat_xact_user_tables`;
  return new Map(found.map(({ name, scanned }) => [name, scanned]));
};

test("a letter's body is looked up in one partition, by its index, also when that is still empty", async () => {
  const id = await letterOf(10);
  await letterOf(0.01);
  const [plan] = await db.unsafe<{ "QUERY PLAN": [{ Plan: Node }] }[]>(`
    explain (analyze, format json)
    select body.text from delivery join letter on letter.id = delivery.letter_id
    left join letter_body body on body.letter_id = letter.id and body.arrived_at = letter.arrived_at
    where delivery.order_id = ${id}`);
  const nodes = flat(plan!["QUERY PLAN"][0].Plan).filter((node) =>
    node["Relation Name"]?.startsWith("letter_body"),
  );
  expect(nodes.length).toBeGreaterThan(2);
  expect(nodes.every((node) => node["Node Type"].startsWith("Index"))).toBe(true);
  expect(nodes.filter((node) => node["Actual Loops"] > 0)).toHaveLength(1);
});

interface Node {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Loops": number;
  readonly Plans?: readonly Node[];
}
const flat = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flat)];

test("letters for the postmaster are kept as long as bodies", async () => {
  const young = await letterOf(10, { given: false, postmaster: true });
  await letterOf(40, { given: false, postmaster: true });
  const given = await letterOf(40, { postmaster: true });
  const letters = open();
  await letters.forgetNotGiven(now());
  expect(await left()).toHaveLength(3);
  await letters.forgetOld();
  expect((await left()).map(({ id }) => id)).toEqual([young, given]);
});

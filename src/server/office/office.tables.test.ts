import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { officePageSize } from "../../contract/limits.ts";
import { type OfficeTable, type OfficeTableName, officeTables } from "../../contract/office/office.ts";
import { createDatabase } from "../../../test/kit/database.ts";
import { fillOffice } from "../../../test/kit/office.ts";
import type { Asking } from "./office.request.ts";
import type { Cell } from "./office.cells.ts";
import { readFile, readPage } from "./office.tables.ts";

const { db } = await createDatabase();
const now = new Date();

beforeAll(() =>
  fillOffice(db, { users: 150, orders: 400, payments: 150, journal: 150, sites: 130, shares: 300 }),
);
const pieceSize = 40;

type Row = Record<string, Cell>;

async function pagesOf(asking: Asking): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const read = await readPage(db, asking, page, now);
    if (typeof read === "string") throw new Error(`${JSON.stringify(asking)} is refused: ${read}`);
    rows.push(...read.rows);
    expect(read.pages).toBe(Math.ceil(read.total / officePageSize));
    if (page >= read.pages) {
      expect(rows).toHaveLength(read.total);
      return rows;
    }
  }
}

async function fileOf(asking: Asking): Promise<string[]> {
  const pieces = readFile(db, asking, now, pieceSize);
  if (typeof pieces === "string") throw new Error(`${JSON.stringify(asking)} is refused: ${pieces}`);
  let text = "";
  for await (const piece of pieces) text += piece;
  return text.trimEnd().split("\r\n");
}

const names = Object.keys(officeTables) as OfficeTableName[];
const values: Record<string, string[]> = {
  flag: ["0", "1"],
  id: ["1", "2", "3"],
  text: ["operator", "user 1", "users credit", "user 17", "trx"],
};

/** Unix seconds. */
const seconds = Math.floor(now.getTime() / 1000);
const moments = fc.oneof(
  fc.integer({ min: seconds - 200 * 86_400, max: seconds + 60 }),
  fc.integer({ min: seconds - 3_600, max: seconds + 60 }),
);

const askings = fc.constantFrom(...names).chain((table): fc.Arbitrary<Asking> => {
  const { columns, search, time }: OfficeTable = officeTables[table];
  const told = Object.entries(columns);
  const sorts = told.filter(([, { sort }]) => sort).flatMap(([name]) => [name, `-${name}`]);
  const filters = told
    .filter(([, { filter }]) => filter)
    .map(([name, { kind, of }]) =>
      fc.option(
        fc.constantFrom(...(of ?? values[kind] ?? [])).map((value) => `${name}:${value}`),
        { freq: 2 },
      ),
    );
  return fc.record({
    table: fc.constant(table),
    sort: fc.option(fc.constantFrom(...sorts), { nil: undefined }),
    filters: fc.tuple(...filters).map((chosen) => chosen.filter((one) => one !== null).join(",")),
    search: search
      ? fc.option(fc.constantFrom("even", "SITE1", "user 1", "sender", "mail", "2"), {
          nil: undefined,
          freq: 2,
        })
      : fc.constant(undefined),
    since: time === undefined ? fc.constant(undefined) : fc.option(moments, { nil: undefined, freq: 2 }),
    until: time === undefined ? fc.constant(undefined) : fc.option(moments, { nil: undefined, freq: 2 }),
  });
});

const isWanted = (cell: Cell | undefined, value: string) =>
  typeof cell === "boolean" ? cell === (value === "1") : cell === value;

function haveAsked(rows: readonly Row[], { table, filters = "", since, until }: Asking): Row[] {
  const pairs = filters.split(",").filter(Boolean);
  const { time = "" }: OfficeTable = officeTables[table];
  return rows.filter(
    (row) =>
      pairs.every((pair) => isWanted(row[pair.split(":")[0] ?? ""], pair.split(":")[1] ?? "")) &&
      (since === undefined || Number(row[time]) >= since) &&
      (until === undefined || Number(row[time]) < until),
  );
}

test("page by page every row comes exactly once, whatever is asked, and the file has the same rows in the same order", async () => {
  const everything = new Map<OfficeTableName, Row[]>();
  for (const table of names) everything.set(table, await pagesOf({ table }));
  await fc.assert(
    fc.asyncProperty(askings, async (asking) => {
      const { columns, key }: OfficeTable = officeTables[asking.table];
      const rows = await pagesOf(asking);
      const keys = rows.map((row) => String(row[key]));
      expect(new Set(keys).size).toBe(keys.length);
      if (asking.search === undefined) {
        const wanted = haveAsked(everything.get(asking.table) ?? [], asking);
        expect(keys.toSorted()).toEqual(wanted.map((row) => String(row[key])).toSorted());
      }
      const [head = "", ...lines] = await fileOf(asking);
      const [first = ""] = Object.keys(columns).filter((name) => !columns[name]?.hidden);
      expect(head.split(",")[0]).toBe(first);
      expect(lines.map((line) => line.split(",")[0])).toEqual(rows.map((row) => String(row[first])));
    }),
    { numRuns: 15 },
  );
});

test("each table says which of its times a period is about, and gives the rows of that time in page and file", async () => {
  const timed = names.filter((table) => (officeTables[table] as OfficeTable).time !== undefined);
  for (const table of timed) {
    const { columns, time = "" }: OfficeTable = officeTables[table];
    expect([table, columns[time]?.kind]).toEqual([table, "time"]);
    const rows = await pagesOf({ table });
    const times = rows.map((row) => Number(row[time])).toSorted((one, other) => one - other);
    const [since = 0, until = 0] = [times[Math.floor(times.length / 3)], times[Math.floor(times.length / 2)]];
    const asking = { table, since, until: until + 1 };
    const within = haveAsked(rows, asking);
    expect([table, await pagesOf(asking)]).toEqual([table, within]);
    expect([table, (await fileOf(asking)).length]).toEqual([table, within.length + 1]);
  }
  expect(await readPage(db, { table: "jobs", since: 0 }, 1, now)).toBe("filters");
});

test("where the orders of a time begin is found by their ids, near enough to read few others", async () => {
  await db
    .begin(async (tx) => {
      await tx`
      insert into orders (user_id, mailbox_id, price, created_at, expires_at, reorder_of, site_id, domain_id, number, status)
      select o.user_id, o.mailbox_id, 1, now() + n * interval '1 second', now(), 1, o.site_id, o.domain_id, 100000 + n, 'canceled'
      from generate_series(1, 40000) n, (select * from orders limit 1) o order by n`;
      for (const after of [1, 17_000, 40_000, 40_001]) {
        const [row] = await tx<{ before: bigint; missed: number }[]>`
        select (select coalesce(min(id), max.id + 1) from orders where created_at >= now() + ${after} * interval '1 second') - f.id as before,
               (select count(*)::integer from orders where created_at >= now() + ${after} * interval '1 second' and id < f.id) as missed
        from orders_from(now() + ${after} * interval '1 second') f (id), (select max(id) as id from orders) max`;
        expect([after, row]).toEqual([after, { before: 10_000n, missed: 0 }]);
      }
      throw new Error("undone");
    })
    .catch((fault: unknown) => expect(fault).toMatchObject({ message: "undone" }));
});

test("rows are in the order of the column, the largest first with a minus sign, and alike ones by their key", async () => {
  const rows = await pagesOf({ table: "payments", sort: "-dollars" });
  const places = rows.map((row) => [Number(row["dollars"]), Number(row["id"])] as const);
  expect(places).toEqual(places.toSorted(([a, i], [b, j]) => b - a || j - i));
  expect(await pagesOf({ table: "payments", sort: "dollars" })).toEqual(rows.toReversed());
});

const found: [Asking, number][] = [
  [{ table: "users", search: "even" }, 75],
  [{ table: "users", search: "EVEN10@" }, 1],
  [{ table: "users", search: "1007" }, 1],
  [{ table: "users", search: "en10@" }, 0],
  [{ table: "users", search: "#1007" }, 1],
  [{ table: "users", search: "№ 1007" }, 1],
  [{ table: "users", search: "buyers.te" }, 150],
  [{ table: "users", search: "@buyers.test" }, 150],
  [{ table: "users", search: "uyers" }, 0],
  [{ table: "orders", search: "odd1@" }, 200],
  [{ table: "orders", search: "site2.ex" }, 0],
  [{ table: "orders", search: "wanted7" }, 1],
  [{ table: "orders", search: "wanted" }, 3],
  [{ table: "orders", search: "wanted7@mail1" }, 1],
  [{ table: "orders", search: "wanted@mail1" }, 0],
  [{ table: "orders", search: "wa" }, 0],
  [{ table: "payments", search: "odd1@buyers" }, 21],
  [{ table: "users", search: "even%" }, 0],
  [{ table: "payments", search: "address12" }, 1],
  [{ table: "payments", search: "address" }, 0],
  [{ table: "sites", search: "site10" }, 11],
  [{ table: "turned_away", search: "sender1.e" }, 3],
  [{ table: "journal", search: "users block" }, 3],
  [{ table: "journal", search: "user 10" }, 11],
  [{ table: "batches", search: "odd1@" }, 12],
];

beforeAll(async () => {
  await db`
    insert into mailbox (id, lot_id, domain_id, local_part)
    select 1000000000 + n, 1, d.id, 'wanted' || n from unnest(array[7, 8, 9]) n, mail_domain d where d.name = 'mail1.test'`;
  await db`update orders set mailbox_id = 1000000000 + number where user_id = (select min(id) from users) and number in (7, 8, 9)`;
});

test.each(found)("%j finds %i rows", async (asking, count) => {
  expect(await pagesOf(asking)).toHaveLength(count);
});

test("the newest orders are found by the beginning of their site", async () => {
  const [site] = await db<{ name: string }[]>`select name from site where id = 1`;
  const found = await pagesOf({ table: "orders", search: site?.name.slice(0, -2) });
  expect(found).toHaveLength(400);
  expect(new Set(found.map((row) => row["site"]))).toEqual(new Set([site?.name]));
});

test("the money of a user is each transfer that it touches, what leaves with a minus, and other users' is not", async () => {
  const { rows } = (await readPage(db, { table: "money", filters: "user:1003" }, 1, now)) as { rows: Row[] };
  const [{ sum, count }] = (await db`
    select sum(case when a.id = t.credit then t.amount else -t.amount end)::bigint as sum, count(*)::integer as count
    from transfer t join account a on a.id in (t.debit, t.credit) where a.user_id = 1003`) as unknown as [
    { sum: bigint; count: number },
  ];
  expect(count).toBeGreaterThan(1);
  expect(rows.map(({ user }) => user)).toEqual(Array.from({ length: count }, () => "1003"));
  const total = rows.reduce((all, { moved }) => all + Math.round(Number(moved) * 1e8), 0);
  expect(BigInt(total)).toBe(sum);
});

test("the success of a site at a mail domain is the part of its orders that got a letter", async () => {
  await db`delete from outcome`;
  const add = (ended: number, count: number, days: number) => db`
    insert into outcome (site_id, since, domain_id, class, shard, count)
    values ((select min(id) from site), now() - make_interval(days => ${days}), (select min(id) from mail_domain), ${ended}, 0, ${count})`;
  await add(-1, 1, 0);
  await add(4, 2, 1);
  await add(9, 1, 2);
  await add(-1, 50, 8);
  const { rows } = (await readPage(db, { table: "outcomes" }, 1, now)) as { rows: Row[] };
  expect(rows).toMatchObject([{ orders: 4, received: 3, unserved: 1, success: 75 }]);
});

test("figures of partners and investors are those of their books", async () => {
  const { rows: partners } = (await readPage(db, { table: "partners", search: "1003" }, 1, now)) as {
    rows: Row[];
  };
  expect(partners).toMatchObject([
    {
      id: "1003",
      referrals: "3.0",
      referrals_due: "3.0",
      soft: "3.0",
      soft_due: "3.0",
      due: "6.0",
      held: "3.0",
    },
  ]);
  const { rows: investors } = (await readPage(db, { table: "investors", search: "1003" }, 1, now)) as {
    rows: Row[];
  };
  expect(investors).toMatchObject([
    { id: "1003", share: 30, batches: 12, earned: "3.0", paid: "0.0", due: "3.0" },
  ]);
});

test("a text that a spreadsheet would run is a text in the file", async () => {
  await db`insert into audit_log (by, did, about, reason) values ('user 1', 'users credit', 'formula', '=HYPERLINK("https://a.example")')`;
  const [, line] = await fileOf({ table: "journal", filters: "about:formula" });
  expect(line).toContain(`"'=HYPERLINK(""https://a.example"")"`);
});

// @module-tag slow
import { beforeAll, describe, expect, test } from "vitest";
import { officePageSize, officeTotalMax } from "../../contract/limits.ts";
import { type OfficeTable, type OfficeTableName, officeTables } from "../../contract/office/office.ts";
import { createDatabase } from "../../../test/kit/database.ts";
import { lookedAt } from "../../../test/kit/looked-at.ts";
import { fillOffice } from "../../../test/kit/office.ts";
import type { Db, Tx } from "../platform/db/db.ts";
import { countHours, readFigures } from "./office.hours.ts";
import { readOverview } from "./office.overview.ts";
import { readAsked } from "./office.request.ts";
import { countRows, plan, selectPage, selectPiece } from "./office.page.sql.ts";
import { readable, readPage } from "./office.tables.ts";

// No page reads the whole of a large table: twice as many rows would cost the same.

const size = {
  users: 30_000,
  orders: 130_000,
  payments: 30_000,
  journal: 30_000,
  sites: 30_000,
  shares: 60_000,
};
const { db } = await createDatabase();
beforeAll(() => fillOffice(db, size), 120_000);

const seenOf = (kept: string, work: (tx: Tx) => Promise<unknown>) =>
  lookedAt(db, kept, async (tx) => {
    await plan(tx);
    await work(tx);
  });

const large: [table: OfficeTableName, kept: string][] = [
  ["users", "users"],
  ["orders", "orders"],
  ["payments", "payment"],
  ["journal", "audit_log"],
  ["sites", "site"],
  ["shares", "investor_share"],
  ["complaints", "investor_share"],
];
/** Besides the page: repeated reads, and index pages with a few skipped rows. */
const pageMax = 3_000;

test("of more rows than are counted it is told that there are more; the pages end where the counting does", async () => {
  const pageOf = async (page: number, search?: string) => {
    const read = await readPage(db, { table: "users", search }, page, new Date());
    if (typeof read === "string") throw new Error(`refused: ${read}`);
    const { rows, ...told } = read;
    return { ...told, shown: rows.length };
  };
  const pages = officeTotalMax / officePageSize;
  const told = { total: officeTotalMax, more: true, pages };
  expect(await pageOf(pages)).toEqual({ ...told, shown: officePageSize });
  expect(await pageOf(pages + 1)).toEqual({ ...told, shown: 0 });
  expect(await pageOf(1, "even")).toEqual({ ...told, shown: officePageSize });
  expect(await pageOf(1, "even77@buyers")).toEqual({ total: 0, more: false, pages: 0, shown: 0 });
  expect(await pageOf(1, "even78@buyers")).toEqual({ total: 1, more: false, pages: 1, shown: 1 });
});

describe("the overview reads sums", () => {
  const now = new Date();
  beforeAll(async () => {
    for (const minutes of [1, 2, 3]) await countHours(db, new Date(now.getTime() + minutes * 60_000));
  });
  const kept = ["orders", "users", "letter", "transfer", "outcome"];
  test.each(["day", "month", "year"] as const)(
    "the figures of a %s look at no row that is added up",
    async (period) => {
      for (const table of kept) {
        const looked = await lookedAt(db, table, (tx) => readFigures(tx as unknown as Db, period, now));
        // The planner looks at the ends of an index.
        expect(looked, table).toBeLessThanOrEqual(2);
      }
    },
  );
  test("what waits is counted without the orders that have ended", async () => {
    const looked = await lookedAt(db, "orders", (tx) =>
      readOverview(tx as unknown as Db, async () => ({ down: [], troubles: [] }), now),
    );
    const [row] = await db<{ count: number }[]>`select count(*)::int from orders where status = 'pending'`;
    expect(looked).toBeLessThanOrEqual(2 * (row?.count ?? 0));
  });
});

const values: Record<string, string[]> = {
  flag: ["1"],
  id: ["1", "2"],
  text: ["operator", "users block", "user 17", "trx", "nobody"],
};

test("an address that thousands of orders gave back is found without looking at the others", async () => {
  await db`
    with made as (
      insert into mailbox (id, lot_id, domain_id, local_part)
      select 1000000000, 1, min(id), 'often' from mail_domain returning id)
    update orders set mailbox_id = made.id, status = 'canceled' from made where number between 1 and 1000`;
  await db`vacuum analyze orders`;
  const [{ email } = { email: "" }] = await db<{ email: string }[]>`
    select m.local_part || '@' || d.name as email from mailbox m join mail_domain d on d.id = m.domain_id`;
  const asked = readAsked({ table: "orders", search: email }, new Date());
  if (typeof asked === "string") throw new Error(`refused: ${asked}`);
  const table = readable("orders");
  const page = await seenOf("orders", async (tx) => {
    expect(await selectPage(tx, table, asked, { size: officePageSize, skip: 0 })).toHaveLength(
      officePageSize,
    );
  });
  expect(page).toBeLessThanOrEqual(pageMax);
  const count = await seenOf("orders", async (tx) => {
    expect(await countRows(tx, table, asked)).toBeGreaterThan(1_900);
  });
  expect(count).toBeLessThanOrEqual(officeTotalMax + pageMax);
});

describe.each(large)("%s", (name, kept) => {
  const { columns, key, sort: usual, search, reach }: OfficeTable = officeTables[name];
  const told = Object.entries(columns);
  const sorts = told.filter(([, { sort }]) => sort).flatMap(([column]) => [column, `-${column}`]);
  const filters = told.flatMap(([column, { filter, kind, of }]) =>
    filter ? (of ?? values[kind] ?? []).map((value) => `${column}:${value}`) : [],
  );
  const asks = [
    ...sorts.map((sort) => ({ sort })),
    ...sorts.flatMap((sort) => filters.map((one) => ({ sort, filters: one }))),
    ...filters.flatMap((one, place) =>
      filters
        .slice(place + 1)
        .flatMap((other) =>
          one.split(":")[0] === other.split(":")[0]
            ? []
            : [{ sort: columns[key]?.sort ? key : usual, filters: `${one},${other}` }],
        ),
    ),
    ...(search
      ? sorts.flatMap((sort) => ["7", "even77", "nobody@buyers.test"].map((one) => ({ sort, search: one })))
      : []),
  ];

  test.each(asks)("%j looks at few rows", async (ask) => {
    const asked = readAsked({ table: name, ...ask }, new Date());
    if (typeof asked === "string") throw new Error(`refused: ${asked}`);
    // The contract allows more only for these.
    const most = reach !== undefined && asked.filters.has("state") ? reach : 0;
    const table = readable(name);
    const page = await seenOf(kept, (tx) => selectPage(tx, table, asked, { size: officePageSize, skip: 0 }));
    expect(page).toBeLessThanOrEqual(most + pageMax);
    const count = await seenOf(kept, (tx) => countRows(tx, table, asked));
    // With two filters, rows that match one are skipped.
    expect(count).toBeLessThanOrEqual(
      Math.max(most, asked.filters.size > 1 ? 2 * officeTotalMax : officeTotalMax) + pageMax,
    );
  });

  test("a piece of a file in the middle of it costs what the first costs", async () => {
    const asked = readAsked({ table: name }, new Date());
    if (typeof asked === "string") throw new Error(`refused: ${asked}`);
    const table = readable(name);
    const [row] = await selectPage(db, table, asked, { size: 1, skip: 20_000 });
    const after = { sort: String(row?.[asked.sort]), key: String(row?.[table.key]) };
    const seen = await seenOf(kept, async (tx) => {
      const piece = await selectPiece(tx, table, asked, { size: 1_000, after });
      expect(piece).toHaveLength(1_000);
    });
    expect(seen).toBeLessThanOrEqual(pageMax);
  });
});

// The questions of the office's overview in a shop of BENCH_ROUNDS times 51,000 orders (202: ten million). A folder as second argument keeps it.
import { countHours, readFigures } from "../src/server/office/office.hours.ts";
import { readOverview } from "../src/server/office/office.overview.ts";
import { readPage } from "../src/server/office/office.tables.ts";
import { putWeek } from "../src/server/office/office.week.sql.ts";
import type { Db } from "../src/server/platform/db/db.ts";
import { inSeededShop } from "./scale.kit.ts";
import { ordersPerRound, type Size } from "./scale.seed.ts";

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 2);
const size: Size =
  rounds > 20
    ? { mailboxesPerDomain: 20_000, lotSize: 2500, rounds }
    : { mailboxesPerDomain: 200 * rounds, lotSize: 50, rounds };
const turns = 9;

export async function measure(): Promise<void> {
  console.table(await inSeededShop(size, (db) => measureIn(db), process.argv[3]));
}

async function measureIn(db: Db) {
  const start = performance.now();
  for (const minutes of [1, 2, 3]) await countHours(db, new Date(Date.now() + minutes * 60_000));
  console.log(
    `  the hours of ${rounds * ordersPerRound} orders: ${Math.round(performance.now() - start)} ms`,
  );
  const now = new Date();
  return [
    await timed("figures of 24 hours", () => readFigures(db, "day", now)),
    await timed("figures of 30 days", () => readFigures(db, "month", now)),
    await timed("figures of 12 months", () => readFigures(db, "year", now)),
    await timed("what waits, the week and health", () =>
      readOverview(db, async () => ({ down: [], troubles: [] }), now),
    ),
    await timed("the table of days", () => readPage(db, { table: "days" }, 1, now)),
    await timed("job: what is new by hour", () => countHours(db, new Date(Date.now() + 3_600_000))),
    await timed("job: the week", async () => void (await putWeek(db, now))),
  ];
}

/** The median and the slowest of some turns, in milliseconds. */
async function timed(what: string, work: () => Promise<unknown>) {
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  times.sort((one, other) => one - other);
  const told = (ms = 0) => Number(ms.toFixed(1));
  return { what, median: told(times[turns >> 1]), slowest: told(times.at(-1)) };
}

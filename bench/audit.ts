// The nightly audit of a shop with ten million closed orders and a hundred thousand new ones, beside that of a shop with only these.
// Folders as second and third argument keep the small and the large shop; the large one takes many minutes to fill.
import { startOfDay } from "../src/server/platform/clock.ts";
import type { Db } from "../src/server/platform/db/db.ts";
import { auditWithin, closeBooks, type Scope } from "../src/server/orders/orders.audit.ts";
import { selectClosing } from "../src/server/orders/orders.closing.sql.ts";
import { inSeededShop } from "./scale.kit.ts";
import { newestCount, ordersPerRound, type Size } from "./scale.seed.ts";

const few: Size = { mailboxesPerDomain: 200, lotSize: 50, rounds: 2 };
/** Ten million orders; BENCH_ROUNDS makes it fewer, 51,000 each. */
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 202);
const many: Size = { mailboxesPerDomain: 20_000, lotSize: 2500, rounds };
const turns = 3;

export async function measure(): Promise<void> {
  const [, , , small, large] = process.argv;
  const rows = [
    ...(await inSeededShop(few, (db) => measureFew(db), small)),
    ...(await inSeededShop(many, (db) => measureMany(db), large)),
  ];
  console.table(rows);
}

const measureFew = async (db: Db) => [await timed(db, "all", "102,000 new orders, all of it")];

async function measureMany(db: Db) {
  if (!(await selectClosing(db))) await closeOld(db);
  return [
    await timed(
      db,
      "open",
      `${(((rounds - 2) * ordersPerRound) / 1e6).toFixed(1)} million closed orders and 102,000 new ones, what is open`,
    ),
    await timed(db, "all", "the same, all of it"),
    await timed(db, "open", "what is open, after an old entry was changed", harm),
  ];
}

/** Closes all but the newest orders, as the close of the night before would have. */
async function closeOld(db: Db): Promise<void> {
  const newest = BigInt(40_000_000_000 + many.rounds * ordersPerRound - newestCount(many.rounds));
  const [order] = await db<{ at: Date }[]>`select created_at as at from orders where id = ${newest + 1n}`;
  const start = performance.now();
  const at = order?.at ?? startOfDay(new Date());
  const broken = (await closeBooks(db, { before: at, at })).filter(({ bad }) => bad.length > 0);
  if (broken.length > 0) throw new Error(`nothing was closed: ${JSON.stringify(broken)}`);
  console.log(`  the first close, with an audit of all: ${seconds(start)} s`);
}

const seconds = (start: number) => Number(((performance.now() - start) / 1000).toPrecision(3));

/** Of a part that is looked at this night. */
const harm = `update transfer set reason = 'forged' where id = (
  select first_id from closed_part where what = 'transfer' order by checked_at, first_id limit 1)`;

class Undone extends Error {}

/** The median of some turns, each undone with its harm. */
async function timed(db: Db, scope: Scope, what: string, harm?: string) {
  const took: number[] = [];
  const parts = new Map<string, number>();
  let found = "";
  for (let turn = 0; turn < turns; turn++)
    await db
      .begin("isolation level repeatable read", async (tx) => {
        if (harm !== undefined) await tx.unsafe(harm);
        const start = performance.now();
        const invariants = await auditWithin(tx, { scope, onPart: (part, s) => parts.set(part, s) });
        took.push(seconds(start));
        found = invariants.flatMap(({ name, bad }) => bad.map((id) => `${name}: ${id}`)).join(", ");
        throw new Undone();
      })
      .catch((fault: unknown) => {
        if (!(fault instanceof Undone)) throw fault;
      });
  console.log(
    `  ${what}: ${took.join(", ")} s; ${[...parts].map(([part, s]) => `${part} ${s.toFixed(1)}`).join(", ")}`,
  );
  return {
    what,
    "median s": took.toSorted((a, b) => a - b)[Math.floor(turns / 2)],
    found: found || "nothing",
  };
}

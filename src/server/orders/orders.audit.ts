import { readFile } from "node:fs/promises";
import { Invariant } from "../../contract/office/audit.ts";
import { all, type Db, type Sql } from "../platform/db/db.ts";
import { inPool } from "../platform/db/pools.ts";

const folder = new URL("../../../db/audit/", import.meta.url);
const parts = ["ledger.sql", "orders.sql", "lists.sql", "stock.sql", "letters.sql"];

// Hash joins in memory, whatever the planner estimates. The last two settings let it use several processors.
const settings = `
  set local work_mem = '256MB';
  set local enable_nestloop = off;
  set local enable_mergejoin = off;
  set local seq_page_cost = 0.1;
  set local parallel_tuple_cost = 0.001`;

/** Checks all invariants of ledger, stock and orders in one snapshot, while the shop runs. "too long": not done within so many seconds. */
export async function audit(db: Db): Promise<Invariant[]>;
export async function audit(db: Db, bound: { seconds: number }): Promise<Invariant[] | "too long">;
export async function audit(
  db: Db,
  { seconds }: { seconds?: number } = {},
): Promise<Invariant[] | "too long"> {
  const until = seconds === undefined ? undefined : performance.now() + seconds * 1000;
  try {
    const found = await inPool("reports", () =>
      db.begin("isolation level repeatable read read only", (tx) => auditWithin(tx, { until })),
    );
    return found as Invariant[];
  } catch (fault) {
    if (until !== undefined && isCanceled(fault)) return "too long";
    throw fault;
  }
}

const isCanceled = (fault: unknown) => fault instanceof Error && "code" in fault && fault.code === "57014";

interface Within {
  readonly told?: (part: string, seconds: number) => void;
  /** When it is given up, by the clock of this process (`performance.now`). */
  readonly until?: number | undefined;
}

/** The same within a transaction, which sees its own changes. */
export async function auditWithin(tx: Sql, { told, until }: Within = {}): Promise<Invariant[]> {
  await tx.unsafe(settings);
  const found: Invariant[] = [];
  for (const part of parts) {
    const start = performance.now();
    if (until !== undefined)
      await tx.unsafe(`set local statement_timeout = ${Math.max(1, Math.ceil(until - start))}`);
    const question = await readFile(new URL(part, folder), "utf8");
    found.push(...(await all(Invariant, tx.unsafe(question))));
    told?.(part, (performance.now() - start) / 1000);
  }
  return found;
}

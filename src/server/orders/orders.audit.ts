import { readFile } from "node:fs/promises";
import { Invariant } from "../../contract/office/audit.ts";
import { all, type Db, type Sql, type Tx } from "../platform/db/db.ts";
import { inPool } from "../platform/db/pools.ts";
import { allRows, close, openRows, selectClosing } from "./orders.closing.sql.ts";

const folder = new URL("../../../db/audit/", import.meta.url);
const parts = ["ledger.sql", "orders.sql", "lists.sql", "stock.sql", "letters.sql", "closed.sql"];

// Hash joins in memory, whatever the planner estimates. The last two settings let it use several processors.
const settings = `
  set local work_mem = '256MB';
  set local enable_nestloop = off;
  set local enable_mergejoin = off;
  set local seq_page_cost = 0.1;
  set local parallel_tuple_cost = 0.001`;

// What is open is looked up in tables that are much longer, which a merge would read whole.
const openSettings = `
  set local work_mem = '256MB';
  set local enable_mergejoin = off`;

// Each part is a range of ids.
const rangeSettings = `
  set local enable_seqscan = off;
  set local enable_bitmapscan = off`;

/**
 * "all": every row. "open": rows that no nightly close has summed up, and some of the sums. Sums over the whole stock are only in
 * "all"; as long as nothing is closed both are the same.
 */
export type Scope = "all" | "open";

interface Asked {
  readonly seconds?: number | undefined;
  readonly scope?: Scope | undefined;
}

/** Checks the invariants of ledger, stock and orders in one snapshot, while the shop runs. "too long": not done within so many seconds. */
export async function audit(db: Db, asked?: { scope?: Scope | undefined }): Promise<Invariant[]>;
export async function audit(db: Db, bound: Asked & { seconds: number }): Promise<Invariant[] | "too long">;
export async function audit(db: Db, { seconds, scope }: Asked = {}): Promise<Invariant[] | "too long"> {
  const until = seconds === undefined ? undefined : performance.now() + seconds * 1000;
  try {
    const found = await inPool("reports", () =>
      db.begin("isolation level repeatable read read only", (tx) => auditWithin(tx, { until, scope })),
    );
    return found as Invariant[];
  } catch (fault) {
    if (until !== undefined && isCanceled(fault)) return "too long";
    throw fault;
  }
}

const isCanceled = (fault: unknown) => fault instanceof Error && "code" in fault && fault.code === "57014";

interface Within {
  readonly scope?: Scope | undefined;
  readonly onPart?: (part: string, seconds: number) => void;
  /** When it is given up, by the clock of this process (`performance.now`). */
  readonly until?: number | undefined;
}

/** The same within a transaction, which sees its own changes. */
export async function auditWithin(
  tx: Sql,
  { scope = "all", onPart, until }: Within = {},
): Promise<Invariant[]> {
  const closing = scope === "open" ? await selectClosing(tx) : undefined;
  const rows = closing ? openRows(closing) : Object.fromEntries(parts.map((part) => [part, allRows]));
  await tx.unsafe(closing ? openSettings : settings);
  const found: Invariant[] = [];
  for (const [part, meant] of Object.entries(rows)) {
    const start = performance.now();
    if (until !== undefined)
      await tx.unsafe(`set local statement_timeout = ${Math.max(1, Math.ceil(until - start))}`);
    if (part === "closed.sql") await tx.unsafe(rangeSettings);
    const question = await readFile(new URL(part, folder), "utf8");
    found.push(...(await all(Invariant, tx.unsafe(question.replace(/^with$/m, `with ${meant},`)))));
    onPart?.(part, (performance.now() - start) / 1000);
  }
  return found;
}

/**
 * Checks what is open and, when all of it holds, closes what came before a time, in one snapshot: it is not read again by audits
 * of what is open. `before` lies so far back that no transaction of then still runs.
 */
export async function closeBooks(db: Db, times: { before: Date; at: Date }): Promise<Invariant[]> {
  return inPool("reports", async () => {
    const found = await db.begin("isolation level repeatable read", async (tx) => {
      const invariants = await auditWithin(tx, { scope: "open" });
      // A part that is no longer what it was is looked at again each time.
      if (invariants.every(({ bad }) => bad.length === 0)) await close(tx as Tx, times);
      return invariants;
    });
    return found as Invariant[];
  });
}

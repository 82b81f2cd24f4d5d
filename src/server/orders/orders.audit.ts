import { readFile } from "node:fs/promises";
import { z } from "zod/mini";
import { all, type Sql } from "../kit/db.ts";

/** One thing that must hold. `bad` names what breaks it, the first 20; empty when it holds. */
const Invariant = z.object({ name: z.string(), says: z.string(), bad: z.array(z.string()) });
export type Invariant = z.infer<typeof Invariant>;

/** Asks the database everything that must hold of ledger, stock and orders (db/audit.sql), at one moment, while the shop runs. */
export async function audit(sql: Sql): Promise<Invariant[]> {
  const question = await readFile(new URL("../../../db/audit.sql", import.meta.url), "utf8");
  return all(Invariant, sql.unsafe(question));
}

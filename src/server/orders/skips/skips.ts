import type { Sql } from "../../platform/db/db.ts";
import { selectSkipped } from "./skips.sql.ts";

interface OrderFor {
  readonly userId: bigint;
  readonly siteId: number;
  readonly at: Date;
  readonly idempotencyKey?: string | undefined;
}

/** Which of the named mail domains an order may take, and the names of those that it passes over. One that is named alone is meant. */
export async function passOver(
  sql: Sql,
  { idempotencyKey, ...order }: OrderFor,
  named: readonly { readonly id: number; readonly name: string }[],
): Promise<{ domainIds: number[]; skipped: string[] }> {
  const skipped = named.length > 1 ? await selectSkipped(sql, order, idempotencyKey) : new Set<number>();
  return {
    domainIds: named.flatMap(({ id }) => (skipped.has(id) ? [] : id)),
    skipped: named.flatMap(({ id, name }) => (skipped.has(id) ? name : [])),
  };
}

import { z } from "zod/mini";
import { all, maybe, one, type Sql } from "../../platform/db/db.ts";

const Row = z.object({
  id: z.bigint(),
  address: z.string(),
  currency: z.string(),
  amount: z.pipe(
    z.string(),
    z.transform((text: string) => BigInt(text)),
  ),
  paidAt: z.date(),
});
export type Row = z.infer<typeof Row>;

export const selectTransfers = (sql: Sql, after: bigint) =>
  all(
    Row,
    sql`select id, address, currency, amount::text, paid_at as "paidAt"
        from sandbox_transfer where id > ${after} order by id`,
  );

export const selectTransfer = (sql: Sql, id: bigint) =>
  maybe(
    Row,
    sql`select id, address, currency, amount::text, paid_at as "paidAt" from sandbox_transfer where id = ${id}`,
  );

export const selectPaid = (sql: Sql, currency: string, address: string) =>
  one(
    z.object({
      paid: z.pipe(
        z.string(),
        z.transform((text: string) => BigInt(text)),
      ),
    }),
    sql`select coalesce(sum(amount), 0)::text as paid from sandbox_transfer
        where address = ${address} and currency = ${currency}`,
  );

/** Writers wait for one another, so that ids become visible in order and a reader's cursor skips none. */
export const lockChain = (sql: Sql) => sql`lock table sandbox_transfer in share row exclusive mode`;

export const insertTransfer = (
  sql: Sql,
  paid: { address: string; currency: string; amount: bigint; at: Date; by: string },
) =>
  sql`insert into sandbox_transfer (address, currency, amount, paid_at, paid_by)
      values (${paid.address}, ${paid.currency}, ${String(paid.amount)}::text::numeric, ${paid.at}, ${paid.by})`;

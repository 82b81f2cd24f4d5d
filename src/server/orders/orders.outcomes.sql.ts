import { z } from "zod/mini";
import { all, type Sql } from "../platform/db/db.ts";

const OutcomeRow = z.object({
  domainId: z.int(),
  dayOrders: z.bigint(),
  dayReceived: z.bigint(),
  daySeconds: z.nullable(z.number()),
  weekOrders: z.bigint(),
  weekReceived: z.bigint(),
  weekSeconds: z.nullable(z.number()),
});
export type OutcomeRow = z.infer<typeof OutcomeRow>;

export const selectOutcomes = (sql: Sql, siteId: number, at: Date) =>
  all(
    OutcomeRow,
    sql`select domain_id as "domainId", day_orders as "dayOrders", day_received as "dayReceived", day_seconds as "daySeconds",
               week_orders as "weekOrders", week_received as "weekReceived", week_seconds as "weekSeconds"
        from outcomes(${siteId}, ${at})`,
  );

export const callFoldOutcomes = (sql: Sql, at: Date) => sql`select fold_outcomes(${at})`;

import { z } from "zod/mini";
import { one, type Sql } from "../../platform/db/db.ts";

/** Whether a payment of the shop was ever given this address, in any spelling. */
export const selectIsOwn = (sql: Sql, { address, canonical }: { address: string; canonical: string }) =>
  one(
    z.object({ isOwn: z.boolean() }),
    sql`select exists (select from payment where address = ${address})
            or exists (select from address_counter c join payment p on p.family = c.family and p.canonical = ${canonical}) as "isOwn"`,
  );

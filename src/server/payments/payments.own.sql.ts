import { z } from "zod/mini";
import { all, one, type Sql } from "../platform/db/db.ts";
import { paymentColumns, PaymentRow } from "./payments.sql.ts";

export const selectOwnPayments = (sql: Sql, userId: bigint, page: { offset: number; size: number }) =>
  all(
    PaymentRow,
    sql`select ${paymentColumns(sql)} from payment where user_id = ${userId}
        order by id desc offset ${page.offset} limit ${page.size}`,
  );

export const countPayments = (sql: Sql, userId: bigint) =>
  one(
    z.object({ count: z.int() }),
    sql`select count(*)::integer as count from payment where user_id = ${userId}`,
  );

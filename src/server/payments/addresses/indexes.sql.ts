import { z } from "zod/mini";
import { maybe, one, type Sql } from "../../platform/db/db.ts";

const Next = z.object({ next: z.bigint() });

export const takeIndex = (sql: Sql, family: string) =>
  one(
    z.object({ index: z.bigint() }),
    sql`insert into address_counter as c (family, next_index) values (${family}, 1)
        on conflict (family) do update set next_index = c.next_index + 1
        returning next_index - 1 as index`,
  );

export const selectNext = (sql: Sql, family: string) =>
  maybe(Next, sql`select next_index as next from address_counter where family = ${family}`);

export const raiseNext = (sql: Sql, family: string, next: bigint) =>
  one(
    Next,
    sql`insert into address_counter as c (family, next_index) values (${family}, ${next})
        on conflict (family) do update set next_index = greatest(c.next_index, excluded.next_index)
        returning next_index as next`,
  );

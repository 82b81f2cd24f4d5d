import { z } from "zod/mini";
import type { OrderState } from "../../../contract/order-states.ts";
import { all, one, type Sql } from "../../platform/db/db.ts";
import { orderColumns, orderLetters, orderNames, OrderRow } from "../orders.sql.ts";

export interface Find {
  readonly words: readonly string[];
  readonly mail: string | undefined;
  readonly onlySites: ReadonlySet<number> | undefined;
  readonly state: OrderState | undefined;
  readonly siteId: number | undefined;
  readonly domainId: number | undefined;
  readonly since: Date | undefined;
  readonly until: Date | undefined;
}

interface PageOf {
  readonly userId: bigint;
  readonly isListed: boolean;
  readonly page: number;
  readonly size: number;
}

/** Which of these orders are the user's. */
export const selectOwn = async (sql: Sql, userId: bigint, ids: bigint[]): Promise<bigint[]> =>
  (
    await sql<
      { id: bigint }[]
    >`select id from orders where id = any (${ids}::bigint[]) and user_id = ${userId}`
  ).map(({ id }) => id);

export const selectListed = (
  sql: Sql,
  { userId, isListed, page, size, letters }: PageOf & { letters: number },
) =>
  all(
    OrderRow,
    sql`select ${orderColumns(sql)}, l.*
        from ${isListed ? sql`activations_page` : sql`history_page`}(${userId}, ${page}, ${size}) o
        ${orderNames(sql)} ${orderLetters(sql, letters)}
        order by o.number desc, l."arrivedAt" desc, l."letterId" desc`,
  );

export const selectFound = (sql: Sql, { userId, isListed, page, size }: PageOf, find: Find) =>
  one(
    z.object({ numbers: z.array(z.int()), total: z.int(), isCut: z.boolean() }),
    sql`select numbers, total, is_cut as "isCut" from find_orders(
          ${userId}, ${isListed}, ${[...find.words]}::text[], ${find.mail ?? null},
          ${find.onlySites ? [...find.onlySites] : null}::integer[],
          ${find.state ?? null}::text::order_status, ${find.siteId ?? null}, ${find.domainId ?? null}, ${find.since ?? null},
          ${page}, ${size}, ${find.until ?? null})`,
  );

export const selectNumbered = (sql: Sql, userId: bigint, numbers: number[], letters: number) =>
  all(
    OrderRow,
    sql`select ${orderColumns(sql)}, l.*
        from numbered_orders(${userId}, ${numbers}::integer[]) o ${orderNames(sql)} ${orderLetters(sql, letters)}
        order by o.number desc, l."arrivedAt" desc, l."letterId" desc`,
  );

interface Filters {
  readonly state?: OrderState | undefined;
  readonly siteId?: number | undefined;
  readonly domainId?: number | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

export const selectRange = (
  sql: Sql,
  userId: bigint,
  { first, last }: { first: number; last: number },
  { state, siteId, domainId, since, until }: Filters,
) =>
  all(
    OrderRow,
    sql`select ${orderColumns(sql)}, l.*
        from orders o ${orderNames(sql)} ${orderLetters(sql, 1)}
        where o.user_id = ${userId} and o.number between ${first} and ${last}
          and (${state ?? null}::text is null or o.status = ${state ?? null}::text::order_status)
          and (${siteId ?? null}::integer is null or o.site_id = ${siteId ?? null})
          and (${domainId ?? null}::integer is null or o.domain_id = ${domainId ?? null})
          and (${since ?? null}::timestamptz is null or o.created_at >= ${since ?? null})
          and (${until ?? null}::timestamptz is null or o.created_at < ${until ?? null})
        order by o.number desc`,
  );

export const callFillTerms = (sql: Sql, size: number) =>
  one(z.object({ filled: z.int() }), sql`select fill_terms(${size}) as filled`);

export const callNoteTerms = (sql: Sql, letterId: bigint) =>
  sql`select note_terms(array[${letterId}]::bigint[])`;

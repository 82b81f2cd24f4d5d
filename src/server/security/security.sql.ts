import { z } from "zod/mini";
import { all, type Sql } from "../platform/db/db.ts";
import type { Place } from "../platform/http/place.ts";

export interface Happened extends Place {
  readonly at: Date;
  /** The name of the call in the contract. */
  readonly call: string;
  /** The value of its refusal; undefined if it was done. */
  readonly refused?: string | undefined;
  /** Whose account it is about; undefined where there is none. */
  readonly userId?: bigint | undefined;
  /** Who did it, where it was another account. */
  readonly byId?: bigint | undefined;
}

const Row = z.object({
  id: z.bigint(),
  at: z.date(),
  call: z.string(),
  refused: z.nullable(z.string()),
  network: z.nullable(z.string()),
  program: z.nullable(z.string()),
});
/** Where a page ended. */
export type Mark = Pick<z.infer<typeof Row>, "at" | "id">;
export type EventRow = z.infer<typeof Row>;

export const insertEvent = (sql: Sql, { at, call, refused, userId, byId, network, program }: Happened) =>
  sql`insert into security_event (at, call, refused, user_id, by_id, network, program)
      values (${at}, ${call}, ${refused ?? null}, ${userId ?? null}, ${byId ?? null}, ${network ?? null}, ${program ?? null})`;

/** The newest first. */
export const selectEvents = (sql: Sql, userId: bigint, before: Mark | undefined, size: number) =>
  all(
    Row,
    sql`select id, at, call, refused, network, program from security_event
        where user_id = ${userId}
          and (at, id) < (${before?.at ?? "infinity"}::timestamptz, ${before?.id ?? 0n}::bigint)
        order by at desc, id desc limit ${size}`,
  );

export const deleteEvents = async (sql: Sql, before: Date): Promise<number> =>
  (await sql`delete from security_event where at < ${before}`).count;

export const deleteEventsOf = (tx: Sql, userId: bigint) =>
  tx`delete from security_event where user_id = ${userId}`;

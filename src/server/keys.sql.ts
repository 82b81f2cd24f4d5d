import { z } from "zod/mini";
import { all, maybe, one, type Sql } from "./platform/db/db.ts";

/** A column of sealed texts, of a table with an id. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The column is JSON, and this field of it is sealed, in base64. */
  readonly field?: string;
  /** The hash of the same text. */
  readonly hash?: { readonly column: string; readonly purpose: string };
}

const Count = z.pipe(z.bigint(), z.transform(Number));
const Pass = z.object({
  lastId: z.bigint(),
  total: Count,
  seen: Count,
  renewed: Count,
  lost: Count,
  endedAt: z.nullable(z.date()),
});
export type Pass = z.infer<typeof Pass>;

const nameOf = ({ table, column }: SealedColumn) => `${table}.${column}`;

const passColumns = (sql: Sql) => sql`last_id as "lastId", total, seen, renewed, lost, ended_at as "endedAt"`;

export const selectPasses = (sql: Sql) => all(Pass, sql`select ${passColumns(sql)} from key_pass`);

export const selectPass = (sql: Sql, column: SealedColumn) =>
  maybe(Pass, sql`select ${passColumns(sql)} from key_pass where name = ${nameOf(column)}`);

/** The bytes of a column, or of a field of it. */
const sealedIn = (sql: Sql, { column, field }: SealedColumn) =>
  field === undefined ? sql(column) : sql`decode(${sql(column)} ->> ${field}, 'base64')`;

/** Begins a pass over each column. */
export async function beginPasses(sql: Sql, columns: readonly SealedColumn[]): Promise<void> {
  for (const one of columns)
    await sql`insert into key_pass as old (name, total)
              select ${nameOf(one)}, count(*) from ${sql(one.table)} where ${sealedIn(sql, one)} <> ''
              on conflict (name) do update
              set total = excluded.total, last_id = 0, seen = 0, renewed = 0, lost = 0, ended_at = null`;
}

/** The next sealed texts of a column, by id. */
export const selectSealed = (sql: Sql, column: SealedColumn, after: bigint, size: number) =>
  all(
    z.object({ id: z.bigint(), sealed: z.instanceof(Uint8Array) }),
    sql`select id::bigint as id, ${sealedIn(sql, column)} as sealed from ${sql(column.table)}
        where id > ${after} and ${sealedIn(sql, column)} <> '' order by id limit ${size}`,
  );

interface Replaced {
  readonly id: bigint;
  readonly sealed: Uint8Array;
  readonly anew: Buffer;
  readonly hash: Buffer | undefined;
}

const hex = (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString("hex")}`;

/** Replaces texts that are still what they were. What somebody else holds is left to the next pass. */
export function replaceSealed(sql: Sql, one: SealedColumn, texts: readonly Replaced[]) {
  const { table, column, field, hash } = one;
  const anew =
    field === undefined
      ? sql`t.anew::bytea`
      : sql`jsonb_set(old.${sql(column)}, array[${field}], to_jsonb(encode(t.anew::bytea, 'base64')))`;
  return sql`
    with held as (
      select id from ${sql(table)} where id = any(${texts.map(({ id }) => id)}::bigint[]) order by id for update skip locked
    )
    update ${sql(table)} as old
    set ${sql(column)} = ${anew} ${hash ? sql`, ${sql(hash.column)} = t.hash::bytea` : sql``}
    from unnest(
      ${texts.map(({ id }) => id)}::bigint[], ${texts.map(({ sealed }) => hex(sealed))}::text[],
      ${texts.map((text) => hex(text.anew))}::text[], ${texts.map((text) => (text.hash ? hex(text.hash) : null))}::text[]
    ) as t (id, sealed, anew, hash)
    where old.id = t.id and old.id in (select id from held)
      and ${field === undefined ? sql`old.${sql(column)}` : sql`decode(old.${sql(column)} ->> ${field}, 'base64')`} = t.sealed::bytea`;
}

export const notePass = (sql: Sql, column: SealedColumn, step: Omit<Pass, "total">) =>
  sql`update key_pass
      set last_id = ${step.lastId}, seen = seen + ${step.seen}, renewed = renewed + ${step.renewed},
          lost = lost + ${step.lost}, ended_at = ${step.endedAt}
      where name = ${nameOf(column)}`;

/** Living limited tokens that are hashed by another key. */
export const countTokens = async (sql: Sql, keyId: number): Promise<number> =>
  (
    await one(
      z.object({ count: z.int() }),
      sql`select count(*)::integer as count from user_token
          where key_id is distinct from ${keyId} and revoked_at is null
            and (expires_at is null or expires_at > clock_timestamp())`,
    )
  ).count;

/** The next texts of marks, as the shop has them elsewhere. */
export async function selectKnown(
  sql: Sql,
  kind: "email" | "telegram" | "wallet",
  after: string,
  size: number,
): Promise<string[]> {
  const from = {
    email: sql`select email as text from users`,
    telegram: sql`select telegram_id::text as text from users where telegram_id is not null`,
    wallet: sql`select sender as text from chain_transfer where sender is not null`,
  }[kind];
  const found = await all(
    z.object({ text: z.string() }),
    sql`select distinct text from (${from}) known where text > ${after} order by text limit ${size}`,
  );
  return found.map(({ text }) => text);
}

/** Gives marks other hashes. */
export const replaceMarks = (sql: Sql, kind: string, hashes: readonly { from: Buffer; to: Buffer }[]) =>
  sql`with known as (
        select t.old::bytea as old, t.anew::bytea as anew
        from unnest(${hashes.map(({ from }) => hex(from))}::text[], ${hashes.map(({ to }) => hex(to))}::text[]) as t (old, anew)
      ), gone as (
        delete from user_mark m using known where m.kind = ${kind} and m.hash = known.old
        returning m.user_id, known.anew, m.expires_at, m.home
      )
      insert into user_mark (user_id, kind, hash, expires_at, home)
      select user_id, ${kind}, anew, expires_at, home from gone order by user_id, anew
      on conflict do nothing`;

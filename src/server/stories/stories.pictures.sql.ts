import { z } from "zod/mini";
import { all, maybe, type Sql, type Tx } from "../platform/db/db.ts";

const Size = z.object({ width: z.int(), height: z.int() });
const Bytes = z.object({ bytes: z.instanceof(Uint8Array) });
const Name = z.object({ name: z.string() });

/** Postpones the deletion of a picture; undefined when there is none. */
export const touch = (sql: Sql, name: string, at: Date) =>
  maybe(
    Size,
    sql`update picture set used_at = greatest(used_at, ${at}) where name = ${name} returning width, height`,
  );

interface New {
  readonly name: string;
  readonly whole: Uint8Array;
  readonly thumb: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly at: Date;
}

/** Undefined for the second of two equal uploads at once. */
export const insert = (tx: Tx, { name, whole, thumb, width, height, at }: New) =>
  maybe(
    Name,
    tx`insert into picture (name, whole, thumb, width, height, used_at)
     values (${name}, ${whole}, ${thumb}, ${width}, ${height}, ${at}) on conflict (name) do nothing returning name`,
  );

export const select = (sql: Sql, name: string, size: "whole" | "thumb") =>
  maybe(
    Bytes,
    size === "whole"
      ? sql`select whole as bytes from picture where name = ${name}`
      : sql`select thumb as bytes from picture where name = ${name}`,
  );

/** Skips locked pictures. */
export const forget = (sql: Sql, before: Date) =>
  all(
    Name,
    sql`delete from picture where name in (
          select name from picture p where used_at < ${before}
            and not exists (select from story_picture s where s.picture = p.name)
          for update skip locked)
        returning name`,
  );

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stepsOf } from "./migrate.steps.ts";

const shown = (sql: string) =>
  stepsOf(sql).map(({ table, does, waits, isLong }) => `${table} ${does}: ${waits}${isLong ? ", long" : ""}`);

test.each([
  [
    "alter table orders add column note text, add column seen boolean not null default false",
    ["orders changes the table: everybody"],
  ],
  [
    "alter table only orders\n  add constraint short check (note < 'x') not valid",
    ["orders changes the table: everybody"],
  ],
  ["alter table orders validate constraint short", ["orders reads the rows: nobody, long"]],
  [
    "alter table orders add column a int, add constraint short check (note < 'x')",
    ["orders reads the rows: everybody, long"],
  ],
  ["alter table orders alter column note set not null", ["orders reads the rows: everybody, long"]],
  ["alter table orders alter column id type bigint", ["orders rewrites the rows: everybody, long"]],
  ["create index order_note on orders (note)", ["orders makes an index: writers, long"]],
  [
    "create unique index concurrently if not exists order_note on orders (note)",
    ["orders makes an index: nobody, long"],
  ],
  ["drop index concurrently if exists order_note", ["order_note drops the index: nobody"]],
  ["update orders set note = 'a; update users set x = 1'", ["orders writes rows: writers, long"]],
  [
    "create trigger told after update on orders for each row execute function tell()",
    ["orders adds a trigger: writers"],
  ],
  ["drop table if exists orders", ["orders drops it: everybody"]],
  ["truncate orders", ["orders locks the table: everybody, long"]],
  ["do $$ begin update orders set note = ''; end $$", [" runs a program of its own: everybody, long"]],
])("%s", (sql, steps) => {
  expect(shown(`-- drop table users;\n${sql};`)).toEqual(steps);
});

test("a table of the migration itself stops nobody, but one that it refers to", () => {
  const sql = `create table thing (id bigint references users, of bigint references thing);
    create index thing_id on thing (id); alter table thing add constraint small check (id < 9);
    insert into thing values (1); comment on table thing is 'update; orders';
    create function give() returns int language sql as $body$ update orders set note = ''; select 1 $body$;
    alter type kind add value if not exists 'other';`;
  expect(shown(sql)).toEqual(["users refers to it: writers"]);
});

test("of every migration it is known what it does", () => {
  const folder = new URL("../../../../db/migrations/", import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith(".sql") && name >= "0057");
  const unknown = names.filter((name) =>
    stepsOf(readFileSync(new URL(name, folder), "utf8")).some(({ table }) => table === ""),
  );
  expect(names.length).toBeGreaterThan(40);
  expect(unknown).toEqual([]);
});

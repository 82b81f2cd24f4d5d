// Processes of the version before run while and after a migration is applied (docs/operations.md, upgrades).
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folder = new URL("../../../../db/migrations/", import.meta.url);
/** Migrations up to this one were applied with every process stopped. */
const before = "0057";

/** What a statement would do to processes of the version before, or to everybody while it runs. */
const dangers: readonly [RegExp, string][] = [
  [/\bdrop (table|column|type|view|sequence)\b/, "takes away what the version before uses"],
  [/\brename\b/, "renames what the version before uses"],
  [/\balter column \w+ (set data )?type\b/, "rewrites the table while everybody waits"],
  [/\bset not null\b/, "refuses rows of the version before, and reads the whole table under a lock"],
  [
    /\badd column (?:if not exists )?\w+ [^,;]*\bnot null(?![^,;]*\bdefault\b)/,
    "refuses rows of the version before",
  ],
  [
    /\badd constraint\b(?![^;]*\bnot valid\b)/,
    "reads the whole table under a lock: add it as not valid, and validate it in the next",
  ],
  [/\b(lock table|truncate|vacuum full|cluster|reindex)\b/, "locks a table against everybody"],
];

/** Why a migration cannot be applied under the version before; empty when it can. */
function dangersOf(sql: string): string[] {
  const text = sql
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, " ")
    .toLowerCase();
  const created = new Set(
    [...text.matchAll(/create (?:unlogged )?table (?:if not exists )?(\w+)/g)].map(([, name]) => name),
  );
  const found = text
    .split(";")
    .filter((statement) => !created.has(/alter table (?:only )?(\w+)/.exec(statement)?.[1]))
    .flatMap((statement) => dangers.filter(([pattern]) => pattern.test(statement)).map(([, why]) => why));
  for (const [, concurrently, name = ""] of text.matchAll(
    /create (?:unique )?index (concurrently )?[^;]*? on (?:only )?(\w+)/g,
  ))
    if (concurrently === undefined && !created.has(name))
      found.push("stops everybody who writes: create the index concurrently");
  if (!/^-- safe from \d{4}\b/.test(sql))
    found.push("does not say from which migration on a program may run with it");
  return found;
}

const names = readdirSync(folder).filter((name) => name.endsWith(".sql") && name >= before);

test.each(names)("%s can be applied while the version before runs", (name) => {
  expect(dangersOf(readFileSync(new URL(name, folder), "utf8"))).toEqual([]);
});

test.each([
  ["alter table orders drop column note", /takes away/],
  ["alter table orders rename note to remark", /renames/],
  ["alter table orders alter column note type varchar", /rewrites/],
  ["alter table orders alter note set not null", /refuses rows/],
  ["alter table orders add column note text not null", /refuses rows/],
  ["alter table orders add constraint short check (note < 'x')", /not valid/],
  ["create index order_note on orders (note)", /concurrently/],
  ["truncate orders", /locks/],
])("%s is refused", (statement, why) => {
  expect(dangersOf(`-- safe from 0056\n${statement};`)).toEqual([expect.stringMatching(why)]);
});

test("what adds is taken: columns with a default, new tables with indexes of their own", () => {
  const sql = `-- safe from 0056
    alter table orders add column note text, add column seen boolean not null default false; -- drop table orders
    create table thing (id bigint not null); create index thing_id on thing (id);
    alter table thing add constraint small check (id < 9);
    comment on table thing is 'rename, truncate';`;
  expect(dangersOf(sql)).toEqual([]);
  expect(dangersOf(sql.replace("-- safe from 0056", ""))).toHaveLength(1);
});

test("whoever changes a function raises their version, so that the program before leaves the new ones alone", () => {
  const functions = new URL("../functions/", folder);
  const hash = createHash("sha256");
  for (const name of readdirSync(functions)
    .filter((each) => each.endsWith(".sql"))
    .toSorted())
    hash.update(readFileSync(new URL(name, functions)));
  const [version = "", known] = readFileSync(new URL("version.txt", functions), "utf8").trim().split(" ");
  // When this fails, write the next number and the new sum into db/functions/version.txt.
  expect([Number(version) > 0, known]).toEqual([true, hash.digest("hex")]);
});

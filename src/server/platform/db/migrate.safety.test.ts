// Processes of the version before run while and after a migration is applied (docs/operations.md, upgrades).
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { functionsSum, raiseVersion } from "../../../../scripts/functions.ts";

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
  const root = fileURLToPath(new URL("../../", folder));
  const [version = "", known] = readFileSync(join(root, "db/functions/version.txt"), "utf8")
    .trim()
    .split(" ");
  expect([Number(version) > 0, known], "run `npm run functions`").toEqual([true, functionsSum(root)]);
});

test("npm run functions raises the number once for what differs from the last commit, and takes it back with the change", () => {
  const root = mkdtempSync(join(tmpdir(), "postern-functions-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const git = (...words: string[]) => execFileSync("git", words, { cwd: root });
  const write = (name: string, text: string) => writeFileSync(join(root, "db/functions", name), text);
  const version = () => readFileSync(join(root, "db/functions/version.txt"), "utf8");
  mkdirSync(join(root, "db/functions"), { recursive: true });
  write("one.sql", "select 1");
  write("version.txt", `7 ${functionsSum(root)}\n`);
  const before = version();
  git("init", "--quiet");
  git("add", ".");
  git("-c", "user.name=of a test", "-c", "user.email=test@example.com", "commit", "--quiet", "-m", "first");

  expect(raiseVersion(root)).toBe(7);
  write("one.sql", "select 2");
  expect(raiseVersion(root)).toBe(8);
  write("two.sql", "select 3");
  expect(raiseVersion(root)).toBe(8);
  expect(version()).toBe(`8 ${functionsSum(root)}\n`);
  rmSync(join(root, "db/functions/two.sql"));
  write("one.sql", "select 1");
  expect(raiseVersion(root)).toBe(7);
  expect(version()).toBe(before);
});

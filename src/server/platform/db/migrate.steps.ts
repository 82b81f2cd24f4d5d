// What the statements of a migration do to those who use the shop meanwhile: read from the text, as PostgreSQL locks for each kind of
// statement (its documentation, "Explicit Locking").

/** Who waits for a statement: `writers` of the table, `everybody` who uses it. */
export type Waiting = "nobody" | "writers" | "everybody";

/** A statement on a table that was there before its migration. */
export interface Step {
  readonly table: string;
  readonly does: string;
  readonly waits: Waiting;
  /** For as long as the rows of the table are read or written; otherwise for a moment. */
  readonly isLong: boolean;
}

interface Kind extends Pick<Step, "does" | "waits" | "isLong"> {
  /** Its first group is the table, if the statement names one. */
  readonly pattern: RegExp;
}

const moment = (waits: Waiting, does: string, pattern: RegExp): Kind => ({
  does,
  waits,
  isLong: false,
  pattern,
});
const long = (waits: Waiting, does: string, pattern: RegExp): Kind => ({
  does,
  waits,
  isLong: true,
  pattern,
});

const altered = "^alter table (?:if exists )?(?:only )?(\\w+)\\b";
/** The first one that fits counts: the worst of a table comes first. */
const kinds: readonly Kind[] = [
  long(
    "everybody",
    "rewrites the rows",
    new RegExp(`${altered}.*\\balter column \\w+ (?:set data )?type\\b`),
  ),
  long("everybody", "reads the rows", new RegExp(`${altered}.*\\bset not null\\b`)),
  long(
    "everybody",
    "reads the rows",
    new RegExp(`${altered}.*\\badd (?:constraint|check|unique|primary|foreign)\\b(?!.*\\bnot valid\\b)`),
  ),
  long("nobody", "reads the rows", new RegExp(`${altered}.*\\bvalidate constraint\\b`)),
  moment("everybody", "changes the table", new RegExp(altered)),
  long(
    "everybody",
    "locks the table",
    /^(?:lock(?: table)?|truncate|vacuum full|cluster|reindex(?: table)?) (?:only )?(\w+)/,
  ),
  moment(
    "everybody",
    "drops it",
    /^drop (?:table|index|type|view|sequence) (?!concurrently)(?:if exists )?(\w+)/,
  ),
  moment("nobody", "drops the index", /^drop index concurrently (?:if exists )?(\w+)/),
  long("nobody", "makes an index", /^create (?:unique )?index concurrently .*?\bon (?:only )?(\w+)/),
  long("writers", "makes an index", /^create (?:unique )?index .*?\bon (?:only )?(\w+)/),
  moment("writers", "adds a trigger", /^create (?:or replace )?(?:constraint )?trigger .*?\bon (\w+)/),
  long(
    "writers",
    "writes rows",
    /^(?:update (?:only )?|delete from (?:only )?|insert into |merge into )(\w+)/,
  ),
  moment(
    "nobody",
    "",
    /^(?:create (?:unlogged )?(?:table|type|view|sequence|or replace|function|domain)|comment on|alter type \w+ add value|set |reset |select pg_catalog\.setval|select setval)\b/,
  ),
  long("everybody", "runs a program of its own", /^()/),
];

/** Statements of a migration on tables that it did not make; unknown ones count as the worst. */
export function stepsOf(sql: string): Step[] {
  const statements = sql
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/\$(\w*)\$[^]*?\$\1\$/g, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
    .split(";")
    .map((statement) => statement.replaceAll(/\s+/g, " ").trim())
    .filter((statement) => statement !== "");
  const made = new Set(
    statements.flatMap(
      (each) => /^create (?:unlogged )?table (?:if not exists )?(\w+)/.exec(each)?.[1] ?? [],
    ),
  );
  return statements.flatMap((statement) => [
    ...ofReferences(statement, made),
    ...ofStatement(statement, made),
  ]);
}

function ofStatement(statement: string, made: ReadonlySet<string>): Step[] {
  for (const { pattern, ...step } of kinds) {
    const found = pattern.exec(statement);
    if (found === null) continue;
    const [, table] = found;
    return table === undefined || made.has(table) ? [] : [{ table, ...step }];
  }
  return [];
}

/** A new table that refers to an old one stops its writers for a moment. */
function ofReferences(statement: string, made: ReadonlySet<string>): Step[] {
  if (!statement.startsWith("create table ")) return [];
  const named = new Set([...statement.matchAll(/\breferences (\w+)/g)].map(([, table = ""]) => table));
  return [...named]
    .filter((table) => !made.has(table))
    .map((table) => ({ table, does: "refers to it", waits: "writers" as const, isLong: false }));
}

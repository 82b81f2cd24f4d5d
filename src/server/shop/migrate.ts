import { lockSeconds, migrate, planOf, type Planned } from "../platform/db/migrate.ts";
import { ok, showCount, withoutSchema } from "./answer.ts";
import type { Nouns } from "./nouns.ts";

export function addMigrateCommand({ program, verb }: Nouns): void {
  verb(
    program,
    "migrate",
    "brings the database to this version; processes of the version before may run meanwhile",
    ({ dryRun }: { dryRun?: true }) => (dryRun ? showPlan : migrateDatabase),
  ).option("--dry-run", "only say which migrations would run, and who would wait for them");
}

/** Of the commands on a shop the only one that changes the schema. */
const migrateDatabase = withoutSchema(async ({ db }) => {
  const applied = await migrate(db);
  const text =
    applied.length === 0
      ? "The database had every migration."
      : `The database is migrated: ${applied.map((name) => name.replace(/\.sql$/, "")).join(", ")}.`;
  return ok({ applied }, text);
});

const showPlan = withoutSchema(async ({ db }) => {
  const plan = await planOf(db);
  const { migrations, replacesFunctions } = plan;
  if (migrations.length === 0)
    return ok(
      plan,
      replacesFunctions
        ? "The database has every migration; its functions would be replaced, for which nobody waits."
        : "The database has every migration and function.",
    );
  const unsafe = migrations.filter(({ isSafe }) => !isSafe);
  const lines = [
    ...migrations.flatMap(linesOf),
    unsafe.length > 0
      ? `Stop every process first: those that run now do not know ${unsafe.map(({ name }) => name).join(", ")}.`
      : "Processes that run now may go on meanwhile.",
    `A statement waits at most ${lockSeconds} seconds for its turn; whoever wants the table then waits behind it.`,
  ];
  return ok(plan, lines.join("\n"));
});

function linesOf({ name, says, steps }: Planned): string[] {
  const waited = steps.filter(({ waits }) => waits !== "nobody");
  const longest = new Map(waited.toSorted(byLength).map((step) => [step.table, step]));
  const lines = [...longest.values()].map(
    ({ table, does, waits, isLong, rows }) =>
      `  ${table}: ${does}; ${waits === "writers" ? "who writes it waits" : "everybody waits"} ` +
      (isLong ? `while its rows are gone through (about ${showCount(rows)})` : "for a moment"),
  );
  return [`${name}${says === "" ? "" : `: ${says}`}${lines.length === 0 ? " (nobody waits)" : ""}`, ...lines];
}

/** What waits longest comes last. */
const byLength = (one: Planned["steps"][number], other: Planned["steps"][number]): number =>
  Number(one.isLong) - Number(other.isLong) ||
  Number(one.waits === "everybody") - Number(other.waits === "everybody");

import { migrate } from "../platform/db/migrate.ts";
import { ok, withoutSchema } from "./answer.ts";
import type { Nouns } from "./nouns.ts";

export function addMigrateCommand({ program, verb }: Nouns): void {
  verb(
    program,
    "migrate",
    "brings the database to this version; processes of the version before may run meanwhile",
    () => migrateDatabase,
  );
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

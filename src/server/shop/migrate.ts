import { migrate } from "../platform/db/migrate.ts";
import { type Act, ok } from "./answer.ts";
import type { Nouns } from "./nouns.ts";

export function addMigrateCommand({ program, verb }: Nouns): void {
  verb(
    program,
    "migrate",
    "brings the database to this version; processes of the version before may run meanwhile",
    () => migrateDatabase,
  );
}

/** The only command that changes the schema; it alone runs on a database that is not migrated. */
export const migrateDatabase: Act = async ({ db }) => {
  const applied = await migrate(db);
  const text =
    applied.length === 0
      ? "The database had every migration."
      : `The database is migrated: ${applied.map((name) => name.replace(/\.sql$/, "")).join(", ")}.`;
  return ok({ applied }, text);
};

import { z } from "zod/mini";
import { type Db, one } from "./db.ts";

const versionMin = 15;
const ServerFacts = z.object({ version: z.string(), encoding: z.string() });

/** Throws, with a sentence that names the setting, when no shop can stand on this database. */
export async function checkServer(db: Db): Promise<void> {
  const { version, encoding } = await one(
    ServerFacts,
    db`select current_setting('server_version') as version, current_setting('server_encoding') as encoding`,
  ).catch((cause: unknown) => {
    throw new Error(`DATABASE_URL names a database that cannot be used: ${said(cause)}.`, { cause });
  });
  if (Number.parseInt(version, 10) < versionMin)
    throw new Error(`DATABASE_URL names PostgreSQL ${version}, but ${versionMin} or newer is needed.`);
  // Letters come in every script.
  if (encoding !== "UTF8")
    throw new Error(`DATABASE_URL names a database in ${encoding}, but one in UTF8 is needed.`);
}

/** A name with several addresses fails at each of them, and says nothing of its own. */
function said(fault: unknown): string {
  const first: unknown = fault instanceof AggregateError ? fault.errors[0] : fault;
  return first instanceof Error ? first.message : String(first);
}

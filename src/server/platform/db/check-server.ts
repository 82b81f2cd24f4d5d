import { z } from "zod/mini";
import { connect, type Db, one } from "./db.ts";
import { poolerOf } from "./db.pooler.ts";
import { type Address, connectionsMax, listenerName } from "./pools.ts";

const versionMin = 15;
const ServerFacts = z.object({ version: z.string(), encoding: z.string(), server: z.string() });

/** Looks at the database of the settings. Throws, with a sentence that names the setting, when no shop can stand on it. */
export async function checkServer(url: string, sessionUrl?: string): Promise<Address> {
  const { pooler, server } = await look("DATABASE_URL", url);
  if (sessionUrl === undefined) {
    if (pooler === "transaction")
      throw new Error(
        "DATABASE_URL leads over a pooler that shares connections between transactions (PgBouncer with pool_mode=transaction): " +
          "set DATABASE_SESSION_URL to the database itself.",
      );
    return { url, isPooled: pooler !== "none" };
  }
  const direct = await look("DATABASE_SESSION_URL", sessionUrl);
  if (direct.pooler !== "none")
    throw new Error("DATABASE_SESSION_URL leads over a pooler, but must lead to the database itself.");
  if (direct.server !== server)
    throw new Error("DATABASE_SESSION_URL names another database than DATABASE_URL.");
  return { url, sessionUrl, isPooled: pooler !== "none" };
}

async function look(setting: string, url: string) {
  const db = connect(url, { max: 2, isPooled: true });
  try {
    const server = await checkOne(setting, db);
    return { server, pooler: await poolerOf(db) };
  } finally {
    await db.end({ timeout: 1 });
  }
}

async function checkOne(setting: string, db: Db): Promise<string> {
  const { version, encoding, server } = await one(
    ServerFacts,
    db`select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
              current_database() || ' ' || pg_postmaster_start_time() as server`,
  ).catch((cause: unknown) => {
    throw new Error(`${setting} names a database that cannot be used: ${reasonOf(cause)}.`, { cause });
  });
  if (Number.parseInt(version, 10) < versionMin)
    throw new Error(`${setting} names PostgreSQL ${version}, but ${versionMin} or newer is needed.`);
  // Letters come in every script.
  if (encoding !== "UTF8")
    throw new Error(`${setting} names a database in ${encoding}, but one in UTF8 is needed.`);
  return server;
}

const Connections = z.object({ processes: z.int(), given: z.int() });

/** The processes of the shop, the connections that they may open together, and those that the server gives; undefined: it gives enough. */
export async function lackOfConnections(db: Db, sessionUrl: string | undefined) {
  const { processes, given } = await one(
    Connections,
    db`select (select count(*) from pg_stat_activity
               where datname = current_database() and application_name = ${listenerName})::integer as processes,
              current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
                - coalesce(current_setting('reserved_connections', true)::integer, 0) as given`,
  );
  const need = Math.max(processes, 1) * connectionsMax(sessionUrl);
  return need > given ? { processes, need, given } : undefined;
}

/** A name with several addresses fails at each of them, and says nothing of its own. */
function reasonOf(fault: unknown): string {
  const first: unknown = fault instanceof AggregateError ? fault.errors[0] : fault;
  return first instanceof Error ? first.message : String(first);
}

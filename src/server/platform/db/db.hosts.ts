// Several servers behind one DATABASE_URL: one of them writes, the others follow it.
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";

/** A host and its port, as the URL of a database names them. */
export interface Host {
  readonly host: string;
  readonly port: number;
}

/** How long a server may take to say whether it writes. */
const patienceSeconds = 3;
/** How long the others are waited for when one has said so: there may be two, of which one does not know yet that it was replaced. */
const othersMs = 200;
const usualPort = 5432;

/** The hosts that a URL names, one or several: postgres://user@one:5432,two:5433/name. */
export function hostsOf(url: string): Host[] {
  const [authority = ""] = url.slice(url.indexOf("://") + 3).split(/[/?]/);
  return authority
    .slice(authority.lastIndexOf("@") + 1)
    .split(",")
    .map((each) => {
      const [, host = "", port] = /^(.*?)(?::(\d+))?$/.exec(decodeURIComponent(each)) ?? [];
      return { host, port: port === undefined ? usualPort : Number(port) };
    });
}

/** A server that writes. */
export interface Writer extends Host {
  /** Names all hosts of which it is one. */
  readonly cluster: string;
  /** How often a standby took over before that: the higher number is the newer primary. */
  readonly timeline: number;
}

/** The newest timeline that this process has used of each cluster. */
const newest = new Map<string, number>();

/** Whether this process knows a newer primary. What is read from this one may be old, and what it acknowledges is lost. */
export const isReplaced = ({ cluster, timeline }: Writer): boolean => timeline < (newest.get(cluster) ?? 0);

/**
 * Finds the server that writes, among those of `url`: asks all of them at once whether they are a standby or read-only. Connections
 * that are opened while it asks share the answer. Throws when none writes, or none but those that this process knows to be replaced.
 */
export function openFinder(url: string, hosts: readonly Host[]): () => Promise<Writer> {
  const names = hosts.map(({ host, port }) => `${host}:${port}`);
  const cluster = names.toSorted().join(",");
  let asking: Promise<Writer> | undefined;
  const ask = async () => {
    const found: Writer[] = [];
    const asked = hosts.map(async (each) =>
      found.push({ ...each, cluster, timeline: await timelineOf(url, each) }),
    );
    const none = (what: string, cause?: unknown) =>
      Object.assign(new Error(`none of ${names.join(", ")} is ${what}`, { cause }), {
        code: "CONNECTION_NO_WRITER",
      });
    await Promise.any(asked).catch((cause: unknown) => {
      throw none("a database that takes writes", cause);
    });
    const all = Promise.allSettled(asked);
    await Promise.race([all, sleep(othersMs)]);
    const best = () => found.reduce((one, other) => (other.timeline > one.timeline ? other : one));
    if (isReplaced(best())) await all;
    const writer = best();
    if (isReplaced(writer))
      throw none(`the primary that was used last: timeline ${newest.get(cluster)}, not ${writer.timeline}`);
    newest.set(cluster, writer.timeline);
    return writer;
  };
  return () => (asking ??= ask().finally(() => (asking = undefined)));
}

/** The timeline of a server that writes; throws for one that does not. */
async function timelineOf(url: string, { host, port }: Host): Promise<number> {
  const options = {
    host,
    port,
    max: 1,
    fetch_types: false,
    connect_timeout: patienceSeconds,
    onnotice: () => undefined,
  };
  const sql = postgres(url, options);
  try {
    const late = setTimeout(() => void sql.end({ timeout: 0 }), patienceSeconds * 1000);
    const [row] = await sql<{ timeline: string | null }[]>`
      select case when not pg_is_in_recovery() and not current_setting('transaction_read_only')::boolean
                  then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`.finally(() =>
      clearTimeout(late),
    );
    if (typeof row?.timeline !== "string") throw new Error(`${host}:${port} is read-only`);
    return Number.parseInt(row.timeline, 16);
  } finally {
    void sql.end({ timeout: 1 }).catch(() => undefined);
  }
}

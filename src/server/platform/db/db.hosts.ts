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

/** A server that writes, and how often a standby took over before that: the higher number is the newer primary. */
interface Writer {
  readonly host: Host;
  readonly timeline: number;
}

/**
 * Finds the server that writes, among those of `url`: asks all of them at once whether they are a standby or read-only. Connections
 * that are opened while it asks share the answer. Throws when none writes.
 */
export function openFinder(url: string, hosts: readonly Host[]): () => Promise<Host> {
  let asking: Promise<Host> | undefined;
  const ask = async () => {
    const found: Writer[] = [];
    const asked = hosts.map((each) => writes(url, each).then((writer) => found.push(writer)));
    await Promise.any(asked).catch((cause: unknown) => {
      const names = hosts.map(({ host, port }) => `${host}:${port}`).join(", ");
      throw Object.assign(new Error(`none of ${names} is a database that takes writes`, { cause }), {
        code: "CONNECTION_NO_WRITER",
      });
    });
    await Promise.race([Promise.allSettled(asked), sleep(othersMs)]);
    return found.reduce((one, other) => (other.timeline > one.timeline ? other : one)).host;
  };
  return () => (asking ??= ask().finally(() => (asking = undefined)));
}

async function writes(url: string, { host, port }: Host): Promise<Writer> {
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
    return { host: { host, port }, timeline: Number.parseInt(row.timeline, 16) };
  } finally {
    void sql.end({ timeout: 1 }).catch(() => undefined);
  }
}

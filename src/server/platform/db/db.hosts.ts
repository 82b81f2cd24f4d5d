// Several servers behind one DATABASE_URL: one of them writes, the others follow it.
import postgres from "postgres";

/** A host and its port, as the URL of a database names them. */
export interface Host {
  readonly host: string;
  readonly port: number;
}

/** How long a server may take to say whether it writes. */
const patienceSeconds = 3;
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

/**
 * Finds the server that writes, among those of `url`: asks all of them at once whether they are a standby or read-only. Connections
 * that are opened while it asks share the answer. Throws when none writes.
 */
export function openFinder(url: string, hosts: readonly Host[]): () => Promise<Host> {
  let asking: Promise<Host> | undefined;
  const ask = () =>
    Promise.any(hosts.map((each) => writes(url, each))).catch((cause: unknown) => {
      const names = hosts.map(({ host, port }) => `${host}:${port}`).join(", ");
      throw new Error(`none of ${names} is a database that takes writes`, { cause });
    });
  return () => (asking ??= ask().finally(() => (asking = undefined)));
}

async function writes(url: string, { host, port }: Host): Promise<Host> {
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
    const [row] = await sql<{ isReadOnly: boolean }[]>`
      select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`.finally(
      () => clearTimeout(late),
    );
    if (row?.isReadOnly !== false) throw new Error(`${host}:${port} is read-only`);
    return { host, port };
  } finally {
    void sql.end({ timeout: 1 }).catch(() => undefined);
  }
}

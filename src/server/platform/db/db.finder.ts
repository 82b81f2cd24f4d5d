// Finds the server that writes among several.
import { setTimeout as sleep } from "node:timers/promises";
import { type Host, isReplaced, newest, type Writer } from "./db.hosts.ts";
import { type Dial, openLink } from "./db.link.ts";
import { sqlOf } from "./db.query.ts";

/** How long a server may take to say whether it writes. */
const patienceMs = 3_000;
/** How long the others are waited for when one has said so: there may be two, of which one does not know yet that it was replaced. */
const othersMs = 200;

/**
 * Finds the server that writes, among those of a URL: asks all of them at once whether they are a standby or read-only. Connections
 * that are opened while it asks share the answer. Throws when none writes, or none but those that this process knows to be replaced.
 */
export function openFinder(dial: Dial, hosts: readonly Host[]): () => Promise<Writer> {
  const names = hosts.map(({ host, port }) => `${host}:${port}`);
  const cluster = names.toSorted().join(",");
  let asking: Promise<Writer> | undefined;
  const ask = async () => {
    const found: Writer[] = [];
    const asked = hosts.map(async (each) =>
      found.push({ ...each, cluster, timeline: await timelineOf(dial, each) }),
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
async function timelineOf(dial: Dial, { host, port }: Host): Promise<number> {
  const link = await openLink(
    { ...dial, host, port, find: undefined },
    { signal: AbortSignal.timeout(patienceMs) },
  );
  try {
    const [row] = await sqlOf(link)<{ timeline: string | null }[]>`
      select case when not pg_is_in_recovery() and not current_setting('transaction_read_only')::boolean
                  then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`;
    if (typeof row?.timeline !== "string") throw new Error(`${host}:${port} is read-only`);
    return Number.parseInt(row.timeline, 16);
  } finally {
    void link.end();
  }
}

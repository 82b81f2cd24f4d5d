import * as journal from "../journal/journal.ts";
import { distributeLetters, showCluster, whyNot, type Worker } from "../letters/letters.ts";
import { attempt } from "../platform/db/db.ts";
import { type Act, type Column, ok, operator, refused, showCount, table } from "./answer.ts";
import type { Nouns } from "./nouns.ts";
import { readCount } from "./read.ts";

/** Each letter is in one; a batch of letters takes a connection for each. */
const shardsDefault = 8;

export function addClusterCommands({ noun, verb }: Nouns): void {
  const cluster = noun("cluster", "raw letters and bodies on the workers of a Citus cluster");
  verb(cluster, "check", "says whether they can be distributed, or what is missing", () => check);
  verb(
    cluster,
    "distribute",
    "moves them to the workers; who stores or reads letters waits meanwhile",
    ({ shards }: { shards: number }) => distribute(shards),
  ).option(
    "--shards <count>",
    "into how many parts; more workers than that are of no use",
    readCount(1_024),
    shardsDefault,
  );
  verb(cluster, "show", "shows the workers and what they hold", () => show);
}

const check: Act = async ({ db }) => {
  const cluster = await showCluster(db);
  const reason = whyNot(cluster);
  if (reason !== undefined) return refused(reason);
  const here = cluster.tables.filter(({ isDistributed }) => !isDistributed);
  const bytes = here.reduce((sum, each) => sum + each.bytes, 0n);
  return ok(
    {
      version: cluster.version,
      workers: cluster.workers.length,
      tables: here.map(({ name }) => name),
      bytes,
    },
    here.length === 0
      ? `The letters are on ${cluster.workers.length} workers.`
      : `${showCount(bytes)} bytes of letters can be moved to ${cluster.workers.length} workers: "cluster distribute" does it.`,
  );
};

function distribute(shards: number): Act {
  return async ({ db, progress }) => {
    const reason = whyNot(await showCluster(db));
    if (reason !== undefined) return refused(reason);
    progress("The letters are being moved …");
    const moved = await attempt(db, async (tx) => {
      const tables = await distributeLetters(tx, shards);
      if (tables.length > 0)
        await journal.note(tx, {
          by: operator,
          did: "cluster distribute",
          about: "letters",
          after: { tables, shards },
        });
      return tables;
    });
    return ok(
      { moved },
      moved.length === 0
        ? "The letters had been moved before."
        : `Moved to the workers: ${moved.join(", ")}. Restart the processes one by one: new connections are faster.`,
    );
  };
}

const columns: readonly Column<Worker>[] = [
  { title: "worker", of: ({ host, port }) => `${host}:${port}` },
  { title: "answers", of: ({ preparedMax }) => (preparedMax === null ? "NO" : "yes") },
  { title: "shards", of: ({ shards }) => showCount(shards), right: true },
  { title: "bytes", of: ({ bytes }) => showCount(bytes), right: true },
];

const show: Act = async ({ db }) => {
  const cluster = await showCluster(db);
  const where = table(
    cluster.tables,
    [
      { title: "table", of: ({ name }) => name },
      { title: "where", of: ({ isDistributed }) => (isDistributed ? "workers" : "this database") },
      { title: "bytes here", of: ({ bytes }) => showCount(bytes), right: true },
    ],
    "",
  );
  return ok(cluster, `${table(cluster.workers, columns, "There is no worker.")}\n\n${where}`);
};

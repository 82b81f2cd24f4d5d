// Raw letters and bodies, nine tenths of all bytes, on the workers of a Citus cluster. Everything else stays with the coordinator, to
// which the shop connects.
import { z } from "zod/mini";
import { all, maybe, one, type Sql, type Tx } from "../platform/db/db.ts";

const bulk = ["letter_raw", "letter_body"];

const Worker = z.object({
  host: z.string(),
  port: z.int(),
  shards: z.int(),
  bytes: z.bigint(),
  /** `max_prepared_transactions`; null: it did not answer. */
  preparedMax: z.nullable(z.int()),
});
export type Worker = z.infer<typeof Worker>;

/** `bytes` are those that lie with the coordinator. */
const Table = z.object({ name: z.string(), isDistributed: z.boolean(), bytes: z.bigint() });

export interface Cluster {
  /** Of Citus; null: this database has none. */
  readonly version: string | null;
  readonly workers: readonly Worker[];
  readonly tables: readonly z.infer<typeof Table>[];
}

/** The workers that this database knows, with what they hold of the letters, and the tables that belong there. */
export async function showCluster(sql: Sql): Promise<Cluster> {
  const installed = await maybe(
    z.object({ version: z.string() }),
    sql`select extversion as version from pg_extension where extname = 'citus'`,
  );
  const version = installed?.version ?? null;
  const workers = version === null ? [] : await selectWorkers(sql);
  return { version, workers, tables: await selectTables(sql) };
}

const selectWorkers = (sql: Sql) =>
  all(
    Worker,
    sql`select n.nodename as host, n.nodeport as port, count(s.shardid)::integer as shards,
               coalesce(sum(s.shard_size), 0)::bigint as bytes,
               (select r.result::integer from run_command_on_workers('show max_prepared_transactions') r
                where r.nodename = n.nodename and r.nodeport = n.nodeport and r.success) as "preparedMax"
        from pg_dist_node n
        left join citus_shards s on s.nodename = n.nodename and s.nodeport = n.nodeport
          and s.table_name::text ~ ${`^(${bulk.join("|")})(_|$)`}
        where n.groupid <> 0 and n.noderole = 'primary'
        group by n.nodename, n.nodeport order by n.nodename, n.nodeport`,
  );

const selectTables = (sql: Sql) =>
  all(
    Table,
    sql`select t.name, is_distributed(t.name::regclass) as "isDistributed",
               (select coalesce(sum(pg_total_relation_size(p.name::regclass)), 0)
                from letter_partition p where p.parent = t.name)::bigint as bytes
        from unnest(${bulk}::text[]) with ordinality as t (name, place) order by t.place`,
  );

/** Why letters cannot be distributed over this cluster, for the operator; undefined: they can. */
export function whyNot({ version, workers }: Cluster): string | undefined {
  if (version === null)
    return 'This database has no Citus: run "create extension citus" in it and in the database of the same name on each worker.';
  if (workers.length === 0)
    return "The cluster has no worker: run \"select citus_add_node('host', 5432)\" in this database for each.";
  const silent = workers.find(({ preparedMax }) => preparedMax === null);
  if (silent) return `The worker ${silent.host}:${silent.port} does not answer.`;
  // A letter is stored with the coordinator and a worker, or with neither.
  const plain = workers.find(({ preparedMax }) => preparedMax === 0);
  if (plain)
    return `The worker ${plain.host}:${plain.port} cannot prepare transactions: set its max_prepared_transactions to its max_connections.`;
  return undefined;
}

/**
 * Moves the letters to the workers, in as many shards; who stores or reads letters waits meanwhile. Answers which tables were moved: none
 * that were before.
 */
export async function distributeLetters(tx: Tx, shards: number): Promise<string[]> {
  const workers = await selectWorkers(tx);
  const moved = (await selectTables(tx))
    .filter(({ isDistributed }) => !isDistributed)
    .map(({ name }) => name);
  for (const name of moved) {
    // The same shards for both, so that a letter and its body are neighbours and one worker commits both.
    await tx`select create_distributed_table(${name}::regclass, 'letter_id', shard_count => ${shards})`;
    await tx`select truncate_local_data_after_distributing_table(${name}::regclass)`;
  }
  // A batch of letters takes a connection for each shard. By default all but one are closed after each batch: a quarter of the letters.
  const { statement } = await one(
    z.object({ statement: z.string() }),
    tx`select format('alter database %I set citus.max_cached_conns_per_worker = %s', current_database(),
                     ${Math.ceil(shards / workers.length)}::integer) as statement`,
  );
  if (moved.length > 0) await tx.unsafe(statement);
  return moved;
}

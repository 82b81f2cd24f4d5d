// A prototype of orders on several databases: buyers are spread over shards, and a depot leases mailboxes to them in runs, before
// they are out. How many orders a second is that, beside one server, and what does a lease cost? docs/scale.md says what it would take.
import { addBatch, addMailboxes } from "../src/server/inventory/inventory.ts";
import { openOrders } from "../src/server/orders/orders.ts";
import { connect, type Db } from "../src/server/platform/db/db.ts";
import { migrate } from "../src/server/platform/db/migrate.ts";
import { embeddedPrograms, makeServer, serverFolder } from "../test/kit/servers.ts";
import { shelf, site } from "../test/kit/shelf.ts";
import { at, printTable, withFolder } from "./process.kit.ts";
import { addBuyers, orderSeconds } from "./shop.kit.ts";

const seconds = Number(process.env["BENCH_SECONDS"] ?? 10);
const mailboxes = 200_000;
const clients = 64;
const users = 500;

interface Shard {
  readonly db: Db;
  readonly users: readonly bigint[];
  readonly siteId: number;
  readonly domainId: number;
  readonly batchId: number;
  /** Mailboxes that came by leases. */
  stocked: number;
}

interface Row {
  readonly name: string;
  readonly took: readonly number[];
  readonly leases: readonly number[];
  /** Orders that found nothing, because the next run had not come yet. */
  readonly dry: number;
  readonly left: number;
}

export const measure = (): Promise<void> =>
  withFolder(async (dataDir) => {
    await using undo = new AsyncDisposableStack();
    const after = (step: () => Promise<void>) => undo.defer(step);
    const folder = await serverFolder(after);
    const open = async (name: string) => {
      const server = await makeServer(embeddedPrograms(folder), folder, { name, after });
      await server.start({ fsync: "on" });
      const db = connect(server.url, { max: 12, name: "bench" });
      after(() => db.end());
      return db;
    };
    const [depot, first, second] = [await open("depot"), await open("first"), await open("second")];
    const shards = [await shardOn(first, dataDir), await shardOn(second, dataDir)];
    const rows: Row[] = [];
    for (const [count, runSize] of [
      [1, mailboxes],
      [1, 1_000],
      [2, 1_000],
      [2, 100],
      [1, mailboxes],
    ] as const)
      rows.push(await measureOn(depot, shards.slice(0, count), runSize));
    print(rows);
  });

async function shardOn(db: Db, dataDir: string): Promise<Shard> {
  await migrate(db);
  const buyers = await addBuyers(db, dataDir, users);
  const { domainId } = await shelf(db, 0);
  const batchId = await addBatch(db, { title: "leased" });
  return { db, users: buyers.map(({ id }) => id), siteId: await site(db), domainId, batchId, stocked: 0 };
}

async function measureOn(depot: Db, shards: readonly Shard[], runSize: number): Promise<Row> {
  const { lease, leases } = await openDepot(depot, runSize);
  const sold = await Promise.all(
    shards.map((shard) => sell(shard, () => lease(shard), runSize, clients / shards.length)),
  );
  return {
    name: runSize === mailboxes ? "one server, all stock there" : `${shards.length} × runs of ${runSize}`,
    took: sold.flatMap(({ took }) => took).toSorted((a, b) => a - b),
    leases: runSize === mailboxes ? [] : leases.toSorted((a, b) => a - b),
    dry: sold.reduce((sum, { dry }) => sum + dry, 0),
    left: sold.reduce((sum, { left }) => sum + left, 0),
  };
}

/** The depot has all mailboxes, in runs, and answers how long each lease took, in milliseconds. */
async function openDepot(depot: Db, runSize: number) {
  await depot.unsafe("drop table if exists run; create table run (id integer primary key, leased boolean)");
  await depot`
    insert into run (id, leased) select id, false from generate_series(1, ${mailboxes / runSize}::integer) as id`;
  const made = `t${Date.now()}`;
  const leases: number[] = [];
  /** One statement at the depot, one at the shard: a shard that died between them would stock the run when it starts. */
  const lease = async (shard: Shard): Promise<void> => {
    const start = performance.now();
    const [run] = await depot<{ id: number }[]>`
      update run set leased = true
      where id = (select id from run where not leased order by id limit 1 for update skip locked) returning id`;
    if (!run) return;
    const names = Array.from({ length: runSize }, (_, nth) => `${made}n${(run.id - 1) * runSize + nth}`);
    shard.stocked += await addMailboxes(shard.db, shard.batchId, shard.domainId, names);
    leases.push(performance.now() - start);
  };
  return { lease, leases };
}

/** Sells what is leased by so many buyers at once. The next run comes when half of one is left, or a hundred. */
async function sell(shard: Shard, lease: () => Promise<void>, runSize: number, buyers: number) {
  const { db, users, siteId, domainId } = shard;
  const orders = openOrders(db, { ttlSeconds: orderSeconds, shard: 1 });
  await db`select set_dead(array(select id from mailbox where dead = false), true)`;
  shard.stocked = 0;
  await lease();
  const took: number[] = [];
  let [dry, leasing] = [0, Promise.resolve()];
  const isLow = () => runSize < mailboxes && shard.stocked - took.length < Math.max(runSize / 2, 100);
  const until = performance.now() + seconds * 1000;
  const buy = async (nth: number) => {
    while (performance.now() < until) {
      if (isLow()) leasing = leasing.then(() => (isLow() ? lease() : undefined));
      const start = performance.now();
      const userId = users[(nth * 31 + took.length) % users.length]!;
      const answer = await orders.place({ userId, siteId, domainIds: [domainId] });
      if ("refusal" in answer) {
        dry++;
        await leasing;
      } else took.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: buyers }, (_, nth) => buy(nth)));
  await leasing;
  return { took, dry, left: shard.stocked - took.length };
}

function print(rows: readonly Row[]): void {
  const peers = rows.filter(({ leases }) => leases.length === 0);
  const peer = peers.reduce((sum, { took }) => sum + took.length, 0) / peers.length;
  printTable(
    rows.map(({ name, took, leases, dry, left }) => ({
      orders: name,
      "a second": Math.round(took.length / seconds),
      "of one server": leases.length === 0 ? "" : `${(took.length / peer).toFixed(2)} x`,
      "p50, p99 ms": `${at(took, 0.5).toFixed(1)}, ${at(took, 0.99).toFixed(1)}`,
      leases: leases.length,
      "lease ms (p50, p99)":
        leases.length === 0 ? "" : `${at(leases, 0.5).toFixed(1)}, ${at(leases, 0.99).toFixed(1)}`,
      "found nothing": dry,
      "left on shards": leases.length === 0 ? "" : left,
    })),
  );
}

// Orders per second beside the standard load of the same database: pgbench's TPC-B-like transaction, which is also a few
// updates and an insert in one commit. Both on one embedded server with durability on, in one run, 64 clients each.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as inventory from "../src/server/inventory/inventory.ts";
import { connect, type Db } from "../src/server/kit/db.ts";
import { startEmbedded } from "../src/server/kit/embedded.ts";
import { migrate } from "../src/server/kit/migrate.ts";
import { audit } from "../src/server/orders/orders.audit.ts";
import { openOrders, type Orders } from "../src/server/orders/orders.ts";

const clients = 64;
const warmSeconds = 2;
const seconds = 10;
const mailboxes = 400_000;
const siteCount = 1000;
const userCount = 2000;
const run = promisify(execFile);

type Load = { name: string; lanes: number; site: () => number; user: () => bigint };
type Figure = { name: string; perSecond: number; milliseconds?: { p50: number; p99: number } };

/** Measures and prints. The peer is measured first and last, because a machine is not equally fast at all times. */
export async function measure(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "postern-bench-"));
  const silent = { info: () => undefined, warn: () => undefined };
  const server = await startEmbedded({ dataDir: folder, log: silent });
  const db = connect(server.url, { max: 12, name: "bench" });
  try {
    const shop = await stock(db);
    const peer = [await pgbench(server.url)];
    const figures: Figure[] = [];
    for (const load of loads(shop)) figures.push(await place(db, shop.domainId, load));
    peer.push(await pgbench(server.url));
    print(figures, peer);
    const broken = (await audit(db)).filter(({ bad }) => bad.length > 0);
    console.log(broken.length === 0 ? "audit: everything holds" : JSON.stringify(broken));
  } finally {
    await db.end();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

type Shop = { users: bigint[]; sites: number[]; domainId: number };

function loads({ users, sites }: Shop): Load[] {
  const any = <Item>(list: Item[]) => list[Math.floor(Math.random() * list.length)] as Item;
  // A pair of its own for each load: one alone would be sold out.
  const hot = (number: number) => () => sites[number] as number;
  return [
    { name: "one pair, 1 lane", lanes: 1, site: hot(0), user: () => any(users) },
    { name: "one pair, 2 lanes", lanes: 2, site: hot(1), user: () => any(users) },
    { name: "one pair, one buyer, 2 lanes", lanes: 2, site: hot(2), user: () => users[0] as bigint },
    { name: "1,000 sites, 2 lanes", lanes: 2, site: () => any(sites), user: () => any(users) },
    { name: "1,000 sites, 4 lanes", lanes: 4, site: () => any(sites), user: () => any(users) },
  ];
}

async function stock(db: Db): Promise<Shop> {
  await migrate(db);
  const users = await db<{ id: bigint }[]>`
    insert into users (email, password_hash, token_hash, token_sealed, name, activated_at)
    select 'buyer' || n || '@buyers.test', 'none', decode(md5(n::text), 'hex'), '', 'buyer ' || n, now()
    from generate_series(1, ${userCount}::int) n returning id`;
  await db`select open_accounts(array_agg(id), array_agg('balance'::text)) from users`;
  await db`select move_money(10, a.id, 1000000000000, 'topup', 'bench ' || a.id, null, 0)
           from account a where a.book = 'balance'`;
  const sites = await db<{ id: number }[]>`
    insert into site (name) select 'site' || n || '.example' from generate_series(1, ${siteCount}::int) n returning id`;
  const [domain] = await db<{ id: number }[]>`
    insert into mail_domain (name, price) values ('letters.test', 350000) returning id`;
  if (!domain) throw new Error("no mail domain was made");
  const start = performance.now();
  await inventory.addStock(db, domain.id, mailboxes);
  const took = (performance.now() - start) / 1000;
  console.log(`${mailboxes} mailboxes in ${took.toFixed(1)} s`);
  await db`vacuum analyze`;
  return { users: users.map(({ id }) => id), sites: sites.map(({ id }) => id), domainId: domain.id };
}

async function place(db: Db, domainId: number, load: Load): Promise<Figure> {
  const orders = openOrders(db, { ttlSeconds: 1200, lanes: load.lanes, shard: 1 });
  await drive(orders, domainId, load, warmSeconds);
  const took = await drive(orders, domainId, load, seconds);
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.floor(took.length * share)] ?? 0;
  return {
    name: load.name,
    perSecond: took.length / seconds,
    milliseconds: { p50: at(0.5), p99: at(0.99) },
  };
}

/** Each client asks for its next order when it has its last; answers how long each took, in milliseconds. */
async function drive(orders: Orders, domainId: number, load: Load, forSeconds: number): Promise<number[]> {
  const took: number[] = [];
  const end = performance.now() + forSeconds * 1000;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let start = performance.now(); start < end; start = performance.now()) {
        const answer = await orders.place({
          userId: load.user(),
          siteId: load.site(),
          domainIds: [domainId],
        });
        if (!("orderId" in answer)) throw new Error(`an order was refused: ${answer.refusal}`);
        took.push(performance.now() - start);
      }
    }),
  );
  return took;
}

/** Transactions per second of the TPC-B-like load, or undefined where there is no pgbench. */
async function pgbench(url: string): Promise<number | undefined> {
  const address = new URL(url);
  address.pathname = "/bench_tpcb";
  try {
    await run("pgbench", ["--version"]);
  } catch {
    return undefined;
  }
  const admin = connect(url, { max: 1 });
  const isNew = (await admin`select 1 from pg_database where datname = 'bench_tpcb'`).length === 0;
  if (isNew) await admin`create database bench_tpcb`;
  await admin.end();
  // As many branches as clients: with fewer they would wait for each other's rows.
  if (isNew) await run("pgbench", ["-i", "-q", "-s", String(clients), address.href]);
  const load = ["-M", "prepared", "-c", String(clients), "-j", "2", "-T", String(seconds)];
  const { stdout } = await run("pgbench", [...load, address.href]);
  return Number(/tps = ([0-9.]+)/.exec(stdout)?.[1]);
}

function print(figures: Figure[], peer: (number | undefined)[]): void {
  const tpcb = peer.filter((each) => each !== undefined);
  const mean = tpcb.reduce((sum, each) => sum + each, 0) / tpcb.length;
  const rows = figures.map(({ name, perSecond, milliseconds }) => ({
    load: name,
    "orders/s": Math.round(perSecond),
    "p50 ms": milliseconds?.p50.toFixed(1),
    "p99 ms": milliseconds?.p99.toFixed(1),
    "of TPC-B": tpcb.length > 0 ? `${(perSecond / mean).toFixed(1)} x` : "no pgbench here",
  }));
  console.table(rows);
  if (tpcb.length > 0)
    console.log(
      `pgbench TPC-B-like, before and after: ${tpcb.map((each) => Math.round(each)).join(" and ")} transactions/s`,
    );
  else console.log("pgbench is not on the PATH: install PostgreSQL's client programs to measure the peer");
}

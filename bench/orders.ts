// Orders beside pgbench's TPC-B-like transaction, which also does a few updates and an insert in one commit. Both on one durable
// embedded server with 64 clients: in process, and over HTTP to a whole shop. Also what follows an order.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { connect, type Db } from "../src/server/platform/db/db.ts";
import { migrate } from "../src/server/platform/db/migrate.ts";
import { audit } from "../src/server/orders/orders.audit.ts";
import { deliver, openOrders, type Orders, type Placed } from "../src/server/orders/orders.ts";
import type { Load, Seen } from "./orders.load.kit.ts";
import { mailDomain, stock, type Stocked } from "./orders.shop.kit.ts";
import { run, withFolder } from "./process.kit.ts";
import { onDatabase, orderSeconds, startShop } from "./shop.kit.ts";

const clients = 64;
const warmSeconds = 6;
const seconds = Number(process.env["BENCH_SECONDS"] ?? 10);
const lives = 20_000;

type Figure = { load: string; perSecond?: number; p50?: number; p99?: number };
type Drive = (site: () => number, user: () => bigint, forSeconds?: number) => Promise<number[]>;

export const measure = (): Promise<void> =>
  withFolder((dataDir) => onDatabase({ dataDir }, (db, url) => measureOn(db, url, dataDir)));

async function measureOn(db: Db, url: string, dataDir: string): Promise<void> {
  await migrate(db);
  const shop = await stock(db, dataDir);
  const peer = [await pgbench(url)];
  const orders = openOrders(db, { ttlSeconds: orderSeconds, openMax: 1_000_000, shard: 1 });
  const inProcess = await placing(orders, shop);
  peer.push(await pgbench(url));
  const overHttp = await calling(dataDir, shop);
  peer.push(await pgbench(url));
  const after = await ending(db, orders, shop);
  print([...inProcess, ...overHttp, ...after], peer);
  const broken = (await audit(db)).filter(({ bad }) => bad.length > 0);
  console.log(broken.length === 0 ? "audit: everything holds" : JSON.stringify(broken));
}

async function placing(orders: Orders, { users, siteIds, domainId }: Stocked): Promise<Figure[]> {
  const drive: Drive = (site, user, forSeconds = seconds) =>
    inTurns(forSeconds, async () => {
      const answer = await orders.place({ userId: user(), siteId: site(), domainIds: [domainId] });
      if ("refusal" in answer) throw new Error(`an order was refused: ${answer.refusal}`);
    });
  const anyUser = () => pick(users);
  await drive(() => pick(siteIds), anyUser, warmSeconds);
  const spread = await drive(() => pick(siteIds), anyUser);
  const hot = await drive(() => siteIds[0]!, anyUser);
  const one = await drive(
    () => siteIds[1]!,
    () => users[0]!,
  );
  const alone: number[] = [];
  for (let turn = 0; turn < 300; turn++) {
    const start = performance.now();
    await orders.place({ userId: anyUser(), siteId: pick(siteIds), domainIds: [domainId] });
    alone.push(performance.now() - start);
  }
  return [
    figure("in process, 1,000 sites", spread, seconds),
    figure("in process, one pair", hot, seconds),
    figure("in process, one pair, one buyer", one, seconds),
    figure("in process, one order at a time", alone),
  ];
}

async function calling(dataDir: string, { tokens, siteNames }: Stocked): Promise<Figure[]> {
  const shop = await startShop({ dataDir });
  const load = fork(join(import.meta.dirname, "orders.load.kit.ts"));
  try {
    const orderFor = (site: string, more = "") => `/email/order?site=${site}&domain=${mailDomain}${more}`;
    const spread = siteNames.map((site) => orderFor(site));
    const ask = (more: Partial<Load>) =>
      drive(load, { port: shop.port, clients, seconds, paths: spread, tokens, ...more });
    await ask({ seconds: warmSeconds });
    const full = await ask({});
    const hot = await ask({ paths: [orderFor(siteNames[2]!)] });
    const half = full.length / seconds / 2;
    const paced = await ask({ perSecond: half });
    const alone = await ask({ clients: 1, seconds: 3, perSecond: 50 });
    const ten = await ask({ paths: siteNames.map((site) => orderFor(site, "&quantity=10")) });
    const tenFigure = figure("over HTTP, calls with quantity=10", ten, seconds);
    return [
      figure("over HTTP, 1,000 sites", full, seconds),
      figure("over HTTP, one pair", hot, seconds),
      figure("over HTTP, 1,000 sites, at half of that rate", paced, seconds),
      figure("over HTTP, one order at a time, 50/s", alone),
      tenFigure,
      { load: "— the orders of these calls", perSecond: (tenFigure.perSecond ?? 0) * 10 },
    ];
  } finally {
    load.kill();
    await shop.stop();
  }
}

async function drive(client: ChildProcess, load: Load): Promise<number[]> {
  const answered = once(client, "message");
  client.send(load);
  const [{ took, refused }] = (await answered) as [Seen];
  if (refused.length > 0) throw new Error(`calls were refused: ${refused.join(" ")}`);
  return took;
}

/** Letters, reorders, cancels and expiry, many at once. */
async function ending(db: Db, orders: Orders, { users, siteIds, domainId }: Stocked): Promise<Figure[]> {
  const placed = await placeSome(orders, lives, () => ({
    userId: pick(users),
    siteId: pick(siteIds),
    domainId,
  }));
  const letters = await db<{ id: bigint }[]>`
    insert into letter (judged_at, size_bytes, mail_from, sender, subject)
    select now(), 1, 'news@site.example', 'Site', 'Hello' from generate_series(1, ${lives}::int) returning id`;
  const left = placed.map(({ orderId }, index) => ({ orderId, letterId: letters[index]!.id }));
  const received = await untilEmpty(2, async () => {
    const some = left.splice(0, 64);
    if (some.length > 0) await deliver(db, some);
    return some.length;
  });
  const again: { userId: bigint; orderId: bigint }[] = [];
  const toReorder = [...placed];
  const reordered = await untilEmpty(clients, async () => {
    const order = toReorder.pop();
    if (!order) return 0;
    const answer = await orders.reorder(order);
    if ("refusal" in answer) throw new Error(`a reorder was refused: ${answer.refusal}`);
    again.push({ userId: order.userId, orderId: answer.orderId });
    return 1;
  });
  const canceled = await untilEmpty(clients, async () => {
    const order = again.pop();
    if (!order) return 0;
    await orders.cancel(order);
    return 1;
  });
  const due = await placeSome(orders, lives, () => ({
    userId: pick(users),
    siteId: pick(siteIds),
    domainId,
  }));
  await db`update orders set expires_at = now() where id = any (${due.map(({ orderId }) => String(orderId))}::bigint[])`;
  const start = performance.now();
  const expired = await orders.expireDue();
  return [
    { load: "letters given to orders, 64 a commit", perSecond: received },
    { load: "reorders, 64 clients", perSecond: reordered },
    { load: "cancels, 64 clients", perSecond: canceled },
    { load: "expiries", perSecond: (expired / (performance.now() - start)) * 1000 },
  ];
}

async function placeSome(
  orders: Orders,
  count: number,
  ask: () => { userId: bigint; siteId: number; domainId: number },
): Promise<{ userId: bigint; orderId: bigint }[]> {
  const placed: { userId: bigint; orderId: bigint }[] = [];
  let begun = 0;
  await untilEmpty(clients * 2, async () => {
    if (begun++ >= count) return 0;
    const { userId, siteId, domainId } = ask();
    const { orderId } = (await orders.place({ userId, siteId, domainIds: [domainId] })) as Placed;
    placed.push({ userId, orderId });
    return 1;
  });
  return placed;
}

/** Answers the milliseconds of each act, ascending. */
async function inTurns(forSeconds: number, act: () => Promise<void>): Promise<number[]> {
  const took: number[] = [];
  const end = performance.now() + forSeconds * 1000;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let start = performance.now(); start < end; start = performance.now()) {
        await act();
        took.push(performance.now() - start);
      }
    }),
  );
  return took;
}

/** Acts until nothing is left; answers the acts a second. */
async function untilEmpty(atOnce: number, act: () => Promise<number>): Promise<number> {
  const start = performance.now();
  let all = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let done = await act(); done > 0; done = await act()) all += done;
    }),
  );
  return (all / (performance.now() - start)) * 1000;
}

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
  // With fewer branches than clients, clients would wait for each other's rows.
  if (isNew) await run("pgbench", ["-i", "-q", "-s", String(clients), address.href]);
  const load = ["-M", "prepared", "-c", String(clients), "-j", "2", "-T", String(seconds)];
  const { stdout } = await run("pgbench", [...load, address.href]);
  const rate = /tps = ([0-9.]+)/.exec(stdout)?.[1];
  if (rate === undefined) throw new Error(`pgbench told no rate: ${stdout}`);
  return Number(rate);
}

const pick = <Item>(list: readonly Item[]) => list[Math.floor(Math.random() * list.length)] as Item;

function figure(load: string, took: number[], forSeconds?: number): Figure {
  const sorted = took.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  const rate = forSeconds === undefined ? {} : { perSecond: took.length / forSeconds };
  return { load, ...rate, p50: at(0.5), p99: at(0.99) };
}

function print(figures: Figure[], peer: (number | undefined)[]): void {
  const tpcb = peer.filter((each) => each !== undefined);
  const mean = tpcb.reduce((sum, each) => sum + each, 0) / tpcb.length;
  console.table(
    figures.map(({ load, perSecond, p50, p99 }) => ({
      load,
      "per second": perSecond === undefined ? "" : Math.round(perSecond),
      "p50 ms": p50?.toFixed(1) ?? "",
      "p99 ms": p99?.toFixed(1) ?? "",
      "of TPC-B": perSecond === undefined || tpcb.length === 0 ? "" : `${(perSecond / mean).toFixed(2)} x`,
    })),
  );
  if (tpcb.length > 0)
    console.log(
      `pgbench TPC-B-like: ${tpcb.map((each) => Math.round(each)).join(", ")} transactions/s in turn`,
    );
  else console.log("pgbench is not on the PATH: install PostgreSQL's client programs to measure the peer");
}

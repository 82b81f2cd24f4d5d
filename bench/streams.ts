// Ten thousand open event streams on one shop: their cost, and the delay of a change.
// The shop has its embedded database, the clients are other processes, the peer is node:http alone.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Db } from "../src/server/platform/db/db.ts";
import { at, clock, withFolder } from "./process.kit.ts";
import { addBuyers, onDatabase, startShop } from "./shop.kit.ts";
import type { Order, Report } from "./streams.kit.ts";

const streams = 10_000;
const clientProcesses = 2;
const idleSeconds = 60;
const changedAtOnce = 1_000;
const changedOneByOne = 200;

const kit = fileURLToPath(new URL("streams.kit.ts", import.meta.url));

export const measure = (): Promise<void> => withFolder(measureIn);

async function measureIn(dataDir: string): Promise<void> {
  const peer = await measurePeer();
  const shop = await startShop({ dataDir });
  const clients: ChildProcess[] = [];
  try {
    await onDatabase({ dataDir }, (db) => measureShop(db, { port: shop.port, dataDir, peer }, clients));
  } finally {
    const since = performance.now();
    await shop.stop();
    console.log(`SIGTERM to the end of the process: ${((performance.now() - since) / 1000).toFixed(1)} s`);
    for (const client of clients) client.kill();
  }
}

type Place = { port: number; dataDir: string; peer: number };

async function measureShop(db: Db, { port, dataDir, peer }: Place, clients: ChildProcess[]): Promise<void> {
  const tokens = (await addBuyers(db, dataDir, streams)).map(({ token }) => token);
  const before = await metrics(port);
  const start = performance.now();
  clients.push(...(await holdStreams(port, tokens)));
  const opening = (performance.now() - start) / 1000;
  const opened = await metrics(port);
  await sleep(idleSeconds * 1000);
  const idle = await metrics(port);
  const first = await changeOneByOne(db, clients);
  const busy = await changeAtOnce(db, clients);
  const after = await metrics(port);
  const reports = await Promise.all(clients.map(ask));

  console.table({
    "streams open": { shop: after.streams, "of peer": "" },
    "streams that broke": { shop: reports.reduce((sum, { broken }) => sum + broken, 0), "of peer": "" },
    "processor time to open one, ms": {
      shop: ((1000 * (opened.cpu - before.cpu)) / streams).toFixed(2),
      "of peer": "",
    },
    "opened, streams/s": { shop: Math.round(streams / opening), "of peer": "" },
    "RSS before, MB": { shop: megabytes(before.rss), "of peer": "" },
    "RSS with all open, MB": { shop: megabytes(opened.rss), "of peer": "" },
    "RSS after the idle minute, MB": {
      shop: megabytes(idle.rss),
      "of peer": `${(idle.rss / peer).toFixed(1)} ×`,
    },
    "RSS at the end, MB": { shop: megabytes(after.rss), "of peer": "" },
    "KB a stream": { shop: ((idle.rss - before.rss) / streams / 1024).toFixed(1), "of peer": "" },
    "processor while idle, %": {
      shop: ((100 * (idle.cpu - opened.cpu)) / idleSeconds).toFixed(1),
      "of peer": "",
    },
    "one change, from saying it to hearing it, p50 ms": { shop: milliseconds(first, 0.5), "of peer": "" },
    "one change, from saying it to hearing it, p99 ms": { shop: milliseconds(first, 0.99), "of peer": "" },
    [`${changedAtOnce} changes in one commit, from saying them to the first heard, ms`]: {
      shop: milliseconds(busy, 0),
      "of peer": "",
    },
    [`${changedAtOnce} changes in one commit, from saying them to all heard, ms`]: {
      shop: milliseconds(busy, 1),
      "of peer": "",
    },
  });
  console.log(`peer, node:http alone with as many streams: ${megabytes(peer)} MB`);
}

async function holdStreams(port: number, tokens: string[]): Promise<ChildProcess[]> {
  const share = Math.ceil(tokens.length / clientProcesses);
  const clients = Array.from({ length: clientProcesses }, () => fork(kit, ["clients"]));
  await Promise.all(
    clients.map(async (client, index) => {
      const began = once(client, "message");
      client.send({ port, tokens: tokens.slice(index * share, (index + 1) * share) } satisfies Order);
      const [{ begun, broken }] = (await began) as [Report];
      if (broken > 0) throw new Error(`${broken} streams broke, ${begun} began`);
    }),
  );
  return clients;
}

async function ask(client: ChildProcess): Promise<Report> {
  const told = once(client, "message");
  client.send("report");
  const [report] = (await told) as [Report];
  return report;
}

const topUp = (db: Db, count: number, offset: number) => db`
  select move_money(10, a.id, 1000, 'topup', 'bench ' || gen_random_uuid(), null, 0)
  from (select account.id from account join users on users.id = account.user_id
        where users.email like 'buyer%@buyers.test' order by account.id offset ${offset} limit ${count}) a`;

/** Milliseconds from the NOTIFY to the client, one account after the other. */
async function changeOneByOne(db: Db, clients: ChildProcess[]): Promise<number[]> {
  const took: number[] = [];
  for (let turn = 0; turn < changedOneByOne; turn++) {
    const since = clock();
    await topUp(db, 1, turn * 40);
    took.push(...(await heardBy(clients, 1)).map((heard) => heard - since));
  }
  return took;
}

async function changeAtOnce(db: Db, clients: ChildProcess[]): Promise<number[]> {
  const since = clock();
  await topUp(db, changedAtOnce, 0);
  return (await heardBy(clients, changedAtOnce)).map((heard) => heard - since);
}

async function heardBy(clients: ChildProcess[], count: number): Promise<number[]> {
  const heard: number[] = [];
  for (const until = clock() + 30_000; heard.length < count && clock() < until; await sleep(5))
    for (const report of await Promise.all(clients.map(ask))) heard.push(...report.heard);
  if (heard.length !== count) throw new Error(`${count} events were to be heard, ${heard.length} were`);
  return heard;
}

async function measurePeer(): Promise<number> {
  const peer = fork(kit, ["peer"]);
  const [{ port }] = (await once(peer, "message")) as [{ port: number }];
  const clients = await holdStreams(
    port,
    Array.from({ length: streams }, () => "none"),
  );
  await sleep(5_000);
  const told = once(peer, "message");
  peer.send("report");
  const [{ rss }] = (await told) as [{ rss: number }];
  for (const child of [...clients, peer]) child.kill();
  return rss;
}

async function metrics(port: number): Promise<{ rss: number; cpu: number; streams: number }> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
  return {
    rss: value("process_resident_memory_bytes"),
    cpu: value("process_cpu_seconds_total"),
    streams: value("postern_event_streams"),
  };
}

/** A quantile of the milliseconds, as text. */
const milliseconds = (took: number[], share: number) =>
  at(
    took.toSorted((one, two) => one - two),
    share,
  ).toFixed(1);

const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);

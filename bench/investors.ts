// Stores a file of five million mailboxes while the shop sells: time, memory, and orders meanwhile.
// The peer is PostgreSQL's COPY of the same rows into a table with the same indexes.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, openAsBlob } from "node:fs";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../src/server/platform/db/db.ts";
import { migrate } from "../src/server/platform/db/migrate.ts";
import { cpuOf, withFolder } from "./process.kit.ts";
import type { Load, Seen } from "./orders.load.kit.ts";
import { mailDomain, stock, type Stocked } from "./orders.shop.kit.ts";
import { onDatabase, startShop, type Shop } from "./shop.kit.ts";

const lineCount = Number(process.env["BENCH_LINES"] ?? 5_000_000);
const hosted = "box.example";
const clients = 64;
const seconds = Number(process.env["BENCH_SECONDS"] ?? 10);
const pieceSeconds = 2;

interface Stored {
  seconds: number;
  grownMb: number;
  cpuShop: number;
  cpuDatabase: number;
  ordersPerSecond?: number;
}

export const measure = (): Promise<void> => withFolder(measureIn);

async function measureIn(folder: string): Promise<void> {
  const dataDir = join(folder, "shop");
  const { shop: stocked, token } = await onDatabase({ dataDir }, (db) => furnish(db, dataDir));
  const shop = await startShop({ dataDir });
  const load = fork(join(import.meta.dirname, "orders.load.kit.ts"));
  try {
    const orders = (forSeconds: number, perSecond?: number) =>
      rateOf(load, shop, stocked, forSeconds, perSecond);
    await orders(seconds);
    const before = await orders(seconds);
    const busy = await upload(shop, token, await written(folder, "a"), () => orders(pieceSeconds));
    const between = await orders(seconds);
    const half = between / 2;
    const paced = await upload(shop, token, await written(folder, "b"), () => orders(pieceSeconds, half));
    const alone = await upload(shop, token, await written(folder, "c"));
    const after = await orders(seconds);
    const full = (before + between + after) / 3;
    print(
      { "orders as fast as they go": busy, "orders at half of that rate": paced, "no orders": alone },
      full,
      half,
    );
  } finally {
    load.kill();
    await shop.stop();
  }
  await peer(dataDir);
}

async function furnish(db: Db, dataDir: string): Promise<{ shop: Stocked; token: string }> {
  await migrate(db);
  const shop = await stock(db, dataDir);
  await db`insert into mail_domain (name, price, kind, imap_host, imap_port, imap_tls)
           values (${hosted}, 350000, 'hosted', 'localhost', 1, 'none')`;
  await db`update users set is_investor = true where id = ${shop.users[0]!}`;
  return { shop, token: shop.tokens[0]! };
}

/** Lines of 30 bytes, shuffled; those of two files differ. */
async function written(folder: string, mark: string): Promise<string> {
  const path = join(folder, `${mark}.txt`);
  const lines = function* () {
    let text = "";
    for (let n = 0; n < lineCount; n++) {
      // 7,919 is coprime to the line count: each number comes once.
      const part = ((n * 7_919) % lineCount).toString(36).padStart(7, "0");
      text += `${mark}${part}@${hosted}:pw${part.slice(-6)}\n`;
      if (text.length < 1_000_000) continue;
      yield text;
      text = "";
    }
    yield text;
  };
  await pipeline(Readable.from(lines()), createWriteStream(path));
  return path;
}

async function upload(
  shop: Shop,
  token: string,
  path: string,
  orders?: () => Promise<number>,
): Promise<Stored> {
  const size = (await stat(path)).size;
  const memory = watchMemory(shop.pid);
  const cpu = [await cpuOf(shop.pid), await cpuOf(shop.databasePid)];
  const rates: number[] = [];
  let isStored = false;
  const start = performance.now();
  const sending = send(shop, token, path).finally(() => (isStored = true));
  // Its fault is thrown below.
  sending.catch(() => undefined);
  while (orders && !isStored) rates.push(await orders());
  const took = await sending;
  const spent = [await cpuOf(shop.pid), await cpuOf(shop.databasePid)];
  const grownMb = await memory.stop();
  console.log(`${(size / 1e6).toFixed(0)} MB stored in ${((took - start) / 1000).toFixed(1)} s`);
  await rm(path);
  return {
    seconds: (took - start) / 1000,
    grownMb,
    cpuShop: (spent[0]! - cpu[0]!) / 1000,
    cpuDatabase: (spent[1]! - cpu[1]!) / 1000,
    ...(rates.length > 0
      ? { ordersPerSecond: rates.reduce((sum, rate) => sum + rate, 0) / rates.length }
      : {}),
  };
}

async function send(shop: Shop, token: string, path: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${shop.port}/investor/upload`, {
    method: "POST",
    headers: { token },
    body: await openAsBlob(path, { type: "text/plain" }),
  });
  const answer = (await response.json()) as { accepted?: number };
  if (answer.accepted !== lineCount) throw new Error(`not all was taken: ${JSON.stringify(answer)}`);
  return performance.now();
}

/** Samples the memory of a process ten times a second. */
function watchMemory(pid: number): { stop: () => Promise<number> } {
  const held = async () =>
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  let isOver = false;
  const watching = (async () => {
    const first = await held();
    let most = first;
    while (!isOver) {
      most = Math.max(most, await held());
      await sleep(100);
    }
    return most - first;
  })();
  return {
    stop: () => {
      isOver = true;
      return watching;
    },
  };
}

async function rateOf(
  load: ChildProcess,
  { port }: Shop,
  { tokens, siteNames }: Stocked,
  forSeconds: number,
  perSecond?: number,
): Promise<number> {
  const paths = siteNames.map((site) => `/email/order?site=${site}&domain=${mailDomain}`);
  const asked: Load = {
    port,
    clients,
    seconds: forSeconds,
    paths,
    tokens,
    ...(perSecond ? { perSecond } : {}),
  };
  const start = performance.now();
  const answered = once(load, "message");
  load.send(asked);
  const [{ took, refused }] = (await answered) as [Seen];
  if (refused.length > 0) throw new Error(`calls were refused: ${refused.join(" ")}`);
  return took.length / ((performance.now() - start) / 1000);
}

async function peer(dataDir: string): Promise<void> {
  await onDatabase({ dataDir }, async (db) => {
    // A folder that the database server may write to.
    const [place] = await db<{ data_directory: string }[]>`show data_directory`;
    const file = join(place?.data_directory ?? dataDir, "peer.copy");
    await db.unsafe(
      `copy (select m.* from mailbox m where m.lot_id = (select max(id) from held_lot)) to '${file}' (format binary)`,
    );
    await db`create table peer (like mailbox including all)`;
    await db`checkpoint`;
    const start = performance.now();
    await db.unsafe(`copy peer from '${file}' (format binary)`);
    console.log(
      `COPY alone, of the same rows with the same indexes: ${((performance.now() - start) / 1000).toFixed(1)} s`,
    );
    await rm(file);
  });
}

function print(runs: Record<string, Stored>, full: number, half: number): void {
  console.log(
    `orders without an upload: ${full.toFixed(0)}/s; asked for in the second run: ${half.toFixed(0)}/s`,
  );
  console.log(
    "| while it is stored | s | memory, MB more | processor s: shop, database | orders/s | of their rate |",
  );
  console.log("| --- | --- | --- | --- | --- | --- |");
  for (const [name, { seconds: s, grownMb, cpuShop, cpuDatabase, ordersPerSecond }] of Object.entries(runs)) {
    const rate = name.includes("half") ? half : full;
    const orders =
      ordersPerSecond === undefined
        ? "— | —"
        : `${ordersPerSecond.toFixed(0)} | ${((100 * ordersPerSecond) / rate).toFixed(0)} %`;
    console.log(
      `| ${name} | ${s.toFixed(1)} | ${grownMb.toFixed(0)} | ${cpuShop.toFixed(0)}, ${cpuDatabase.toFixed(0)} | ${orders} |`,
    );
  }
}

import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../src/server/platform/db/db.ts";
import type { Load, Sent } from "./letters.load.kit.ts";
import type { Peer } from "./letters.peers.kit.ts";
import type { Place } from "./letters.place.kit.ts";
import { at, clock, cpuOf, printTable, threadsOf } from "./process.kit.ts";
import { onDatabase, startShop, type Shop } from "./shop.kit.ts";

export interface Receiver {
  name: string;
  port: number;
  spent(): Promise<number>;
  count(): Promise<number>;
  /** Resolves when every accepted letter is delivered or unclaimed. */
  finish(): Promise<void>;
  /** What was spent until now, by part; only the shop says it. */
  parts?(): Promise<Parts>;
}

/** Milliseconds of processor time, commits, and bytes of WAL. */
export interface Parts {
  readonly main: number;
  readonly parser: number;
  readonly others: number;
  readonly database: number;
  readonly commits: number;
  readonly wal: number;
}

export interface Figure {
  name: string;
  perSecond: number;
  readablePerSecond: number;
  donePerSecond: number;
  p50: number;
  p99: number;
  cpuEach: number;
  /** Of one letter. */
  parts?: Parts | undefined;
}

const warmSeconds = 2;

export async function measureLoad(receiver: Receiver, load: Omit<Load, "port">): Promise<Figure> {
  const { name, port } = receiver;
  const client = fork(join(import.meta.dirname, "letters.load.kit.ts"));
  try {
    const warm = await ask(client, { ...load, port, seconds: warmSeconds });
    await receiver.finish();
    const partsBefore = await receiver.parts?.();
    const cpuBefore = await receiver.spent();
    const countBefore = await receiver.count();
    const start = clock();
    const sent = await ask(client, { ...load, port, first: load.first + warm.accepted.length });
    const readable = (await receiver.count()) - countBefore;
    const sentSeconds = (clock() - start) / 1000;
    await receiver.finish();
    const doneSeconds = (clock() - start) / 1000;
    const accepted = sent.accepted.length;
    if (sent.refused.length > 0) console.log(`${name} refused: ${sent.refused.join("; ")}`);
    return {
      name,
      perSecond: accepted / sent.seconds,
      readablePerSecond: readable / sentSeconds,
      donePerSecond: accepted / doneSeconds,
      p50: at(sent.took, 0.5),
      p99: at(sent.took, 0.99),
      cpuEach: ((await receiver.spent()) - cpuBefore) / accepted,
      parts: partsBefore && partsEach(partsBefore, await receiver.parts?.(), accepted),
    };
  } finally {
    client.kill();
  }
}

function partsEach(before: Parts, after: Parts | undefined, letters: number): Parts | undefined {
  if (!after) return undefined;
  const each = (name: keyof Parts) => (after[name] - before[name]) / letters;
  return {
    main: each("main"),
    parser: each("parser"),
    others: each("others"),
    database: each("database"),
    commits: each("commits"),
    wal: each("wal"),
  };
}

async function partsOf({ pid, databasePid }: Shop, db: Db): Promise<Parts> {
  const { main, nice, others } = await threadsOf(pid);
  const [row] = await db<{ commits: number; wal: number }[]>`
    select (select sum(xact_commit)::float8 from pg_stat_database) as commits,
           pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal`;
  return { main, parser: nice, others, database: await cpuOf(databasePid), ...row! };
}

/** Where a letter's processor time goes. */
export function printParts(figure: Figure): void {
  if (!figure.parts) return;
  const { main, parser, others, database, commits, wal } = figure.parts;
  console.log("");
  printTable([
    {
      "of a letter": figure.name,
      "SMTP, API, driver ms": main.toFixed(2),
      "parser threads ms": parser.toFixed(2),
      "collector, compiler, files ms": others.toFixed(2),
      "database ms": database.toFixed(2),
      commits: commits.toFixed(2),
      "WAL KB": (wal / 1024).toFixed(1),
    },
  ]);
}

export async function ask(client: ChildProcess, load: Load): Promise<Sent> {
  const answered = once(client, "message");
  client.send(load);
  const [sent] = (await answered) as [Sent];
  return sent;
}

export async function withShop<Answer>(
  place: Place,
  work: (receiver: Receiver, shop: Shop, db: Db) => Promise<Answer>,
): Promise<Answer> {
  const shop = await startShop(place);
  try {
    return await onDatabase(place, (db) =>
      work(
        {
          name: "Postern",
          port: shop.smtpPort,
          spent: async () => (await cpuOf(shop.pid)) + (await cpuOf(shop.databasePid)),
          count: async () => Number((await db`select count(*) as count from delivery`)[0]?.["count"]),
          finish: () => allMatched(db),
          parts: () => partsOf(shop, db),
        },
        shop,
        db,
      ),
    );
  } finally {
    await shop.stop();
  }
}

/** Resolves when every letter was matched. */
export async function allMatched(db: Db): Promise<void> {
  while ((await db`select 1 from letter where judged_at is null limit 1`).length > 0) await sleep(50);
}

export async function withPeer<Answer>(
  peer: Peer,
  folder: string,
  addresses: readonly string[],
  work: (receiver: Receiver) => Promise<Answer>,
): Promise<Answer> {
  const own = join(folder, "peer");
  await mkdir(own);
  const running = await peer.start(own, addresses);
  try {
    return await work({
      name: peer.name,
      port: running.port,
      spent: () => cpuOf(running.pid),
      count: () => running.count(),
      finish: () => running.finish(),
    });
  } finally {
    await running.stop();
    await rm(own, { recursive: true, force: true, maxRetries: 5 });
  }
}

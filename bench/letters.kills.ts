// Fifty times kill -9 of program and database while letters come in. Every letter with a 250 must then be stored and matched,
// and none given to an order twice. Each subject has its own number.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Db } from "../src/server/platform/db/db.ts";
import type { Load, Sent } from "./letters.load.kit.ts";
import { idsOf, openIds } from "../src/server/platform/ids.ts";
import { allMatched } from "./letters.measure.kit.ts";
import { furnish, type Place } from "./letters.place.kit.ts";
import { printTable, run, withFolder } from "./process.kit.ts";
import { onDatabase, startShop, type Shop } from "./shop.kit.ts";

const kills = Number(process.env["BENCH_KILLS"] ?? 50);
const connections = 50;
const mailboxes = 60_000;
const sizeBytes = 2_000;
const loadSecondsMax = 60;
/** Each kill comes at random after at most so many answered letters. */
const lettersMax = 1_500;
const readOverApi = 300;

export async function measure(): Promise<void> {
  await withFolder(async (folder) => {
    const place = await furnish(folder, mailboxes, 10);
    const accepted: number[] = [];
    const starts: number[] = [];
    for (let turn = 0; turn < kills; turn++) {
      const since = performance.now();
      const shop = await startShop(place);
      starts.push(performance.now() - since);
      const sent = await untilKilled(place, shop, turn);
      accepted.push(...sent.accepted.map(([number]) => number));
      if (turn % 10 === 9) console.log(`${turn + 1} kills, ${accepted.length} letters answered 250`);
    }
    await conclude(place, accepted);
    starts.sort((one, other) => one - other);
    console.log(`ready again after ${Math.round(starts[starts.length >> 1] ?? 0)} ms (median)`);
  });
}

async function untilKilled(place: Place, shop: Shop, turn: number): Promise<Sent> {
  const client = fork(join(import.meta.dirname, "letters.load.kit.ts"));
  try {
    const answered = once(client, "message");
    client.send({
      port: shop.smtpPort,
      connections,
      sizeBytes,
      targetsFile: place.targetsFile,
      first: turn * 1_000_000,
      seconds: loadSecondsMax,
      mayDie: true,
      tellAt: Math.ceil(Math.random() * lettersMax),
    } satisfies Load);
    const [reached] = (await answered) as ["reached" | Sent];
    if (reached !== "reached") throw new Error("the load ended before the shop was killed");
    const died = once(client, "message");
    await shop.kill();
    const [sent] = (await died) as [Sent];
    return sent;
  } finally {
    client.kill();
  }
}

async function conclude(place: Place, accepted: number[]): Promise<void> {
  const shop = await startShop(place);
  try {
    await onDatabase(place, async (db) => {
      await allMatched(db);
      const lost = await lostOf(db, place, accepted);
      const twice = await givenTwice(db);
      const unread = await unreadOverApi(place, shop, accepted);
      printTable([
        {
          "kill -9": kills,
          "letters answered 250": accepted.length,
          "of them lost": lost,
          "given to an order twice": twice,
          [`of ${readOverApi} read over the API, wrong`]: unread,
        },
      ]);
      if (lost + twice + unread > 0) throw new Error("a promise was broken");
    });
    const { stdout } = await run(process.execPath, ["src/server/shop.ts", "audit"], {
      env: { ...process.env, DATA_DIR: place.dataDir },
    });
    console.log(stdout.trim().split("\n").at(-1));
  } finally {
    await shop.stop();
  }
}

/** Letters answered 250 that their waiting order did not get. */
async function lostOf(db: Db, { targets }: Place, accepted: number[]): Promise<number> {
  const rows = await db<{ number: number; orderId: string }[]>`
    select substring(letter.subject from 'letter (\\d+)')::int as number, delivery.order_id::text as "orderId"
    from delivery join letter on letter.id = delivery.letter_id`;
  await openIds(db);
  const given = new Set(rows.map(({ number, orderId }) => `${number} ${idsOf(db).show(orderId)}`));
  return accepted.filter((number) => {
    const { order } = targets[number % targets.length]!;
    return !given.has(`${number} ${order?.id}`);
  }).length;
}

/** Numbers that an order has twice. A letter whose 250 was lost in the kill was sent only once. */
async function givenTwice(db: Db): Promise<number> {
  const rows = await db`
    select 1 from delivery join letter on letter.id = delivery.letter_id
    group by delivery.order_id, letter.subject having count(*) > 1`;
  return rows.length;
}

/** Counts orders whose letter cannot be read over the API. */
async function unreadOverApi({ targets }: Place, shop: Shop, accepted: number[]): Promise<number> {
  let wrong = 0;
  for (let turn = 0; turn < readOverApi; turn++) {
    const number = accepted[Math.floor((turn * accepted.length) / readOverApi)] ?? 0;
    const { order } = targets[number % targets.length]!;
    const path = `/email/getmessage?id=${order?.id}&token=${order?.token}`;
    const answer = await (await fetch(`http://127.0.0.1:${shop.port}${path}`)).text();
    if (!answer.includes('"status":"success"')) wrong++;
  }
  return wrong;
}

// From the last byte of a letter to the answer of the waiting program over HTTP, at a steady rate.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ask, withShop } from "./letters.measure.kit.ts";
import { furnish, type Place } from "./letters.place.kit.ts";
import { at, clock, withFolder } from "./process.kit.ts";
import type { Watch, Watched } from "./letters.wait.kit.ts";
import type { Shop } from "./shop.kit.ts";

const connections = 100;
/** Only some letters are waited for; all would be a load of its own. */
const waitsPerSecond = 50;
const aheadMilliseconds = 2_000;
const leadMilliseconds = 4_000;

export interface Pace {
  sizeBytes: number;
  perSecond: number;
  seconds: number;
  first: number;
}

/** `letters latency [letters a second]`; without a rate: half of the highest. */
export async function measure(words: readonly string[]): Promise<void> {
  const perSecond = Number(words[0] ?? 200);
  const seconds = Number(process.env["BENCH_SECONDS"] ?? 30);
  await withFolder(async (folder) => {
    const place = await furnish(folder, Math.ceil(perSecond * seconds * 2 * 1.1), 10);
    await withShop(place, async (_, shop) => {
      for (const [turn, sizeBytes] of [2_000, 30_000].entries())
        await measureLatency(place, shop, {
          sizeBytes,
          perSecond,
          seconds,
          first: turn * perSecond * seconds,
        });
    });
  });
}

export async function measureLatency(place: Place, shop: Shop, pace: Pace): Promise<void> {
  const { sizeBytes, perSecond, seconds, first } = pace;
  const client = fork(join(import.meta.dirname, "letters.load.kit.ts"));
  const buyers = fork(join(import.meta.dirname, "letters.wait.kit.ts"));
  try {
    const start = clock() + leadMilliseconds;
    const every = Math.max(1, Math.round(perSecond / waitsPerSecond));
    const waits: Watch["waits"] = [];
    for (let index = 0; index < Math.floor(perSecond * seconds); index += every) {
      const { order } = place.targets[(first + index) % place.targets.length]!;
      const opensAt = start + (index * 1000) / perSecond - aheadMilliseconds;
      if (order) waits.push({ number: first + index, ...order, opensAt });
    }
    const read = once(buyers, "message");
    buyers.send({ port: shop.port, waits } satisfies Watch);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, start - clock())));
    const { targetsFile } = place;
    const load = { port: shop.smtpPort, connections, sizeBytes, targetsFile, first, seconds, perSecond };
    const sent = await ask(client, load);
    const [{ readAt, refused }] = (await read) as [Watched];
    const endedAt = new Map(sent.accepted);
    const took = readAt
      .flatMap(([number, at]) => (endedAt.has(number) ? [at - endedAt.get(number)!] : []))
      .toSorted((one, other) => one - other);
    const rate = Math.round(sent.accepted.length / sent.seconds);
    console.log(
      `${sizeBytes / 1000} KB at ${rate} letters/s: end of DATA to readable p50 ${at(took, 0.5).toFixed(1)}, p99 ${at(took, 0.99).toFixed(1)}, longest ${at(took, 1).toFixed(1)} ms (${took.length} of ${waits.length} that were waited for)`,
    );
    if (sent.refused.length + refused.length > 0) console.log(sent.refused.join("; "), refused.join("; "));
  } finally {
    client.kill();
    buyers.kill();
  }
}

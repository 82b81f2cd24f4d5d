// Letters a second that are parsed, matched and readable for a minute, one per order; Postfix with maildirs and inbucket are peers.
// Then, at half of that rate, the delay to the buyer.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { measureLatency } from "./letters.latency.ts";
import { measureLoad, printParts, withPeer, withShop, type Figure } from "./letters.measure.kit.ts";
import { ready } from "./letters.peers.kit.ts";
import { furnish, type Place } from "./letters.place.kit.ts";
import { printTable, withFolder } from "./process.kit.ts";
import type { Shop } from "./shop.kit.ts";

const seconds = Number(process.env["BENCH_SECONDS"] ?? 60);
const latencySeconds = Math.min(30, seconds);
const sizes = [2_000, 30_000];
const connections = 100;
const peerMailboxes = 1_000;
const sampled = 500;
const ordersPerSecond = 3_500;

export async function measure(): Promise<void> {
  await withFolder(async (folder) => {
    const peers = await ready(folder, ["Postfix", "inbucket"]);
    const addressesFile = join(folder, "peer.json");
    for (const sizeBytes of sizes) {
      const own = join(folder, String(sizeBytes));
      const place = await furnish(own, seconds * ordersPerSecond, 10);
      const targets = place.targets.slice(0, peerMailboxes);
      await writeFile(addressesFile, JSON.stringify(targets));
      const load = { sizeBytes, connections, seconds, first: 0 };
      const figures = await withShop(place, async (receiver, shop) => {
        const figure = await measureLoad(receiver, { ...load, targetsFile: place.targetsFile });
        await readSome(place, shop, Math.floor(figure.donePerSecond * seconds * 0.9));
        const first = place.targets.length - Math.floor((figure.readablePerSecond / 2) * latencySeconds);
        await measureLatency(place, shop, {
          sizeBytes,
          perSecond: figure.readablePerSecond / 2,
          seconds: latencySeconds,
          first,
        });
        return [figure];
      });
      for (const peer of peers)
        figures.push(
          await withPeer(
            peer,
            folder,
            targets.map(({ address }) => address),
            (receiver) => measureLoad(receiver, { ...load, targetsFile: addressesFile }),
          ),
        );
      print(sizeBytes, figures);
    }
  });
}

/** Reads a sample over the API; the number in the subject proves the right one. */
async function readSome(place: Place, shop: Shop, sent: number): Promise<void> {
  let right = 0;
  for (let turn = 0; turn < sampled; turn++) {
    const number = Math.floor((turn * sent) / sampled);
    const { order } = place.targets[number]!;
    const path = `/email/getmessage?id=${order?.id}&token=${order?.token}`;
    const answer = (await (await fetch(`http://127.0.0.1:${shop.port}${path}`)).json()) as Record<
      string,
      unknown
    >;
    const code = String(100_000 + (number % 900_000));
    if (answer["code"] === code && String(answer["subject"]).includes(`letter ${number}`)) right++;
  }
  console.log(`${right} of ${sampled} letters read over the API were the right ones, with their codes`);
}

function print(sizeBytes: number, figures: readonly Figure[]): void {
  const shop = figures[0]!;
  console.log(`\n${sizeBytes / 1000} KB, ${connections} connections, ${seconds} s\n`);
  printTable(
    figures.map((figure) => ({
      program: figure.name,
      "readable/s": Math.round(figure.readablePerSecond),
      "shop against it":
        figure === shop ? "" : `${(shop.readablePerSecond / figure.readablePerSecond).toFixed(1)} x`,
      "answered 250/s": Math.round(figure.perSecond),
      "until all done/s": Math.round(figure.donePerSecond),
      "CPU ms each": figure.cpuEach.toFixed(2),
    })),
  );
  printParts(shop);
}

// Letters a second that are answered 250, by the shop with orders at every second mailbox and by peers in turn, on one disk.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  measureLoad,
  printParts,
  withPeer,
  withShop,
  type Figure,
  type Receiver,
} from "./letters.measure.kit.ts";
import { ready } from "./letters.peers.kit.ts";
import { furnish } from "./letters.place.kit.ts";
import { printTable, withFolder } from "./process.kit.ts";

const sizes = [2_000, 30_000];
const connectionCounts = [10, 100];
const seconds = Number(process.env["BENCH_SECONDS"] ?? 6);
const mailboxes = 100_000;
/** Fewer mailboxes make it easier for the maildir peers. */
const peerMailboxes = 1_000;

export async function measure(words: readonly string[]): Promise<void> {
  await withFolder(async (folder) => {
    const peers = await ready(folder, words);
    const place = await furnish(folder, mailboxes, 5);
    const targets = place.targets.slice(0, peerMailboxes);
    const addresses = targets.map(({ address }) => address);
    const targetsFile = join(folder, "peer.json");
    await writeFile(targetsFile, JSON.stringify(targets));
    let first = 0;
    for (const sizeBytes of sizes)
      for (const connections of connectionCounts) {
        const load = { sizeBytes, connections, seconds, first };
        const own = { ...load, targetsFile: place.targetsFile };
        const figures = [await withShop(place, (shop) => measureLoad(shop, own))];
        const measurePeer = (receiver: Receiver) => measureLoad(receiver, { ...load, targetsFile });
        for (const peer of peers) figures.push(await withPeer(peer, folder, addresses, measurePeer));
        first += 1_000_000;
        print(sizeBytes, connections, figures);
      }
  });
}

function print(sizeBytes: number, connections: number, figures: readonly Figure[]): void {
  const shop = figures[0]!;
  console.log(`\n${sizeBytes / 1000} KB, ${connections} connections\n`);
  printTable(
    figures.map((figure) => ({
      program: figure.name,
      "letters/s": Math.round(figure.perSecond),
      "shop against it": figure === shop ? "" : `${(shop.perSecond / figure.perSecond).toFixed(1)} x`,
      "until all done/s": Math.round(figure.donePerSecond),
      "p50 ms": figure.p50.toFixed(1),
      "p99 ms": figure.p99.toFixed(1),
      "CPU ms each": figure.cpuEach.toFixed(2),
    })),
  );
  printParts(shop);
}

// Letters a second, and how long one takes to be read, with letters on two workers of a Citus cluster; the peer is one server of the
// same PostgreSQL. All are on this machine, so the cluster shows what it costs, not what it gains.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { migrate } from "../src/server/platform/db/migrate.ts";
import { distributeLetters } from "../src/server/letters/letters.ts";
import { attempt } from "../src/server/platform/db/db.ts";
import { citusVersion, debianPrograms, makeServer, serverFolder, startCitus } from "../test/kit/servers.ts";
import { measureLoad, withShop, type Figure } from "./letters.measure.kit.ts";
import { furnish } from "./letters.place.kit.ts";
import { at, printTable, withFolder } from "./process.kit.ts";
import { onDatabase } from "./shop.kit.ts";

const seconds = Number(process.env["BENCH_SECONDS"] ?? 30);
const sizes = [2_000, 30_000];
const shards = Number(process.env["BENCH_SHARDS"] ?? 8);
const connections = 50;
const lettersPerSecond = 2_500;
const reads = 500;

interface Row {
  readonly name: string;
  readonly sizeBytes: number;
  readonly figure: Figure;
  readonly read: readonly number[];
}

export async function measure(): Promise<void> {
  if (citusVersion === undefined) return console.log("SKIPPED: no PostgreSQL here has Citus");
  const version = citusVersion;
  const rows: Row[] = [];
  for (const sizeBytes of sizes) {
    await using undo = new AsyncDisposableStack();
    const after = (step: () => Promise<void>) => undo.defer(step);
    const folder = await serverFolder(after);
    const one = await makeServer(debianPrograms(folder, version), folder, { after });
    await one.start({ fsync: "on" });
    rows.push(await measureOn("one server", one.url, sizeBytes));
    const cluster = await startCitus(version, after, { fsync: "on" });
    await onDatabase({ dataDir: "", databaseUrl: cluster.url }, async (db) => {
      await migrate(db);
      await attempt(db, (tx) => distributeLetters(tx, shards));
    });
    rows.push(await measureOn(`cluster, ${shards} shards`, cluster.url, sizeBytes));
  }
  print(rows);
}

const measureOn = (name: string, databaseUrl: string, sizeBytes: number): Promise<Row> =>
  withFolder(async (folder) => {
    await mkdir(join(folder, "shop"));
    const place = await furnish(folder, (seconds + 2) * lettersPerSecond, 10, databaseUrl);
    const load = { sizeBytes, connections, seconds, first: 0, targetsFile: place.targetsFile };
    return withShop(place, async (receiver, { port }) => {
      const figure = await measureLoad(receiver, load);
      const read = [];
      for (let nth = 0; nth < reads; nth++) {
        const { order } = place.targets[nth]!;
        const start = performance.now();
        const answer = await fetch(
          `http://127.0.0.1:${port}/email/getmessage?id=${order?.id}&token=${order?.token}`,
        );
        const said = (await answer.json()) as Record<string, unknown>;
        if (said["status"] !== "success")
          throw new Error(`letter ${nth} was not read: ${String(said["value"])}`);
        read.push(performance.now() - start);
      }
      return { name, sizeBytes, figure, read: read.toSorted((a, b) => a - b) };
    });
  });

function print(rows: readonly Row[]): void {
  printTable(
    rows.map(({ name, sizeBytes, figure, read }) => {
      const peer = rows.find((row) => row.sizeBytes === sizeBytes)!;
      const isPeer = name === peer.name;
      return {
        KB: sizeBytes / 1000,
        letters: name,
        "readable/s": Math.round(figure.readablePerSecond),
        "of one server": isPeer
          ? ""
          : `${(figure.readablePerSecond / peer.figure.readablePerSecond).toFixed(2)} x`,
        "250 after ms (p50, p99)": `${figure.p50.toFixed(0)}, ${figure.p99.toFixed(0)}`,
        "read in ms (p50, p99)": `${at(read, 0.5).toFixed(1)}, ${at(read, 0.99).toFixed(1)}`,
      };
    }),
  );
}

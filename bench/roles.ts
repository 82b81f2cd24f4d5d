// What a process of each role takes of a machine at rates of orders, each with a letter and two polls: processor and memory.
// BENCH_RATES names the rates (1,10,100), BENCH_SECONDS how long each is held (60).
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../src/server/platform/db/db.ts";
import { startEmbedded } from "../src/server/platform/db/embedded.ts";
import { databasePidOf } from "../test/kit/process.ts";
import {
  addBuyers,
  type Clients,
  type Done,
  domain,
  type Pace,
  person,
  startShop,
} from "../test/kit/soak.ts";
import { cpuOf, memoryOf, printTable, withFolder } from "./process.kit.ts";

const rates = (process.env["BENCH_RATES"] ?? "1,10,100").split(",").map(Number);
const seconds = Number(process.env["BENCH_SECONDS"] ?? 60);
const roles = ["web", "smtp", "jobs"] as const;
const log = { info: () => undefined, warn: (text: string) => console.warn(text) };
const buyers = 50;

const paceOf = (orders: number): Pace => ({
  seconds,
  orders,
  polls: 2 * orders,
  signIns: 0,
  payments: 0,
  streams: buyers,
  lines: 0,
  killSeconds: Infinity,
});

export const measure = (): Promise<void> =>
  withFolder(async (folder) => {
    const server = await startEmbedded({ dataDir: folder, log });
    const db = connect(server.url, { max: 2, name: "roles" });
    const shops: Awaited<ReturnType<typeof startShop>>[] = [];
    try {
      for (const role of roles) shops.push(await startShop({ folder, databaseUrl: server.url, roles: role }));
      const most = rates.reduce((sum, rate) => sum + rate, 0);
      const tokens = await addBuyers(db, paceOf(most));
      const pids = new Map<string, number>([["database", await databasePidOf(folder)]]);
      roles.forEach((role, nth) => pids.set(role, shops[nth]?.pid() ?? 0));
      const rows: Record<string, string | number>[] = [];
      rows.push(await taken(pids, { "orders a second": "none" }, () => sleep(seconds * 1000)));
      for (const rate of rates) {
        const [web, smtp] = shops;
        const clients = {
          pace: paceOf(rate),
          webPorts: [web!.port],
          smtpPort: smtp!.smtpPort,
          domain,
          tokens,
          person,
        };
        let done: Done | undefined;
        rows.push(
          await taken(pids, { "orders a second": rate }, async () => void (done = await drive(clients))),
        );
        console.log(
          `${rate}: ${done?.orders.length} orders, ${done?.letters.length} letters, ${done?.refused.length} refused`,
        );
      }
      printTable(rows);
    } finally {
      await Promise.all(shops.map((shop) => shop.stop()));
      await db.end();
      await server.stop();
    }
  });

async function drive(clients: Clients): Promise<Done> {
  const load = fork(new URL("../test/kit/soak.load.ts", import.meta.url));
  try {
    load.send(clients);
    const [{ done }] = (await once(load, "message")) as [{ done: Done }];
    return done;
  } finally {
    load.kill();
  }
}

/** What each process took during `work`: of a processor in percent, and its memory at the end. */
async function taken(
  pids: ReadonlyMap<string, number>,
  row: Record<string, string | number>,
  work: () => Promise<unknown>,
): Promise<Record<string, string | number>> {
  const before = new Map<string, number>();
  for (const [role, pid] of pids) before.set(role, await cpuOf(pid));
  const begun = performance.now();
  await work();
  const took = performance.now() - begun;
  const cells = { ...row };
  for (const [role, pid] of pids) {
    const part = ((await cpuOf(pid)) - (before.get(role) ?? 0)) / took;
    cells[`${role}: %, MB`] = `${(part * 100).toFixed(1)}, ${Math.round((await memoryOf(pid)) / 2 ** 20)}`;
  }
  return cells;
}

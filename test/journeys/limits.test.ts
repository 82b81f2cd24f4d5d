// @module-tag slow
// What a start says of the limits of its machine, and what a process says that has come to one.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { connect as connectTo } from "../../src/server/platform/db/db.ts";
import { listenerName } from "../../src/server/platform/db/pools.ts";
import { createDatabase } from "../kit/database.ts";
import { freePort } from "../kit/port.ts";
import { environment, ready, spawnShop } from "../kit/process.ts";

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

interface Process {
  readonly url: string;
  readonly smtpPort: number;
  readonly lines: readonly Line[];
  /** The first line of the log that says this, when it comes. */
  readonly says: (what: string) => Promise<Line>;
}

/** A process of a shop on this database, and what it logs. */
async function start(
  databaseUrl: string,
  settings: Record<string, string>,
  openFiles?: number,
): Promise<Process> {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-limits-"));
  const place = { port: await freePort(), smtpPort: await freePort(), dataDir };
  const own = {
    DATABASE_URL: databaseUrl,
    SECRET_KEY: "ef494d78e3f38f737d28cc5f0ffe2a4af3044c29f3a096309e48b2dcdbe23602",
  };
  const before = openFiles === undefined ? undefined : `ulimit -n ${openFiles}`;
  const child = spawnShop({ ...environment(place), ...own, DEMO: "true", ...settings }, [], before);
  onTestFinished(async () => {
    await stop(child);
    await rm(dataDir, { recursive: true });
  });
  const lines: Line[] = [];
  const read = createInterface(child.stdout);
  read.on("line", (line) => line.startsWith("{") && lines.push(JSON.parse(line) as Line));
  await ready(child);
  return {
    url: `http://127.0.0.1:${place.port}`,
    smtpPort: place.smtpPort,
    lines,
    says: async (what) => {
      for (;;) {
        const found = lines.find(({ msg }) => msg.includes(what));
        if (found) return found;
        await once(read, "line");
      }
    },
  };
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
}

test("a start names a misspelt setting, and connections that the database cannot give to all processes", async () => {
  const { db, url } = await createDatabase({ isStocked: true });
  const first = await start(url, { TRUST_PROXI: "loopback" });
  expect(await first.says("not a setting")).toMatchObject({
    level: "warn",
    msg: "TRUST_PROXI is not a setting and changes nothing: is TRUST_PROXY meant?",
  });
  expect(first.lines.filter(({ msg }) => msg.includes("max_connections"))).toEqual([]);

  // As if ten more processes ran.
  const others = connectTo(url, { max: 10, name: listenerName });
  const sessions = await Promise.all(Array.from({ length: 10 }, () => others.reserve()));
  onTestFinished(() => {
    for (const session of sessions) session.release();
    return others.end();
  });
  const [server] = await db<{ max: number }[]>`select current_setting('max_connections')::integer as max`;
  const given = server!.max - 3;
  expect(given).toBeLessThan(12 * 37);
  const last = await start(url, { ROLES: "jobs" });
  expect(await last.says("max_connections")).toMatchObject({
    level: "warn",
    processes: 12,
    need: 12 * 37,
    given,
    msg: `12 processes of the shop may open ${12 * 37} connections, but the database gives ${given}: raise its max_connections`,
  });
  expect(last.lines.filter(({ msg }) => msg.includes("not a setting"))).toEqual([]);
});

test("a process without a descriptor left says so once, counts it, and goes on when there are some", async () => {
  const { url: databaseUrl } = await createDatabase({ isStocked: true });
  const shop = await start(databaseUrl, {}, 300);
  expect(await shop.says("ulimit")).toMatchObject({ level: "warn", max: 300, need: 24_250 });

  // A caller that finds no descriptor is hung up on, and comes again.
  const held = new Set<Socket>();
  let isCalling = true;
  const call = () => {
    const socket = connect(shop.smtpPort, "127.0.0.1").on("error", () => undefined);
    held.add(socket);
    socket.once("close", () => {
      held.delete(socket);
      if (isCalling) call();
    });
  };
  for (let callers = 0; callers < 300; callers++) call();
  expect(await shop.says("no more files")).toMatchObject({
    level: "error",
    max: 300,
    err: { code: "EMFILE" },
  });
  isCalling = false;
  for (const socket of held) socket.destroy();
  await shop.says("can be opened again");
  const metrics = await (await fetch(`${shop.url}/metrics`)).text();
  expect(Number(/^postern_files_exhausted_seconds_total (\d+)/m.exec(metrics)?.[1])).toBeGreaterThan(0);
  expect((await fetch(`${shop.url}/readyz`)).status).toBe(200);
  expect(shop.lines.filter(({ msg }) => msg.includes("no more files"))).toHaveLength(1);
});

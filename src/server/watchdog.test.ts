import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { expect, onTestFinished, test, vi } from "vitest";
import { lifeOf } from "./alive.ts";
import { registerHealth } from "./health.ts";
import type { Db } from "./platform/db/db.ts";
import { schedulerOf } from "./platform/jobs/scheduler.ts";
import { openWatchdog } from "./watchdog.ts";

/** A process whose pool answers by `answer`, in simulated time. */
function watched(answer: () => Promise<unknown>) {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const db = vi.fn<() => Promise<unknown>>(answer) as unknown as Db;
  const watchdog = openWatchdog(db);
  onTestFinished(() => watchdog.close());
  const app = Fastify();
  registerHealth(app, [], undefined, {}, [], () => watchdog.still());
  const health = async () => {
    const { statusCode, json } = await app.inject("/healthz");
    return { statusCode, still: (json() as { still?: string[] }).still };
  };
  return { db, health, passes: (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000) };
}

const never = () => new Promise<never>(() => undefined);
const alive = { statusCode: 200, still: undefined };

test("a process whose database answers, or is away and says so, lives", async () => {
  const answers = watched(async () => []);
  await answers.passes(120);
  expect(await answers.health()).toEqual(alive);
  const away = watched(async () => Promise.reject(new Error("ECONNREFUSED")));
  await away.passes(120);
  expect(await away.health()).toEqual(alive);
});

test("a pool that neither answers nor refuses for half a minute stands still", async () => {
  const { health, passes } = watched(never);
  await passes(25);
  expect(await health()).toEqual(alive);
  await passes(10);
  expect(await health()).toEqual({ statusCode: 503, still: ["pool"] });
});

test("a scheduler that gets no answer for half a minute stands still", async () => {
  let isAnswering = true;
  const { db, health, passes } = watched(async () => (isAnswering ? [] : never()));
  const job = schedulerOf(db).add({
    name: "job",
    seconds: 3600,
    log: { error: () => undefined },
    work: async () => undefined,
  });
  await passes(5);
  expect(await health()).toEqual(alive);
  isAnswering = false;
  await passes(40);
  expect((await health()).still).toContain("scheduler");
  void job.stop();
});

test("an event loop whose turns take seconds stands still, and lives again when they do not", async () => {
  const { health, passes } = watched(async () => []);
  await passes(3);
  vi.setSystemTime(Date.now());
  const before = performance.now;
  vi.spyOn(performance, "now").mockImplementation(() => before.call(performance) + 8_000);
  expect((await health()).still).toContain("event loop");
  await passes(1);
  expect((await health()).still).toContain("event loop");
  await passes(1);
  expect(await health()).toEqual(alive);
});

test("whoever asks tells a shop that stands still from one that has not started", async () => {
  let status = 200;
  const server = createServer((_request, response) => void (status > 0 && response.writeHead(status).end()));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await lifeOf(url, 5_000)).toBe("alive");
  status = 503;
  expect(await lifeOf(url, 5_000)).toBe("still");
  status = 0;
  expect(await lifeOf(url, 100)).toBe("still");
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  expect(await lifeOf(url, 5_000)).toBe("starting");
});

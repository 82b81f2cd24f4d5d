// What periodic jobs do to the shop, and to one another, when connections and processes stop.
import { spawn } from "node:child_process";
import { on, once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { attempt, connect, type Db } from "../../src/server/platform/db/db.ts";
import { schedule, type Job } from "../../src/server/platform/jobs/scheduler.ts";
import { createDatabase } from "../kit/database.ts";

const log = { error: () => undefined };
const forever = 3600;

function pool(url: string, max: number, name: string): Db {
  const opened = connect(url, { max, name });
  onTestFinished(() => opened.end({ timeout: 1 }));
  return opened;
}

const stopAfter = (...jobs: Job[]) =>
  onTestFinished(async () => void (await Promise.all(jobs.map((job) => job.stop()))));

test("more jobs than the pool has connections, all due at once, are all done, and a call is answered beside them", async () => {
  const { url } = await createDatabase();
  const db = pool(url, 4, "shop");
  const done: string[] = [];
  const all = Promise.withResolvers<void>();
  const jobs = Array.from({ length: 12 }, (_, index) =>
    schedule({
      name: `job ${index}`,
      seconds: forever,
      db,
      log,
      work: async () => {
        await attempt(db, async (tx) => void (await tx`select pg_sleep(0.01)`));
        if (done.push(`job ${index}`) === 12) all.resolve();
      },
    }),
  );
  stopAfter(...jobs);
  const turns = jobs.map((job) => job.now());
  expect(await db`select 1 as still`).toEqual([{ still: 1 }]);
  await Promise.all([all.promise, ...turns]);
  expect(new Set(done).size).toBe(12);
});

test("a job whose process has lost every connection is run by no other meanwhile, and fails with its own fault", async () => {
  const { db, url } = await createDatabase();
  const [mine, others] = [pool(url, 3, "mine"), pool(url, 2, "others")];
  const [started, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let ran = 0;
  const first = schedule({
    name: "shared",
    seconds: forever,
    db: mine,
    log,
    work: async () => {
      started.resolve();
      await held.promise;
      throw new Error("its own");
    },
  });
  const second = schedule({
    name: "shared",
    seconds: forever,
    db: others,
    log,
    work: async () => void ran++,
  });
  stopAfter(second, first);
  onTestFinished(() => held.resolve());
  const turn = first.now().catch((fault: Error) => fault.message);
  await started.promise;
  await db`select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'mine'`;
  await second.now();
  expect(ran).toBe(0);
  held.resolve();
  expect(await turn).toBe("its own");
  await second.now();
  expect(ran).toBe(1);
});

test("a job of a process that froze is taken over when its lease is over, and its own turn stops when that wakes", async () => {
  const leaseMs = 600;
  const { db, url } = await createDatabase();
  const script = fileURLToPath(new URL("holder.ts", import.meta.url));
  const child = spawn(process.execPath, [script, url, String(leaseMs)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = on(createInterface(child.stdout), "line");
  const said = async () => ((await lines.next()).value as [string])[0];
  expect(await said()).toBe("began");
  const taken = vi.fn<() => Promise<void>>(async () => undefined);
  const job = schedule({ name: "shared", seconds: forever, db, log, work: taken });
  stopAfter(job);
  await job.now();
  expect(taken).not.toHaveBeenCalled();
  child.kill("SIGSTOP");
  await expect
    .poll(async () => {
      await job.now();
      return taken.mock.calls.length;
    })
    .toBeGreaterThan(0);
  const gone = once(child, "exit");
  child.kill("SIGCONT");
  expect(await said()).toContain("LeaseLost");
  await gone;
});

test("a job of a process that was killed is taken over at once by the next one on its machine", async () => {
  const { db, url } = await createDatabase();
  const script = fileURLToPath(new URL("holder.ts", import.meta.url));
  const child = spawn(process.execPath, [script, url, "60000"], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = on(createInterface(child.stdout), "line");
  expect(((await lines.next()).value as [string])[0]).toBe("began");
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
  const taken = Promise.withResolvers<void>();
  stopAfter(schedule({ name: "shared", seconds: 0.01, db, log, work: async () => taken.resolve() }));
  await taken.promise;
});

test("a job of each day is due at its time, and one that was due in a time that the clock was put back from is due now", async () => {
  const { db } = await createDatabase();
  let runs = 0;
  const daily = schedule({ name: "daily", at: "08:00", db, log, work: async () => undefined });
  const often = schedule({ name: "often", seconds: 0.01, db, log, work: async () => void runs++ });
  stopAfter(daily, often);
  await daily.now();
  const [row] = await db<{ hour: number; isNext: boolean }[]>`
    select extract(hour from due_at at time zone 'UTC')::integer as hour,
           due_at > now() and due_at <= now() + interval '1 day' as "isNext" from job where name = 'daily'`;
  expect(row).toEqual({ hour: 8, isNext: true });
  await db`update job set due_at = now() + interval '1 hour' where name = 'often'`;
  const before = runs;
  await expect.poll(() => runs).toBeGreaterThan(before + 1);
});

test("jobs whose rows were lost are made known again", async () => {
  const { db } = await createDatabase();
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  let runs = 0;
  const job = schedule({ name: "often", seconds: 0.01, db, log, work: async () => void runs++ });
  stopAfter(job);
  await expect.poll(() => runs).toBeGreaterThan(0);
  await db`truncate job`;
  const before = runs + 1;
  vi.advanceTimersByTime(61_000);
  await expect.poll(() => runs).toBeGreaterThan(before);
});

import { afterAll, expect, test, vi } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { connect } from "../db/db.ts";
import { forgetJobs, schedule, type Job } from "./scheduler.ts";

const { db, url, drop } = await createDatabase();
afterAll(drop);

const log = { error: vi.fn<(details: object, message: string) => void>() };
const forever = 3600;

/** A promise that the test keeps. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

test("a job runs again and again until it is stopped", async () => {
  let turns = 0;
  const job = schedule({
    name: "often",
    seconds: 0.01,
    db,
    log,
    work: async () => {
      turns += 1;
    },
  });
  await expect.poll(() => turns).toBeGreaterThan(2);
  await job.stop();
  const last = turns;
  await job.now();
  expect(turns).toBe(last);
});

test("a turn that fails is logged, and the next one comes", async () => {
  let turns = 0;
  const job = schedule({
    name: "fails",
    seconds: 0.01,
    db,
    log,
    work: async () => {
      turns += 1;
      if (turns === 1) throw new Error("broken");
    },
  });
  await expect.poll(() => turns).toBeGreaterThan(1);
  await job.stop();
  expect(log.error).toHaveBeenCalledTimes(1);
  expect(log.error.mock.calls[0]?.[0]).toMatchObject({ job: "fails", err: { message: "broken" } });
});

test("a fault that comes again and again is logged once, another one and one after a good turn again", async () => {
  const faults = ["broken", "broken", "broken", "else", "", "else", ""];
  log.error.mockClear();
  const job = schedule({
    name: "fails often",
    seconds: 0.01,
    db,
    log,
    work: async () => {
      const fault = faults.shift();
      if (fault) throw new Error(fault);
    },
  });
  await expect.poll(() => faults).toEqual([]);
  await job.stop();
  const told = log.error.mock.calls.map(([details]) => (details as { err: Error }).err.message);
  expect(told).toEqual(["broken", "else", "else"]);
});

test("how each turn went is written down, and what an address says beside its host is not", async () => {
  const row = async () =>
    (
      await db`select seconds, began_at is not null as began, ended_at is not null as ended, failures, error from job where name = 'told'`
    )[0];
  const faults = [new Error("https://key:secret@node.example:8545/v2/key?token=a is away"), undefined];
  const job = schedule({
    name: "told",
    seconds: forever,
    db,
    log,
    work: async () => {
      const fault = faults.shift();
      if (fault) throw fault;
    },
  });
  await expect.poll(row).toEqual({ seconds: forever, began: false, ended: false, failures: 0, error: null });
  await expect(job.now()).rejects.toThrow();
  const error = "https://node.example:8545 is away";
  expect(await row()).toEqual({ seconds: forever, began: true, ended: true, failures: 1, error });
  await job.now();
  expect(await row()).toMatchObject({ failures: 0, error });
  await job.stop();
});

test("a turn that is asked for now throws its fault to who asked", async () => {
  const work = () => Promise.reject(new Error("broken now"));
  const job = schedule({ name: "now", seconds: forever, db, log, work });
  await expect(job.now()).rejects.toThrow("broken now");
  await job.stop();
});

test("in two processes only one turn of a name runs at a time, and another name is not held back", async () => {
  const elsewhere = connect(url, { max: 1 });
  const held = gate();
  const started = gate();
  let others = 0;
  const count = async () => {
    others += 1;
  };
  const jobs: Job[] = [
    schedule({
      name: "shared",
      seconds: forever,
      db,
      log,
      work: async () => {
        started.open();
        await held.opened;
      },
    }),
    schedule({ name: "shared", seconds: forever, db: elsewhere, log, work: count }),
    schedule({ name: "another", seconds: forever, db: elsewhere, log, work: count }),
  ];
  const long = jobs[0]?.now();
  await started.opened;
  await jobs[1]?.now();
  expect(others).toBe(0);
  await jobs[2]?.now();
  expect(others).toBe(1);
  held.open();
  await long;
  await jobs[1]?.now();
  expect(others).toBe(2);
  for (const job of jobs) await job.stop();
  await elsewhere.end();
});

test("stopping tells the running turn and waits for its end", async () => {
  const started = gate();
  let isEnded = false;
  const job = schedule({
    name: "stops",
    seconds: forever,
    db,
    log,
    work: async (signal) => {
      started.open();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      isEnded = true;
    },
  });
  const running = job.now();
  await started.opened;
  await job.stop();
  expect(isEnded).toBe(true);
  await running;
});

test("a job of a release before is forgotten when nobody has run it for minutes, and no other", async () => {
  const names = ["of before", "of before, running", "of before, leased", "of now"];
  await db`
    insert into job (name, seconds, due_at, leased_until)
    select name, 1, now() - make_interval(mins => late), now() + make_interval(mins => leased)
    from unnest(${names}::text[], array[6, 4, 6, 6], array[null, null, 1, null]::int[]) t (name, late, leased)`;
  await forgetJobs(db, names.slice(0, 3));
  const left = await db<{ name: string }[]>`select name from job where name like 'of %' order by name`;
  expect(left.map(({ name }) => name)).toEqual(names.slice(1, 3).toSorted().concat("of now"));
});

import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { withoutJobs } from "./held-jobs.ts";
import { schedule } from "./scheduler.ts";

const { db, drop } = await createDatabase();
afterAll(drop);

test("while a command needs quiet no job takes a turn, except those it leaves out; then all go on", async () => {
  const turns = { expire: 0, talk: 0 };
  const log = { error: () => undefined };
  const job = (name: keyof typeof turns) =>
    schedule({ name, seconds: 3600, db, log, work: async () => void turns[name]++ });
  const jobs = [job("expire"), job("talk")];
  const all = () => Promise.all(jobs.map((one) => one.now()));
  await all();
  expect(turns).toEqual({ expire: 1, talk: 1 });
  await withoutJobs(db, "talk", async () => {
    await all();
    expect(turns).toEqual({ expire: 1, talk: 2 });
  });
  await all();
  expect(turns).toEqual({ expire: 2, talk: 3 });
  await Promise.all(jobs.map((one) => one.stop()));
});

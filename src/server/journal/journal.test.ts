import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { attempt } from "../platform/db/db.ts";
import { list, note } from "./journal.ts";

async function journal() {
  const { db, drop } = await createDatabase();
  onTestFinished(drop);
  return db;
}

const act = {
  by: "user 1",
  did: "users credit" as const,
  about: "user 17",
  before: { balance: "1.0" },
  reason: "gift",
};

test("an act is found by what it was done to, the newest first, with what changed", async () => {
  const db = await journal();
  await note(db, { ...act, after: { balance: "2.0", transfer: 12n } });
  await note(db, { by: "operator", did: "stock add", about: "letters.test", after: { asked: 5 } });
  expect(await list(db)).toMatchObject([{ about: "letters.test" }, { about: "user 17" }]);
  expect(await list(db, { about: "user 17" })).toEqual([
    { ...act, id: 1n, at: expect.any(Date), after: { balance: "2.0", transfer: "12" } },
  ]);
});

test("an act that was undone is not on record", async () => {
  const db = await journal();
  await attempt(db, async (tx) => {
    await note(tx, act);
    return "no balance";
  });
  expect(await list(db)).toEqual([]);
});

test("nobody rewrites the journal", async () => {
  const db = await journal();
  await note(db, act);
  await expect(db`update audit_log set by = 'nobody'`).rejects.toThrow("never changed");
  await expect(db`delete from audit_log`).rejects.toThrow("never changed");
  await expect(db`truncate audit_log`).rejects.toThrow("never changed");
});

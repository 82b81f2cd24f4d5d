import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { lookedAt } from "../../../test/kit/looked-at.ts";
import { selectMark } from "./events.sql.ts";

const { db, drop } = await createDatabase();
afterAll(drop);

test("what was forgotten last is found without looking at what happened since", async () => {
  await db`
    insert into event (user_id, id, at, kind) overriding system value
    select 1, n, clock_timestamp() - interval '1 hour', 'balance' from generate_series(1, 5000) n`;
  await db`analyze event`;
  let mark: Awaited<ReturnType<typeof selectMark>>;
  const look = () => lookedAt(db, "event", async (tx) => (mark = await selectMark(tx)));
  expect(await look()).toBeLessThan(10);
  expect(mark).toBeUndefined();
  const [old] = await db<{ id: bigint }[]>`
    update event set at = clock_timestamp() - interval '2 days' where id = (select max(id) from event) returning id`;
  expect(await look()).toBeLessThan(10);
  expect(mark).toEqual({ id: old?.id });
});

import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { lookedAt } from "../../../../test/kit/looked-at.ts";
import { dropLate, takeDue } from "./authentication.sql.ts";

const { db, drop } = await createDatabase();
afterAll(drop);

test("what is due is taken without looking at the letters that wait for name servers", async () => {
  await db`
    insert into letter (size_bytes, mail_from, authentication_due_at)
    select 100, '', clock_timestamp() + interval '10 minutes' from generate_series(1, 5000)`;
  await db`update letter set authentication_due_at = clock_timestamp() where id = (select max(id) from letter)`;
  await db`analyze letter`;
  let taken = 0;
  const seen = await lookedAt(db, "letter", async (tx) => (taken = (await takeDue(tx, 60, 16)).length));
  expect(taken).toBe(1);
  expect(seen).toBeLessThan(20);
  expect(await lookedAt(db, "letter", (tx) => dropLate(tx, 100))).toBeLessThan(20);
});

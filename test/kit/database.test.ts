import { afterAll, expect, test } from "vitest";

import { connect } from "../../src/server/platform/db/db.ts";
import { createDatabase } from "./database.ts";

const { db, url, drop } = await createDatabase();
afterAll(drop);

test("a test file has the schema of the shop to itself", async () => {
  const [row] = await db`select current_database() as name, to_regclass('applied') is not null as migrated`;
  expect(row?.["name"]).toMatch(/^test_/);
  expect(row?.["migrated"]).toBe(true);
});

test("a connection that a test leaves open is named when its database is dropped", async () => {
  const other = await createDatabase();
  const forgotten = connect(other.url, { max: 1, name: "forgotten" });
  await forgotten`select 1`;
  await expect(other.drop()).rejects.toThrow("forgotten");
  await forgotten.end();
});

test("two databases of one file are apart", async () => {
  const other = await createDatabase();
  await other.db`create table only_there (id int)`;
  expect(await db`select to_regclass('only_there') as found`).toEqual([{ found: null }]);
  expect(other.url).not.toBe(url);
  await other.drop();
});

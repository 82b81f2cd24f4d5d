// @module-tag slow
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sayTo } from "../../test/kit/command.ts";
import { createDatabase } from "../../test/kit/database.ts";

async function emptyDemo() {
  const { db, url, drop } = await createDatabase();
  onTestFinished(drop);
  const folder = await mkdtemp(join(tmpdir(), "life-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const settings = { DATA_DIR: folder };
  const say = (...words: string[]) => sayTo(db, words, settings, url);
  return { db, say };
}

test("an empty demonstration gets a life in one command: orders in all states, and the books are right", async () => {
  const { db, say } = await emptyDemo();
  const said = await say("demo", "life", "--json");
  expect(said.err.replaceAll(/^\d+ orders\n/gm, "")).toBe("");
  const answer = JSON.parse(said.out) as { orders: number };
  expect(answer.orders).toBe(200);
  const states = await db`select status, count(*)::integer as orders from orders group by status order by status`;
  const audit = await say("audit");
  expect(audit.err).toBe("");
});

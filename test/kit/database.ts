import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { inject, onTestFinished } from "vitest";

import { clockPath, makeClock, setClock } from "../../src/server/life.sql.ts";
import { connect, type Db } from "../../src/server/platform/db/db.ts";

export interface TestDatabase {
  db: Db;
  url: string;
  drop(): Promise<void>;
}

const open = new Set<TestDatabase>();

/** A migrated database: empty, or with the demonstration's stock. It is dropped after the file. */
export async function createDatabase(
  options: { max?: number; isStocked?: boolean } = {},
): Promise<TestDatabase> {
  const server = inject("databaseServer");
  if (server.failure !== undefined) throw new Error(`the schema could not be made: ${server.failure}`);
  const name = `test_${randomBytes(6).toString("hex")}`;
  const template = options.isStocked ? server.stocked : server.template;
  // A file copy is a third of the work of the default, which logs each page.
  await asAdmin((admin) => admin.unsafe(`create database ${name} template ${template} strategy file_copy`));
  const address = new URL(server.url);
  address.pathname = `/${name}`;
  const db = connect(address.href, { max: options.max ?? 10, name: "test" });
  const database: TestDatabase = { db, url: address.href, drop: () => dropDatabase(database, name) };
  open.add(database);
  return database;
}

/** Connections to the database on which it says the time that is set. */
export async function withOwnClock({
  db,
  url,
}: Pick<TestDatabase, "db" | "url">): Promise<{ db: Db; set(at: Date): Promise<unknown> }> {
  await makeClock(db);
  const address = new URL(url);
  address.searchParams.set("options", `-c search_path=${clockPath}`);
  const other = connect(address.href, { max: 1 });
  onTestFinished(() => other.end());
  return { db: other, set: (at) => setClock(db, at) };
}

const shops = new Set<() => Promise<void>>();

/** Registers a shop's stop; answers a function that stops and forgets it. */
export function noteShop(stop: () => Promise<void>): () => Promise<void> {
  const stopOnce = async () => {
    if (shops.delete(stopOnce)) await stop();
  };
  shops.add(stopOnce);
  return stopOnce;
}

export async function closeAll(): Promise<void> {
  const left = [...shops].toReversed();
  for (const stop of left) await stop();
  for (const database of open) await database.drop();
  if (left.length > 0) throw new Error(`shops left open by this test file: ${left.length}`);
}

async function dropDatabase(database: TestDatabase, name: string): Promise<void> {
  if (!open.delete(database)) return;
  await database.db.end({ timeout: 5 });
  const left = await asAdmin(async (admin) => {
    const connections = await connectionsLeft(admin, name);
    await admin.unsafe(`drop database ${name} with (force)`);
    return connections;
  });
  if (left.length > 0) throw new Error(`connections left open by this test file: ${left.join("; ")}`);
}

/** The server needs a moment to forget a closed connection. */
async function connectionsLeft(admin: Db, name: string): Promise<string[]> {
  const until = performance.now() + 2_000;
  for (;;) {
    const found = await admin<{ who: string; last: string }[]>`
      select application_name as who, left(query, 80) as last from pg_stat_activity
      where datname = ${name} and backend_type = 'client backend'`;
    if (found.length === 0) return [];
    if (performance.now() > until) return found.map(({ who, last }) => `${who} (last said: ${last})`);
    await sleep(10);
  }
}

async function asAdmin<T>(work: (admin: Db) => Promise<T>): Promise<T> {
  const admin = connect(inject("databaseServer").url, { max: 1, name: "test-admin" });
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

import { z } from "zod/mini";
import { one, type Db, type Sql } from "./platform/db/db.ts";

export const hasOrders = async (sql: Sql) =>
  (await one(z.object({ there: z.boolean() }), sql`select exists (select from orders) as there`)).there;

/** What a connection must have as its search_path to live by the clock of `makeClock`. What it creates stays: that goes into the first. */
export const clockPath = "public,demo_clock,pg_catalog";

/**
 * The functions of the database say now() and clock_timestamp() without a schema, so that a connection which finds others first lives at
 * another time.
 */
export const makeClock = async (db: Db) => {
  await dropClock(db);
  await db`create schema demo_clock`;
  await db`create table demo_clock.delay (behind interval not null)`;
  await db`insert into demo_clock.delay values ('0')`;
  await db`create function demo_clock.now() returns timestamptz language sql stable
           as 'select pg_catalog.now() - behind from demo_clock.delay'`;
  await db`create function demo_clock.clock_timestamp() returns timestamptz language sql volatile
           as 'select pg_catalog.clock_timestamp() - behind from demo_clock.delay'`;
};

/** Nothing but the clock: the schema does not go when anything else has come into it. */
export const dropClock = async (db: Db) => {
  await db`drop function if exists demo_clock.now(), demo_clock.clock_timestamp()`;
  await db`drop table if exists demo_clock.delay`;
  await db`drop schema if exists demo_clock`;
};

export const setClock = (db: Db, at: Date) =>
  db`update demo_clock.delay set behind = pg_catalog.clock_timestamp() - ${at}::timestamptz`;

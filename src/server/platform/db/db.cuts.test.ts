// @module-tag full
// What a broken connection does to who holds it. A driver may crash there, hang, or say the rest of one
// transaction in the midst of another (docs/decisions/042, 078).
import { once } from "node:events";
import { connect as connectTcp, createServer, type AddressInfo, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { pipeline } from "node:stream/promises";
import { Readable } from "node:stream";
import { attempt, connect, type Db, type Sql } from "./db.ts";
import { deadlines } from "./deadlines.ts";

const { db, url } = await createDatabase();
await db`create table paid (who text not null)`;

beforeEach(async () => {
  await db`truncate paid`;
});

const lost = { code: "CONNECTION_CLOSED" };

function pool(max: number): Db {
  const one = connect(url, { max });
  onTestFinished(() => one.end({ timeout: 1 }));
  return one;
}

/** Ends a connection from the side of the server; resolves when that has done so. */
async function cut(sql: Sql): Promise<void> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  await end(row!.pid);
}

async function end(pid: number): Promise<void> {
  await db`select pg_terminate_backend(${pid}, 5000)`;
}

/** A way to the database that can be closed and opened again; says nothing to the first `silent` that come. */
async function passage(target: string, silent = 0) {
  const far = new URL(target);
  const near = new URL(target);
  const pairs = new Set<Socket>();
  const server = createServer((socket) => {
    if (silent-- > 0) return void pairs.add(socket.on("error", () => undefined));
    const other = connectTcp(Number(far.port), far.hostname);
    for (const each of [socket, other]) pairs.add(each.on("error", () => undefined));
    socket.on("close", () => other.destroy()).pipe(other);
    other.on("close", () => socket.destroy()).pipe(socket);
  });
  const open = async () => {
    server.listen(Number(near.port === far.port ? 0 : near.port), "127.0.0.1");
    await once(server, "listening");
  };
  const close = async () => {
    const closed = once(server, "close");
    server.close();
    for (const socket of pairs) socket.destroy();
    pairs.clear();
    await closed;
  };
  await open();
  near.port = String((server.address() as AddressInfo).port);
  onTestFinished(() => void (server.listening && close()));
  return { url: near.href, open, close };
}

const payers = async () =>
  (await db<{ who: string }[]>`select who from paid order by who`).map(({ who }) => who);

/** Lets what the socket has to tell be heard, in any number of turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await turn();
}

test.for([0, 1, 2, 5, 50])(
  "a transaction whose connection is cut %i turns before its next statement fails, and the pool goes on",
  async (count) => {
    const one = pool(1);
    const work = attempt(one, async (tx) => {
      await tx`insert into paid values ('cut')`;
      await cut(tx);
      await turns(count);
      await tx`insert into paid values ('after the cut')`;
    });
    await expect(work).rejects.toMatchObject(lost);
    await attempt(one, (tx) => tx`insert into paid values ('next')`);
    expect(await one`select 1 as still`).toEqual([{ still: 1 }]);
    expect(await payers()).toEqual(["next"]);
  },
);

test("a transaction whose connection is cut in the midst of statements fails, and the pool goes on", async () => {
  const one = pool(2);
  for (let round = 0; round < 10; round++) {
    const work = attempt(one, async (tx) => {
      const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      const statements = ["a", "b", "c"].map((who) => tx`insert into paid values (${who})`);
      const slow = tx`select pg_sleep(10)`;
      void end(row!.pid);
      await Promise.all([...statements, slow]);
    });
    await expect(work).rejects.toThrow();
    expect(await one`select 1 as still`).toEqual([{ still: 1 }]);
  }
  expect(await payers()).toEqual([]);
});

test("what a dead transaction still says is not said in the next one on its connection", async () => {
  const one = pool(1);
  const isCut = Promise.withResolvers<undefined>();
  const goesOn = Promise.withResolvers<undefined>();
  const after: unknown[] = [];
  const dead = attempt(one, async (tx) => {
    await tx`insert into paid values ('dead, before')`;
    await cut(tx);
    isCut.resolve(undefined);
    await goesOn.promise;
    after.push(await tx`insert into paid values ('dead, after')`.catch((fault: unknown) => fault));
  });
  const failed = dead.catch((fault: unknown) => fault);
  await isCut.promise;
  expect(await failed).toMatchObject(lost);
  await attempt(one, async (tx) => {
    await tx`insert into paid values ('alive, before')`;
    goesOn.resolve(undefined);
    await turns(20);
    await tx`insert into paid values ('alive, after')`;
  });
  expect(await payers()).toEqual(["alive, after", "alive, before"]);
  expect(after).toEqual([expect.objectContaining(lost)]);
});

test("statements that wait for a connection that is cut are answered", async () => {
  const one = pool(1);
  const said: Promise<unknown>[] = [];
  const work = attempt(one, async (tx) => {
    const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    for (let count = 0; count < 300; count++)
      said.push(tx`select pg_sleep(0.5)`.catch((fault: unknown) => fault));
    await end(row!.pid);
    await Promise.all(said);
  });
  await expect(work).rejects.toThrow();
  for (const fault of await Promise.all(said)) expect(fault).toBeInstanceOf(Error);
  expect(await one`select 1 as still`).toEqual([{ still: 1 }]);
});

test("a reserved connection that is cut fails what is said on it, and is nobody's when it is given back", async () => {
  const one = pool(1);
  const reserved = await one.reserve();
  await cut(reserved).catch(() => undefined);
  await turns(20);
  await expect(reserved`insert into paid values ('reserved')`).rejects.toMatchObject(lost);
  const waiting = attempt(one, async (tx) => {
    await tx`insert into paid values ('next, before')`;
    reserved.release();
    await expect(reserved`insert into paid values ('reserved')`).rejects.toMatchObject(lost);
    await tx`insert into paid values ('next, after')`;
  });
  await waiting;
  const again = await one.reserve();
  expect(await again`select 1 as still`).toEqual([{ still: 1 }]);
  again.release();
  expect(await payers()).toEqual(["next, after", "next, before"]);
});

test("reservations that are asked for while the database is away are all answered, and none takes a connection away", async () => {
  const way = await passage(url);
  const one = connect(way.url, { max: 3 });
  onTestFinished(() => one.end({ timeout: 1 }));
  await one`select 1`;
  const use = async () => {
    const reserved = await one.reserve();
    await reserved`select 1`.finally(() => reserved.release());
  };
  for (let round = 0; round < 3; round++) {
    await way.close();
    const asked = Array.from({ length: 20 }, use);
    await Promise.race(asked.map((each) => each.catch(() => undefined)));
    await way.open();
    await Promise.allSettled(asked);
    const all = await Promise.all([one.reserve(), one.reserve(), one.reserve()]);
    for (const reserved of all) reserved.release();
  }
});

test("who asks while a server does not greet in time has its next connection", async () => {
  const way = await passage(url, 1);
  const one = connect(way.url, { max: 1 });
  onTestFinished(() => one.end({ timeout: 1 }));
  expect(await one`select 1 as greeted`).toEqual([{ greeted: 1 }]);
});

test("who has waited as long as he may reads that the server did not greet", async () => {
  const way = await passage(url, 9);
  const one = connect(way.url, { max: 1, deadlines: { ...deadlines.calls, connectionMs: 6_000 } });
  onTestFinished(() => one.end({ timeout: 1 }));
  await expect(one`select 1`).rejects.toMatchObject({ code: "CONNECT_TIMEOUT" });
});

test.for([98, 99, 100, 101, 102])(
  "a transaction that begins behind %i statements has its connection for itself",
  async (count) => {
    const one = pool(1);
    await one`select 1`;
    const others = Array.from({ length: count }, (_, index) =>
      Promise.resolve(one`select ${index}::integer`),
    );
    const undone = one
      .begin(async (tx) => {
        await tx`insert into paid values ('undone')`;
        throw new Error("never mind");
      })
      .catch((fault: Error) => fault.message);
    const beside = Promise.resolve(one`insert into paid values ('beside')`);
    expect(await undone).toBe("never mind");
    await Promise.all([...others, beside]);
    expect(await payers()).toEqual(["beside"]);
  },
);

test.for([1, 100_000])(
  "a copy of %i lines that the table refuses fails, and the connection goes on",
  async (count) => {
    const one = pool(1);
    await one`create temporary table refusing (number integer check (number < 0))`;
    const lines = Readable.from(Array.from({ length: count }, () => Buffer.from("1\n")));
    await expect(pipeline(lines, await one`copy refusing from stdin`.writable())).rejects.toThrow();
    expect(await one`select 1 as still`).toEqual([{ still: 1 }]);
  },
);

test("a copy whose connection is cut behind its last line fails, and the pool goes on", async () => {
  const one = pool(1);
  await one`create temporary table slow (number integer)`;
  await one`create function pg_temp.rest() returns trigger language plpgsql as 'begin perform pg_sleep(10); return new; end'`;
  await one`create trigger rest before insert on slow for each row execute function pg_temp.rest()`;
  const [row] = await one<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const copying = await one`copy slow from stdin`.writable();
  const failed = once(copying, "error");
  copying.end("1\n");
  await turns(5);
  await end(row!.pid);
  await failed;
  expect(await one`select 1 as still`).toEqual([{ still: 1 }]);
});

// @module-tag slow
import { connect as connectTcp, createServer, type AddressInfo, type Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { connect } from "./db.ts";

/** A way to the database that can be cut in the middle of a word, as a server that dies does. */
async function cuttable(url: string) {
  const target = new URL(url);
  const databasePort = Number(target.port);
  const pairs = new Set<Socket>();
  const server = createServer((near) => {
    const far = connectTcp(databasePort, target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      pairs.add(one);
      one.on("error", () => undefined).on("close", () => other.destroy());
      one.pipe(other);
    }
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  target.port = String((server.address() as AddressInfo).port);
  onTestFinished(() => void server.close());
  return { url: target.href, cut: () => pairs.forEach((socket) => socket.resetAndDestroy()) };
}

test("every query is answered or refused, however often the connection is cut under it", async () => {
  const { url } = await createDatabase();
  const way = await cuttable(url);
  const db = connect(way.url, { max: 4 });
  let asked = 0;
  let settled = 0;
  let isOver = false;
  // Who is refused asks again at once: this query meets the driver between the error and the close of its connection.
  const client = async () => {
    while (!isOver) {
      asked++;
      await db`select pg_sleep(0.001)`.catch(() => undefined);
      settled++;
    }
  };
  const clients = Array.from({ length: 16 }, client);
  for (let round = 0; round < 10; round++) {
    const before = settled;
    await expect.poll(() => settled).toBeGreaterThan(before + 20);
    way.cut();
  }
  isOver = true;
  const all = Promise.all(clients).then(() => "settled");
  const late = new Promise((resolve) => setTimeout(resolve, 8_000, "some queries are never answered"));
  expect(await Promise.race([all, late])).toBe("settled");
  expect(settled).toBe(asked);
  await db.end({ timeout: 1 });
});

test("a small copy does not wait for the database to acknowledge each of its pieces", async () => {
  const { url } = await createDatabase();
  const db = connect(url, { max: 1 });
  onTestFinished(() => db.end());
  await db`create temporary table copied (word text)`;
  const times: number[] = [];
  for (let turn = 0; turn < 15; turn++) {
    const since = performance.now();
    await pipeline(Readable.from([Buffer.from("word\n")]), await db`copy copied from stdin`.writable());
    times.push(performance.now() - since);
  }
  expect(await db`select 1 from copied`).toHaveLength(15);
  // The least that an acknowledgement is put off is 40 ms, once a connection is some pieces old. A busy machine may slow any of
  // them, and hardly all.
  expect(Math.min(...times.slice(5))).toBeLessThan(40);
});

test("a database that is not there is said at once", async () => {
  const db = connect("postgres://nobody@127.0.0.1:1/none");
  await expect(db`select 1`).rejects.toThrow(/ECONNREFUSED/);
  await db.end({ timeout: 1 });
});

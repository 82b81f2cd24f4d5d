// @module-tag slow
// What the database does to a letter on its way: it is cut off, or keeps an order locked. A letter that was answered 250 is there once,
// and given once.
import { once } from "node:events";
import { connect as connectTcp, createServer, type AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { connect } from "../platform/db/db.ts";
import { createLog } from "../platform/log.ts";
import { type LettersOptions, openLetters } from "./letters.ts";

const { db, url } = await createDatabase();
const way = await openWay(url);
const far = connect(way.url, { max: 4 });
afterAll(async () => {
  await far.end({ timeout: 1 });
  way.close();
});

/** A way to the database that ends a connection when so many answers have come through all of them. */
async function openWay(target: string) {
  const end = new URL(target);
  const near = new URL(target);
  let left = Number.POSITIVE_INFINITY;
  const server = createServer((socket) => {
    const other = connectTcp(Number(end.port), end.hostname);
    for (const each of [socket, other]) each.setNoDelay().on("error", () => undefined);
    socket.on("data", (bytes) => void other.write(bytes)).on("close", () => other.destroy());
    other.on("close", () => socket.destroy());
    other.on("data", (bytes) => {
      left--;
      if (left === 0) socket.destroy();
      else socket.write(bytes);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  near.port = String((server.address() as AddressInfo).port);
  return {
    url: near.href,
    /** Cuts at this answer from now on; the next ones pass. */
    cutAt: (answer: number) => {
      left = answer;
    },
    /** Whether it was cut. */
    end: () => {
      const wasCut = left <= 0;
      left = Number.POSITIVE_INFINITY;
      return wasCut;
    },
    close: () => server.close(),
  };
}

const letterOf = (mailbox: bigint) => ({
  raw: Buffer.from(`From: a@site.test\r\nSubject: ${mailbox}\r\n\r\n482913 is your code\r\n`),
  mailFrom: "a@site.test",
  mailboxIds: [mailbox],
  isToPostmaster: false,
  remote: undefined,
  helo: "",
});

const orderAt = (mailboxId: bigint) => ({
  orderId: mailboxId,
  userId: 1n,
  mailboxId,
  siteId: 1,
  site: "site.test",
  subject: null,
  regex: null,
  createdAt: secondsAfter(now(), -60),
  expiresAt: secondsAfter(now(), 600),
});

const countsOf = async (mailbox: bigint) => {
  const [row] = await db<{ stored: number; given: number }[]>`
    select (select count(*)::integer from letter join recipient on letter_id = id where mailbox_id = ${mailbox}) as stored,
           (select count(*)::integer from delivery where order_id = ${mailbox}) as given`;
  return row!;
};

const give: LettersOptions["deliver"] = (tx, deliveries) =>
  tx<{ letterId: bigint }[]>`insert into delivery (order_id, letter_id, delivered_at)
    select order_id, letter_id, clock_timestamp() from unnest(
      ${deliveries.map(({ orderId }) => orderId)}::bigint[], ${deliveries.map(({ letterId }) => letterId)}::bigint[]) as d (order_id, letter_id)
    returning letter_id as "letterId"`;

const openWith = (options: Partial<LettersOptions>) =>
  openLetters(far, {
    waiting: async (sql, mailboxIds) => {
      await sql`select 1`;
      return mailboxIds.map(orderAt);
    },
    deliver: give,
    sendersOf: async () => undefined,
    log: createLog("silent"),
    limits: { calm: { letters: 256, bytes: 8_000_000, bytesOfOne: 250_000, readyMs: 1_000_000 } },
    ...options,
  });

test("a letter that was answered is there once, behind whichever answer of the database the connection is cut", async () => {
  const letters = openWith({});
  let answer = 1;
  for (; ; answer++) {
    const mailbox = BigInt(answer);
    way.cutAt(answer);
    await letters.keep(letterOf(mailbox));
    const wasCut = way.end();
    await letters.drain();
    await letters.matchBacklog(secondsAfter(now(), 5));
    expect({ answer, ...(await countsOf(mailbox)) }).toEqual({ answer, stored: 1, given: 1 });
    if (!wasCut) break;
  }
  await letters.close();
  expect(answer).toBeGreaterThan(5);
});

test("a letter whose order another transaction has locked is answered, and delivered when it is free", async () => {
  const [locked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const other = db.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(4711)`;
    locked.resolve();
    await free.promise;
  });
  await locked.promise;
  const letters = openWith({
    deliver: async (tx, deliveries) => {
      await tx`select pg_advisory_xact_lock(4711)`;
      return give(tx, deliveries);
    },
  });
  await letters.keep(letterOf(4711n));
  const whileLocked = await countsOf(4711n);
  free.resolve();
  await other;
  await letters.drain();
  await letters.close();
  expect(whileLocked).toEqual({ stored: 1, given: 0 });
  expect(await countsOf(4711n)).toEqual({ stored: 1, given: 1 });
});

import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { unpack } from "./letters.raw.ts";
import { openLetters, type Delivery, type LettersOptions } from "./letters.ts";
import type { WaitingOrder } from "./letters.ts";
import { rawOf, styled } from "../../../test/codes/sample.ts";

const { db } = await createDatabase();
const log = createLog("silent");
const mailbox = 7n;

let orders: WaitingOrder[] = [];
let given: Delivery[] = [];

beforeEach(async () => {
  await db`truncate letter, recipient, delivery`;
  orders = [];
  given = [];
});

/** `readyMs`: for ever, where a test holds nothing. */
function lettersWith(options: Partial<LettersOptions> = {}, readyMs = 1_000_000) {
  const letters = openLetters(db, {
    waiting: async (_sql, mailboxIds) => orders.filter((order) => mailboxIds.includes(order.mailboxId)),
    deliver: async (tx, deliveries) => {
      given.push(...deliveries);
      return tx<{ letterId: bigint }[]>`
        insert into delivery (order_id, letter_id, value)
        select order_id, letter_id, value from unnest(
          ${deliveries.map(({ orderId }) => orderId)}::bigint[], ${deliveries.map(({ letterId }) => letterId)}::bigint[], ${deliveries.map(({ value }) => value ?? null)}::text[]) as d (order_id, letter_id, value)
        on conflict do nothing returning letter_id as "letterId"`;
    },
    sendersOf: async (_siteId, site) => (site === "any" ? undefined : new Set([site])),
    log,
    ...options,
    limits: { calm: { letters: 256, bytes: 8_000_000, bytesOfOne: 250_000, readyMs } },
  });
  opened.push(letters);
  return letters;
}

const opened: { drain(): Promise<void> }[] = [];
afterEach(async () => {
  for (const letters of opened.splice(0)) await letters.drain();
});

function waitsFor(site: string, order: Partial<WaitingOrder> = {}): WaitingOrder {
  const made = {
    orderId: BigInt(orders.length + 1),
    userId: 1n,
    mailboxId: mailbox,
    siteId: 1,
    site,
    subject: null,
    regex: null,
    createdAt: secondsAfter(now(), -60),
    expiresAt: secondsAfter(now(), 600),
    ...order,
  };
  orders.push(made);
  return made;
}

const instagram = (code = "482913") =>
  rawOf({
    name: "",
    from: "Instagram <no-reply@mail.instagram.com>",
    subject: `${code} is your Instagram code`,
    html: styled(
      `<p>Your code: <b>${code}</b></p><a href="https://instagram.com/confirm/a1b2c3d4e5f6a7b8c9">Confirm</a>`,
    ),
  });

const incoming = (raw: Buffer, mailboxIds = [mailbox]) => ({
  raw,
  mailFrom: "bounce@instagram.com",
  mailboxIds,
  isToPostmaster: false,
  remote: "203.0.113.7",
  helo: "mail.instagram.com",
});

const rows = () => db`
  select letter.*, letter_raw.raw, html, text, code, link, attachments,
    array(select mailbox_id from recipient where letter_id = id order by 1) as mailboxes
  from letter left join letter_raw on letter_raw.letter_id = id left join letter_body on letter_body.letter_id = id
  order by id`;

async function leftBehind(raw: Buffer, secondsAgo = 30) {
  const [letter] = await db<{ id: bigint }[]>`
    with one as (
      insert into letter (arrived_at, size_bytes, mail_from)
      values (${secondsAfter(now(), -secondsAgo)}, ${raw.length}, '') returning id, arrived_at),
    body as (insert into letter_raw (letter_id, arrived_at, raw) select id, arrived_at, ${raw} from one)
    select id from one`;
  await db`insert into recipient values (${letter!.id}, ${mailbox})`;
  return letter!.id;
}

test("a letter is for no order only when the transaction that says so finds none, whatever another connection saw", async () => {
  waitsFor("instagram.com");
  // As on a connection to a server that a newer one has replaced.
  const waiting: LettersOptions["waiting"] = async (sql) => ("begin" in sql ? [] : orders);
  const letters = lettersWith({ waiting });
  await letters.keep(incoming(await instagram()));
  await letters.drain();
  expect(given).toMatchObject([{ orderId: 1n }]);
});

test("a letter has the time at which it was here whole, however long it waited to be stored", async () => {
  const letters = lettersWith();
  waitsFor("instagram.com", { createdAt: secondsAfter(now(), -120), expiresAt: secondsAfter(now(), -30) });
  const short = await instagram();
  const long = Buffer.concat([short, Buffer.alloc(1_100_000, "x\r\n")]);
  for (const each of [short, long])
    await letters.keep({ ...incoming(each), receivedAt: performance.now() - 60_000 });
  await letters.drain();
  expect(given).toHaveLength(2);
  for (const { arrivedAt } of await db<{ arrivedAt: Date }[]>`select arrived_at as "arrivedAt" from letter`) {
    expect(Number(arrivedAt)).toBeGreaterThan(Number(secondsAfter(now(), -90)));
    expect(Number(arrivedAt)).toBeLessThan(Number(secondsAfter(now(), -59)));
  }
});

test("a letter reaches the order that waits for it, with its code and link", async () => {
  const letters = lettersWith();
  const order = waitsFor("instagram.com", { regex: "code: ([0-9]+)" });
  const raw = await instagram();
  await letters.keep(incoming(raw));
  await letters.drain();
  const [letter] = await rows();
  expect(letter).toMatchObject({
    mail_from: "bounce@instagram.com",
    size_bytes: raw.length,
    sender: "Instagram <no-reply@mail.instagram.com>",
    sender_domain: "instagram.com",
    subject: "482913 is your Instagram code",
    code: "482913",
    link: "https://instagram.com/confirm/a1b2c3d4e5f6a7b8c9",
    is_given: true,
    mailboxes: [mailbox],
  });
  expect(letter?.["raw"]).toEqual(raw);
  expect(letter?.["judged_at"]).toBeInstanceOf(Date);
  expect(given).toEqual([{ letterId: letter?.["id"], orderId: order.orderId, value: "482913" }]);
});

test("a letter of another site is kept and given to nobody", async () => {
  const letters = lettersWith();
  waitsFor("facebook.com");
  waitsFor("instagram.com", { mailboxId: 8n });
  await letters.keep(incoming(await instagram()));
  await letters.drain();
  expect(given).toEqual([]);
  expect(await rows()).toMatchObject([{ is_given: false, sender_domain: "instagram.com" }]);
});

test("a letter to two mailboxes is given to the orders of both, and to all that fit", async () => {
  const letters = lettersWith();
  waitsFor("instagram.com");
  waitsFor("any");
  waitsFor("instagram.com", { mailboxId: 8n });
  await letters.keep(incoming(await instagram(), [mailbox, 8n]));
  await letters.drain();
  expect(given.map(({ orderId }) => String(orderId)).toSorted()).toEqual(["1", "2", "3"]);
});

test("an order that was placed after the letter came does not get it", async () => {
  const letters = lettersWith();
  waitsFor("instagram.com", { createdAt: secondsAfter(now(), 5) });
  await letters.keep(incoming(await instagram()));
  await letters.drain();
  expect(given).toEqual([]);
});

test("a sender is not kept waiting for the match, only for the disk", async () => {
  const held = Promise.withResolvers<never[]>();
  const letters = lettersWith({ waiting: () => held.promise }, 1);
  await letters.keep(incoming(await instagram()));
  expect(await rows()).toMatchObject([{ judged_at: null, subject: null }]);
  held.resolve([]);
  await letters.drain();
  expect((await rows())[0]?.["judged_at"]).toBeInstanceOf(Date);
});

test("a letter is stored by the commit that delivers it, and answered after it", async () => {
  const order = waitsFor("instagram.com");
  const before: number[] = [];
  const letters = lettersWith({
    deliver: async (tx, deliveries) => {
      before.push((await rows()).length);
      return tx<{ letterId: bigint }[]>`
        insert into delivery (order_id, letter_id)
        values (${order.orderId}, ${deliveries[0]!.letterId}) returning letter_id as "letterId"`;
    },
  });
  await letters.keep(incoming(await instagram()));
  expect(before).toEqual([0]);
  expect(await rows()).toMatchObject([
    { is_given: true, sender: "Instagram <no-reply@mail.instagram.com>", code: "482913" },
  ]);
});

test("a letter whose order was closed meanwhile is stored as nobody's", async () => {
  waitsFor("instagram.com");
  const letters = lettersWith({ deliver: async () => [] });
  await letters.keep(incoming(await instagram()));
  const [letter] = await rows();
  expect(letter).toMatchObject({ is_given: false, subject: "482913 is your Instagram code", html: null });
  expect(letter!["judged_at"]).toBeInstanceOf(Date);
});

test("two hundred letters at once are each themselves", async () => {
  const letters = lettersWith();
  await Promise.all(
    Array.from({ length: 200 }, async (_, index) =>
      letters.keep({
        ...incoming(
          Buffer.from(`From: a@b${index}.test\r\nSubject: ${index}\r\n\r\n${"x".repeat(index)}\r\n`),
          [BigInt(index), 1000n],
        ),
        mailFrom: `${index}@b.test`,
      }),
    ),
  );
  await letters.drain();
  const stored = await rows();
  expect(stored).toHaveLength(200);
  for (const letter of stored) {
    const index = Number(letter["subject"]);
    expect(letter["mail_from"]).toBe(`${index}@b.test`);
    expect(letter["mailboxes"]).toEqual([BigInt(index), 1000n]);
    expect(
      String(letter["raw"]).length -
        String(index).length -
        `From: a@b${index}.test\r\nSubject: \r\n\r\n\r\n`.length,
    ).toBe(index);
    expect(letter["text"]).toBeNull();
    expect(letter["size_bytes"]).toBe(letter["raw"].length);
  }
});

test("letters of every byte and of many megabytes come back as they were", async () => {
  const letters = lettersWith();
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const large = Array.from({ length: 4 }, (_, index) => Buffer.alloc(2_500_000, `${index}..........\r\n`));
  await Promise.all(
    [Buffer.alloc(0), bytes, ...large].map((raw) => letters.keep(incoming(Buffer.from(raw)))),
  );
  await letters.drain();
  const stored = (await rows()).map(({ raw }) => unpack(raw as Buffer));
  expect(stored.map((raw) => raw.length).toSorted((a, b) => a - b)).toEqual([
    0,
    256,
    ...large.map((raw) => raw.length),
  ]);
  expect(stored.some((raw) => raw.equals(bytes))).toBe(true);
  expect(large.every((raw) => stored.some((found) => found.equals(raw)))).toBe(true);
});

test("long letters among short ones are each themselves, also those that are kept with something else", async () => {
  const letters = lettersWith();
  const lengths = [200, 1_100_000, 300, 2_500_000, 3_000_000, 400];
  const raws = await Promise.all(
    lengths.map(async (length) => Buffer.concat([await instagram(), randomBytes(length)])),
  );
  await Promise.all(raws.map((raw, index) => letters.keep(incoming(Buffer.from(raw), [BigInt(index + 1)]))));
  expect(await letters.keepWith(incoming(raws[3]!, [99n]), async () => true)).toBe(true);
  expect(await letters.keepWith(incoming(raws[3]!, [100n]), async () => false)).toBe(false);
  await letters.drain();
  const found = await rows();
  const kept = new Map(found.map((row) => [row["mailboxes"][0] as bigint, row]));
  expect([...kept.keys()].toSorted((a, b) => Number(a - b))).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 99n]);
  for (const [index, raw] of [...raws, raws[3]!].entries()) {
    const row = kept.get(index < raws.length ? BigInt(index + 1) : 99n)!;
    expect(row["size_bytes"]).toBe(raw.length);
    expect(unpack(row["raw"]).equals(raw)).toBe(true);
    expect(row["judged_at"]).not.toBeNull();
  }
});

test("what is matched is waited for also where its process has not heard yet that it is stored", async () => {
  waitsFor("instagram.com");
  const letters = lettersWith();
  const kept = letters.keepWith(incoming(await instagram()), async () => true);
  await letters.drain();
  expect(given).toHaveLength(1);
  expect(await kept).toBe(true);
});

test("a letter whose process died between 250 and the match is matched by another", async () => {
  const letters = lettersWith();
  waitsFor("instagram.com");
  const id = await leftBehind(await instagram());
  expect(await letters.matchBacklog(secondsAfter(now(), -10))).toBe(1);
  expect(given).toEqual([{ letterId: id, orderId: 1n, value: undefined }]);
  expect(await rows()).toMatchObject([{ code: "482913", is_given: true }]);
  expect(await letters.matchBacklog(now())).toBe(0);
});

test("a letter that came a moment ago is left to the process that took it", async () => {
  const letters = lettersWith();
  await leftBehind(await instagram(), 2);
  expect(await letters.matchBacklog(secondsAfter(now(), -10))).toBe(0);
  expect(await letters.matchBacklog(now())).toBe(1);
});

test("many left behind are all matched, by several processes without a letter given twice", async () => {
  waitsFor("any");
  const raw = await instagram();
  for (let count = 0; count < 45; count++) await leftBehind(raw);
  const matched = await Promise.all([1, 2, 3].map(() => lettersWith().matchBacklog(now())));
  expect(matched.reduce((sum, count) => sum + count, 0)).toBe(45);
  expect(new Set(given.map(({ letterId }) => letterId)).size).toBe(45);
  expect(given).toHaveLength(45);
});

test("a letter that is matched by its own process and by the backlog at once is given once", async () => {
  waitsFor("any");
  const held = Promise.withResolvers<WaitingOrder[]>();
  const slow = lettersWith({ waiting: () => held.promise }, 1);
  await slow.keep(incoming(await instagram()));
  expect(await lettersWith().matchBacklog(secondsAfter(now(), 5))).toBe(1);
  held.resolve(orders);
  await slow.drain();
  expect(given).toHaveLength(1);
});

test("a judgement that fails gives nothing and loses nothing", async () => {
  waitsFor("instagram.com");
  const broken = lettersWith({
    deliver: async (tx, deliveries) => {
      await tx`insert into delivery (order_id, letter_id) values (99, ${deliveries[0]!.letterId})`;
      throw new Error("the database went away");
    },
  });
  await broken.keep(incoming(await instagram()));
  await broken.drain();
  expect(await rows()).toMatchObject([{ judged_at: null, is_given: false }]);
  expect(await db`select * from delivery`).toHaveLength(0);
  expect(await lettersWith().matchBacklog(secondsAfter(now(), 5))).toBe(1);
  expect(given).toHaveLength(1);
});

test("one letter that cannot be matched keeps no other waiting", async () => {
  waitsFor("any");
  const raw = await instagram();
  const ids = [];
  for (let count = 0; count < 25; count++) ids.push(await leftBehind(raw));
  const bad = ids[13]!;
  const honest = lettersWith();
  const picky = lettersWith({
    deliver: async (tx, deliveries) => {
      if (deliveries.some(({ letterId }) => letterId === bad)) throw new Error("poison");
      const letterIds = deliveries.map(({ letterId }) => letterId);
      return tx<{ letterId: bigint }[]>`
        insert into delivery (order_id, letter_id) select 1, unnest(${letterIds}::bigint[]) returning letter_id as "letterId"`;
    },
  });
  expect(await picky.matchBacklog(now())).toBe(24);
  expect(
    (await rows()).filter((letter) => letter["judged_at"] === null).map(({ id }) => id as bigint),
  ).toEqual([bad]);
  expect(await honest.matchBacklog(now())).toBe(1);
});

test("letters that no order got are forgotten after a day, the others are kept", async () => {
  const letters = lettersWith();
  waitsFor("instagram.com");
  await letters.keep(incoming(await instagram()));
  await letters.keep(incoming(Buffer.from("From: a@spam.test\r\n\r\nspam\r\n")));
  await letters.drain();
  const unmatched = await leftBehind(Buffer.from("x"));
  expect(await letters.forgetNotGiven(secondsAfter(now(), 23 * 3600))).toBe(0);
  expect(await letters.forgetNotGiven(secondsAfter(now(), 25 * 3600))).toBe(1);
  expect((await rows()).map((letter) => letter["sender_domain"] as string)).toEqual(["instagram.com", null]);
  expect((await rows()).at(-1)?.["id"]).toBe(unmatched);
});

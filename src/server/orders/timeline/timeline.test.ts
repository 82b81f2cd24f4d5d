import { afterAll, expect, test } from "vitest";
import { sayTo } from "../../../../test/kit/command.ts";
import { createDatabase } from "../../../../test/kit/database.ts";
import { buyer, mailboxOf, shelf } from "../../../../test/kit/shelf.ts";
import { now, secondsAfter } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import { usd } from "../../platform/money.ts";
import * as ledger from "../../ledger/ledger.ts";
import { openLetters } from "../../letters/letters.ts";
import { deliver, openOrders, waiting, type Wanted } from "../orders.ts";
import { release, timelineOf, type Step } from "./timeline.ts";

const { db } = await createDatabase();
const sharedSender = "shared.com";
const orders = openOrders(db, { ttlSeconds: 600 });
const letters = openLetters(db, {
  waiting,
  deliver,
  sendersOf: async (_siteId, site) =>
    site === "any" ? undefined : new Set(site.startsWith("twin") ? [site, sharedSender] : [site]),
  log: createLog("silent"),
});
afterAll(() => letters.drain());

let sites = 0;
const { domainId } = await shelf(db, 200, "0.5");

async function siteOf(name: string): Promise<number> {
  const [row] = await db<{ id: number }[]>`
    insert into site (name) values (${name}) on conflict (name) do update set name = excluded.name returning id`;
  return row!.id;
}

interface Placed {
  readonly userId: bigint;
  readonly orderId: bigint;
  readonly site: string;
}

async function place(wanted: Wanted & { site?: string; userId?: bigint } = {}): Promise<Placed> {
  const { site = `site${++sites}.com`, userId = await buyer(db, { balance: "2" }), ...rest } = wanted;
  const placed = await orders.place({ userId, siteId: await siteOf(site), domainIds: [domainId], ...rest });
  if ("refusal" in placed) throw new Error(placed.refusal);
  return { userId, orderId: placed.orderId, site };
}

async function placeBeside(first: Placed, wanted: Parameters<typeof place>[0] = {}): Promise<Placed> {
  const second = await place(wanted);
  await db`update orders set mailbox_id = ${await mailboxOf(db, first.orderId)} where id = ${second.orderId}`;
  return second;
}

async function receive(to: Placed, { from = to.site, subject = "Hello", text = "your code: 482913" } = {}) {
  const raw = Buffer.from(
    `From: News <news@${from}>\r\nSubject: ${subject}\r\nContent-Type: text/html\r\n\r\n<p>${text}</p>\r\n`,
  );
  await letters.keep({
    raw,
    mailFrom: "",
    mailboxIds: [await mailboxOf(db, to.orderId)],
    isToPostmaster: false,
    remote: undefined,
    helo: "",
  });
  await letters.drain();
  const [letter] = await db<{ id: bigint }[]>`select max(id) as id from letter`;
  return letter!.id;
}

const timeline = async ({ userId, orderId }: Placed): Promise<Step[]> =>
  (await timelineOf(db, { userId, orderId })) ?? [];
const lettersOf = async (order: Placed) => (await timeline(order)).filter(({ step }) => step === "letter");
const expire = ({ orderId }: Placed) =>
  db`update orders set expires_at = clock_timestamp() where id = ${orderId}`;
const news = (site: string) => `News <news@${site}>`;

test("a received order tells what was held, the letter, and that it was charged", async () => {
  const order = await place();
  const letterId = await receive(order);
  const letter = { letterId, sender: news(order.site), subject: "Hello" };
  expect(await timeline(order)).toEqual([
    { at: expect.any(Date), step: "ordered", amount: usd("0.5") },
    { at: expect.any(Date), step: "letter", missed: null, isReleasable: false, letter },
    { at: expect.any(Date), step: "charged", amount: usd("0.5") },
  ]);
});

test("a canceled and an expired order tell so, and that the money came back", async () => {
  const [canceled, expired] = [await place(), await place()];
  await orders.cancel(canceled);
  await expire(expired);
  await orders.expireDue();
  for (const [order, step] of [
    [canceled, "canceled"],
    [expired, "expired"],
  ] as const)
    expect(await timeline(order)).toMatchObject([
      { step: "ordered", amount: usd("0.5") },
      { step },
      { step: "refunded", amount: usd("0.5") },
    ]);
});

test("nobody reads a code in the subject of a letter that he has not paid for; once it is his, the subject is whole", async () => {
  const subjects = [
    "482913 is your code",
    "Your code: 482 913",
    "G-48X913",
    "４８２９１３",
    "٤٨٢٩١٣",
    "4\u200b82913",
  ];
  for (const subject of subjects) {
    const order = await place({ subject: "welcome" });
    const letterId = await receive(order, { subject });
    const [seen] = await lettersOf(order);
    expect(seen).toMatchObject({ letter: { letterId }, isReleasable: true });
    expect(
      // Ids and times have digits of their own.
      JSON.stringify(seen, (key, value) => (key === "at" || typeof value === "bigint" ? "" : value)),
      subject,
    ).not.toMatch(/4.?8.?2|4.?8.?X|９|٤/u);
    if (subject !== subjects[0]) continue;
    expect(seen).toMatchObject({ letter: { subject: "###### is your code" } });
    await release(db, order, letterId);
    expect((await lettersOf(order))[0]).toMatchObject({ letter: { subject } });
  }
});

test("who cancels while his letter is being matched has his money back and learns nothing of the letter", async () => {
  const order = await place();
  const [seen, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = openLetters(db, {
    waiting: async (...asked) => {
      const found = await waiting(...asked);
      seen.resolve();
      await goOn.promise;
      return found;
    },
    deliver,
    sendersOf: async (_siteId, site) => new Set([site]),
    log: createLog("silent"),
  });
  const mailboxIds = [await mailboxOf(db, order.orderId)];
  const raw = Buffer.from(`From: <a@${order.site}>\r\nSubject: 482913\r\n\r\nyour code: 482913\r\n`);
  await slow.keep({ raw, mailFrom: "", mailboxIds, isToPostmaster: false, remote: undefined, helo: "" });
  await seen.promise;
  await orders.cancel(order);
  goOn.resolve();
  await slow.drain();
  expect((await timeline(order)).map(({ step }) => step)).toEqual(["ordered", "canceled", "refunded"]);
  expect(await orders.read(order)).toMatchObject({ status: "canceled", letters: [] });
  expect(await ledger.balance(db, order.userId)).toBe(usd("2"));
});

test("a letter that missed subject or pattern is told and can be had; it is charged once, however often it is asked for", async () => {
  for (const wanted of [{ subject: "welcome" }, { regex: "PIN [0-9]+" }]) {
    const order = await place(wanted);
    const letterId = await receive(order);
    const missed = "subject" in wanted ? "subject" : "regex";
    const letter = { letterId, sender: news(order.site), subject: "Hello" };
    expect(await timeline(order)).toMatchObject([
      { step: "ordered" },
      { step: "letter", missed, isReleasable: true, letter },
    ]);
    const given = await release(db, order, letterId);
    expect(given).toMatchObject({
      html: expect.stringContaining("482913"),
      code: "482913",
      messages: 1,
      value: null,
    });
    expect(await Promise.all([release(db, order, letterId), release(db, order, letterId)])).toEqual([
      given,
      given,
    ]);
    expect(await orders.read(order)).toMatchObject({
      status: "received",
      letters: [{ letterId, code: "482913" }],
    });
    expect(await timeline(order)).toMatchObject([
      { step: "ordered" },
      { step: "letter", missed, isReleasable: false, letter },
      { step: "released", letterId },
      { step: "charged", amount: usd("0.5") },
    ]);
    expect(await ledger.balance(db, order.userId)).toBe(usd("1.5"));
    const [row] = await db`
      select is_given, convert_from(html, 'UTF8') as html from letter join letter_body on letter_id = id where id = ${letterId}`;
    expect(row).toMatchObject({ is_given: true, html: expect.stringContaining("482913") });
  }
});

test("many releases of one letter at once give it once", async () => {
  const order = await place({ subject: "welcome" });
  const letterId = await receive(order);
  const answers = await Promise.all(Array.from({ length: 6 }, () => release(db, order, letterId)));
  expect(new Set(answers.map((answer) => (typeof answer === "string" ? answer : answer.letterId)))).toEqual(
    new Set([letterId]),
  );
  expect(
    await db`select 1 from transfer where order_id = ${order.orderId} and kind = 'capture'`,
  ).toHaveLength(1);
});

test("what the pattern finds in a letter that missed the subject alone is told with it", async () => {
  const order = await place({ subject: "welcome", regex: "code: ([0-9]+)" });
  expect(await release(db, order, await receive(order))).toMatchObject({ value: "482913" });
});

test("a received order takes another letter that missed, while it lives", async () => {
  const order = await place({ subject: "welcome" });
  await receive(order, { subject: "Welcome" });
  const [second, third] = [await receive(order), await receive(order)];
  expect(await release(db, order, second)).toMatchObject({ letterId: second, messages: 2 });
  await expire(order);
  expect(await release(db, order, third)).toBe("no letter");
  expect((await lettersOf(order)).map((step) => step)).toMatchObject([
    { missed: null },
    { missed: "subject" },
    { missed: "subject", isReleasable: false, letter: { letterId: third } },
  ]);
  expect(await release(db, order, second)).toMatchObject({ letterId: second });
  expect(await ledger.balance(db, order.userId)).toBe(usd("1.5"));
});

test("nothing is released for an order that is canceled, expired or about to expire", async () => {
  const [canceled, expired] = [await place({ subject: "welcome" }), await place({ subject: "welcome" })];
  const [one, other] = [await receive(canceled), await receive(expired)];
  await orders.cancel(canceled);
  await expire(expired);
  expect(await release(db, canceled, one)).toBe("activation canceled");
  expect(await release(db, expired, other)).toBe("activation canceled");
  await orders.expireDue();
  expect(await release(db, expired, other)).toBe("activation canceled");
  expect(await ledger.balance(db, canceled.userId)).toBe(usd("2"));
  expect((await lettersOf(canceled))[0]).toMatchObject({ missed: "subject", isReleasable: false });
});

test("nobody sees or releases anything of another buyer's order", async () => {
  const order = await place({ subject: "welcome" });
  const letterId = await receive(order);
  const other = await place({ subject: "welcome" });
  const stolen = { userId: other.userId, orderId: order.orderId };
  expect(await timelineOf(db, stolen)).toBeUndefined();
  expect(await release(db, stolen, letterId)).toBe("no activation");
  expect(await release(db, other, letterId)).toBe("no letter");
  expect(await release(db, other, 999_999n)).toBe("no letter");
});

test("of a letter of another site only that it came is told, and it cannot be had", async () => {
  const order = await place();
  const letterId = await receive(order, { from: "elsewhere.com", subject: "secret" });
  expect(await lettersOf(order)).toEqual([
    { at: expect.any(Date), step: "letter", missed: "sender", isReleasable: false, letter: undefined },
  ]);
  expect(await release(db, order, letterId)).toBe("no letter");
});

test("a letter for another buyer at the same mailbox leaves no trace in the timeline", async () => {
  const first = await place();
  const [second, third] = [
    await placeBeside(first),
    await placeBeside(first, { site: "any", regex: "nothing" }),
  ];
  const fitting = await receive(first);
  const secret = await place({ subject: "welcome" });
  const beside = await placeBeside(secret);
  const missing = await receive(secret);
  for (const order of [second, third, beside]) {
    expect(await lettersOf(order)).toEqual([]);
    for (const letterId of [fitting, missing]) expect(await release(db, order, letterId)).toBe("no letter");
  }
  expect(await lettersOf(secret)).toMatchObject([{ missed: "subject", isReleasable: true }]);
});

test("of two buyers whose orders a letter of both their sites missed, who releases it first has it alone", async () => {
  const first = await place({ site: "twin-one.com", subject: "welcome" });
  const second = await placeBeside(first, { site: "twin-two.com", subject: "welcome" });
  const letterId = await receive(first, { from: sharedSender });
  for (const order of [first, second])
    expect(await lettersOf(order)).toMatchObject([{ missed: "subject", isReleasable: true }]);
  const answers = await Promise.all([release(db, first, letterId), release(db, second, letterId)]);
  expect(answers.filter((answer) => answer === "no letter")).toHaveLength(1);
  const loser = answers[0] === "no letter" ? first : second;
  expect(await lettersOf(loser)).toMatchObject([{ isReleasable: false, letter: undefined }]);
  expect(await orders.read(loser)).toMatchObject({ status: "pending", letters: [] });
});

test("a letter that was forgotten is still a step, without what was in it", async () => {
  const order = await place({ subject: "welcome" });
  const letterId = await receive(order);
  await letters.forgetNotGiven(secondsAfter(now(), 25 * 3600));
  expect(await lettersOf(order)).toEqual([
    { at: expect.any(Date), step: "letter", missed: "subject", isReleasable: false, letter: undefined },
  ]);
  expect(await release(db, order, letterId)).toBe("no letter");
});

test("who floods a mailbox fills neither the table nor hides what can be rescued", async () => {
  const order = await place({ subject: "welcome" });
  await db`insert into missed (order_id, letter_id, arrived_at, reason)
           select ${order.orderId}, -n, now(), 'sender' from generate_series(1, 100) as n`;
  await receive(order, { from: "spam.test" });
  const letterId = await receive(order);
  const noted = await db`select letter_id from missed where order_id = ${order.orderId} and letter_id > 0`;
  expect(noted).toEqual([{ letter_id: letterId }]);
  expect(await release(db, order, letterId)).toMatchObject({ letterId });
});

test("an order for any sender gets no letter of a site for which the mailbox is or was another buyer's", async () => {
  const any = await place({ site: "any" });
  const first = await placeBeside(any);
  await receive(first);
  // It may be for the other buyer: sites write from unregistered domains.
  await receive(first, { from: "unknown.example" });
  expect((await orders.read(first))?.letters).toHaveLength(1);
  await db`update orders set expires_at = clock_timestamp()
           where mailbox_id = ${await mailboxOf(db, any.orderId)} and id <> ${any.orderId}`;
  await receive(first);
  expect([(await orders.read(any))?.status, await lettersOf(any)]).toEqual(["pending", []]);
  const mine = await receive(any, { from: "elsewhere.example" });
  expect(await orders.read(any)).toMatchObject({ status: "received", letters: [{ letterId: mine }] });
});

test("an order for any sender gets the letters of its buyer's own orders at the mailbox too", async () => {
  const any = await place({ site: "any" });
  const first = await placeBeside(any, { userId: any.userId });
  const letterId = await receive(first);
  for (const order of [first, any]) expect((await orders.read(order))?.letters).toMatchObject([{ letterId }]);
});

test("the operator's command shows an order by its id or its address, with what happened to it", async () => {
  const first = await place({ site: "told.example", subject: "Welcome" });
  await receive(first, { subject: "Something else 771199" });
  await orders.cancel(first);
  const second = await placeBeside(first, { site: "told.example" });
  await receive(second);
  const id = String(first.orderId);
  const one = await sayTo(db, ["orders", "show", id], {});
  const address = /address +(\S+@\S+)/.exec(one.out)?.[1] ?? "";
  expect(one.out).toMatch(/site +told\.example\nstate +canceled\nprice +0\.5/);
  expect(one.out).toMatch(
    /ordered; 0\.5 dollars\n.*a letter did not match: the wanted word is not in its subject; from .*; Something else ######\n.*canceled\n.*refunded; 0\.5 dollars/,
  );
  const newest = await sayTo(db, ["orders", "show", address.toUpperCase()], {});
  expect(newest.out).toMatch(new RegExp(`^order +${second.orderId}\\n`));
  expect(newest.out).toMatch(
    /a letter was delivered; from News <news@told\.example>; Hello\n.*charged; 0\.5 dollars/,
  );
  expect(newest.out).toContain(`\n\nOrders of the address before: ${id}`);
  const json = JSON.parse((await sayTo(db, ["orders", "show", address, "--json"], {})).out) as object;
  expect(json).toMatchObject({
    email: address,
    price: "0.5",
    before: expect.arrayContaining([id]) as string[],
  });
  expect(await sayTo(db, ["orders", "show", "nobody@told.example"], {})).toMatchObject({
    status: 1,
    err: "Nobody has ordered nobody@told.example.\n",
  });
  expect((await sayTo(db, ["orders", "show", "x"], {})).status).toBe(2);
});

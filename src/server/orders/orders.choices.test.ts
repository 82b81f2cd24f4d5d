import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, mailboxOf, shelf } from "../../../test/kit/shelf.ts";
import { now } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { openLetters } from "../letters/letters.ts";
import { choose } from "./orders.choices.ts";
import { deliver, openOrders, waiting } from "./orders.ts";
import { found } from "./orders.wire.ts";

const { db } = await createDatabase();
const orders = openOrders(db, { ttlSeconds: 600 });
const letters = openLetters(db, {
  waiting,
  deliver,
  sendersOf: async (_siteId, site) => (site === "any" ? undefined : new Set([site])),
  log: createLog("silent"),
});
afterAll(() => letters.drain());
const { domainId } = await shelf(db, 200, "0.1");

let sites = 0;
const newSite = () => `shop${++sites}.com`;

/** Two numbers after one word for "code": nothing tells which is meant. */
const doubtful = "Your account 73920 was made.\nYour codes: 482913 and 7302.";
const [first, second] = ["482913", "7302"];

interface Had {
  readonly userId: bigint;
  readonly orderId: bigint;
}

/** A new buyer orders at the site and gets a letter. */
async function had(site: string, text = doubtful): Promise<Had> {
  const [row] = await db<{ id: number }[]>`
    insert into site (name) values (${site}) on conflict (name) do update set name = excluded.name returning id`;
  const userId = await buyer(db, { balance: "1" });
  const placed = await orders.place({ userId, siteId: row!.id, domainIds: [domainId] });
  if ("refusal" in placed) throw new Error(placed.refusal);
  await letters.keep({
    raw: Buffer.from(
      `From: a@${site === "any" ? "some.com" : site}\r\nSubject: Hello\r\nContent-Type: text/plain\r\n\r\n${text}\r\n`,
    ),
    mailFrom: "",
    mailboxIds: [await mailboxOf(db, placed.orderId)],
    isToPostmaster: false,
    remote: undefined,
    helo: "",
  });
  await letters.drain();
  return { userId, orderId: placed.orderId };
}

async function read(order: Had) {
  const [letter] = (await orders.read(order))?.letters ?? [];
  if (!letter) throw new Error("no letter");
  return found(letter);
}

const say = (order: Had, code: string) => choose(db, { ...order, letterId: undefined, code, at: now() });

test("a letter says how sure its code is, and what else may be it", async () => {
  expect(await read(await had(newSite(), "Your code is 482913."))).toEqual({
    code: "482913",
    code_confidence: "sure",
  });
  expect(await read(await had(newSite()))).toEqual({
    code: first,
    code_confidence: "likely",
    code_candidates: [second],
  });
  expect(await read(await had(newSite(), "E kau i kēia ma ka pukaaniani:\n\n739201"))).toEqual({
    code: "739201",
    code_confidence: "unsure",
  });
  expect(await read(await had(newSite(), "Please do not share this.\n739201\nBye."))).toEqual({
    code_candidates: ["739201"],
  });
});

test("what a buyer chooses is the code of this letter for this buyer, and may be chosen back", async () => {
  const order = await had(newSite());
  const before = await orders.revision(order.userId);
  await say(order, second);
  expect(await read(order)).toEqual({
    code: second,
    code_confidence: "chosen",
    code_candidates: [first],
  });
  expect(await orders.revision(order.userId)).toBeGreaterThan(before);
  await say(order, first);
  expect(await read(order)).toMatchObject({ code: first, code_candidates: [second] });
});

test("nothing but a candidate can be chosen, and only by the buyer of the letter", async () => {
  const order = await had(newSite());
  expect(await say(order, "111111")).toBe("no candidate");
  expect(await say({ ...order, userId: await buyer(db, { balance: "1" }) }, second)).toBe("no activation");
  const sure = await had(newSite(), "Your code is 482913.");
  expect(await say(sure, "7302")).toBe("no candidate");
  expect(await say(sure, "482913")).toMatchObject({ code: "482913" });
  expect(await choose(db, { ...order, letterId: 1n, code: second, at: now() })).toBe("no letter");
});

test("what three buyers of a site choose is preferred in its next letter, and in no other site's", async () => {
  const site = newSite();
  const three = [await had(site), await had(site), await had(site)];
  for (const order of three.slice(0, 2)) await say(order, second);
  expect(await read(await had(site))).toMatchObject({ code: first });
  await say(three[2]!, second);
  expect(await read(await had(site))).toEqual({
    code: second,
    code_confidence: "likely",
    code_candidates: [first],
  });
  expect(await read(await had(newSite()))).toMatchObject({ code: first });
  // A code that the letter itself makes sure is never turned.
  expect(await read(await had(site, "Your code is 482913."))).toEqual({
    code: "482913",
    code_confidence: "sure",
  });
});

test("one buyer counts once however often, and a third that disagrees undoes what the others chose", async () => {
  const site = newSite();
  const [one, two, three] = [await had(site), await had(site), await had(site)];
  for (let times = 0; times < 5; times++) await say(one, second);
  expect(await read(await had(site))).toMatchObject({ code: first });
  await say(two, second);
  await say(three, second);
  expect(await read(await had(site))).toMatchObject({ code: second });
  await say(await had(site), first);
  await say(await had(site), first);
  expect(await read(await had(site))).toMatchObject({ code: first });
});

test("nothing of a letter is kept with a choice, and choices at orders for any sender teach nothing", async () => {
  await say(await had("any"), second);
  const site = newSite();
  await say(await had(site), second);
  const rows = await db`
    select c.pattern from code_choice c join site s on s.id = c.site_id where s.name in ('any', ${site})`;
  expect(rows).toEqual([{ pattern: "d4 text named 1" }]);
});

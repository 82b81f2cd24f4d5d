import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { buyer, letter, mailboxOf, shelf, site } from "../../../../test/kit/shelf.ts";
import { deliver, fillTerms, openOrders, type ListAsk, type Placed } from "../orders.ts";

const { db, drop } = await createDatabase();
const orders = openOrders(db, { ttlSeconds: 1200 });
afterAll(drop);

const letters = [
  { subject: "482910 is your Instagram code", code: "482910" },
  { subject: "Подтвердите ВХОД", code: "ab-77q" },
  { subject: "Welcome", code: null },
];

interface Known {
  readonly orderId: bigint;
  readonly email: string;
  readonly siteName: string;
  readonly siteId: number;
  readonly domainId: number;
  readonly letter: (typeof letters)[number] | undefined;
  readonly note: string | undefined;
  state: "pending" | "received" | "canceled";
  isHidden: boolean;
}

let userId: bigint;
/** Newest first. */
const known: Known[] = [];

async function order(owner: bigint, siteId: number, domainId: number, note?: string): Promise<Placed> {
  const placed = await orders.place({ userId: owner, siteId, domainIds: [domainId], note });
  if (!("orderId" in placed)) throw new Error(`the order was refused: ${placed.refusal}`);
  return placed;
}

async function receive(orderId: bigint, { subject, code }: (typeof letters)[number]): Promise<void> {
  const letterId = await letter(db, [await mailboxOf(db, orderId)]);
  await db`update letter set subject = ${subject}, is_given = true where id = ${letterId}`;
  await db`update letter_body set code = ${code} where letter_id = ${letterId}`;
  await deliver(db, [{ letterId, orderId }]);
  await db`select note_terms(array[${letterId}]::bigint[])`;
}

beforeAll(async () => {
  userId = await buyer(db, { balance: "10" });
  const sites = [await site(db), await site(db), await site(db)];
  const domains = [await shelf(db, 40), await shelf(db, 40)];
  for (let turn = 0; turn < 60; turn++) {
    const siteId = sites[turn % 3] ?? 0;
    const domainId = domains[turn % 2]?.domainId ?? 0;
    const note = turn % 5 === 0 ? `Für Nora ${turn}` : undefined;
    const { orderId, email } = await order(userId, siteId, domainId, note);
    const [named] = await db<{ name: string }[]>`select name from site where id = ${siteId}`;
    const given = turn % 4 === 0 ? undefined : letters[turn % 3];
    if (given) await receive(orderId, given);
    const isHidden = given !== undefined && turn % 7 === 0;
    const isCanceled = given === undefined && turn % 8 === 0;
    if (isHidden || isCanceled) await orders.cancel({ userId, orderId });
    const state = given ? "received" : isCanceled ? "canceled" : "pending";
    known.unshift({
      orderId,
      email,
      siteName: named?.name ?? "",
      siteId,
      domainId,
      letter: given,
      note,
      state,
      isHidden,
    });
  }
});

const idsOf = (found: { orders: { orderId: bigint }[] }) => found.orders.map(({ orderId }) => orderId);
const search = async (text: string, ask: ListAsk = {}) =>
  idsOf(await orders.history(userId, 1, { search: text, size: 100, ...ask }));

/** What a word of a search finds, said a second time without an index. */
const fits = (one: Known, word: string) => {
  const [local = "", mail] = word.split("@");
  const begins = [one.email.split("@")[0], one.siteName, one.letter?.code].some((term) =>
    term?.startsWith(local),
  );
  const contains = [one.letter?.subject, one.note].some((text) => text?.toLowerCase().includes(local));
  return (
    (local === "" || begins || contains || String(one.orderId) === local) &&
    one.email.split("@")[1]?.startsWith(mail ?? "")
  );
};

test("an order is found by its id, by the beginning of its address, site and code, and by a part of its note or the subject", async () => {
  const one = known.find(({ letter: given, isHidden }) => given?.code === "482910" && !isHidden);
  if (!one) throw new Error("there is such an order");
  const expected = (...words: string[]) =>
    known.filter((each) => words.every((word) => fits(each, word))).map(({ orderId }) => orderId);
  for (const text of [String(one.orderId), `#${one.orderId}`])
    expect([text, await search(text)]).toEqual([text, [one.orderId]]);
  // A mailbox is sold once for each site.
  for (const text of [
    one.email,
    one.email.toUpperCase(),
    "482910",
    "4829",
    "instagram",
    "вход",
    "AB-77Q",
    "FÜR",
    "nor",
    one.siteName,
    "nothing",
  ])
    expect([text, await search(text)]).toEqual([text, expected(text.toLowerCase())]);
  expect(await search("nora 15")).toEqual(expected("nora", "15"));
  expect(await search(`code ${one.siteName}`)).toEqual(expected("code", one.siteName));
  expect(await search(one.email.slice(0, -3))).toEqual(expected(one.email));
  expect(await search(`${one.email.split("@")[0]}@other`)).toEqual([]);
});

test("filters and a search together give exactly the orders that fit, page by page, in both lists", async () => {
  const any = <Value>(values: readonly Value[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
  const asks = fc.record({
    state: any(["pending", "received", "canceled", "expired"] as const),
    siteId: any([...new Set(known.map(({ siteId }) => siteId)), 0]),
    domainId: any([...new Set(known.map(({ domainId }) => domainId))]),
    search: any(["code", "welcome", "nora", known[0]?.siteName ?? "", known[0]?.email.slice(0, 3) ?? ""]),
    isListed: fc.boolean(),
    size: fc.constantFrom(10, 50),
    page: fc.integer({ min: 1, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(asks, async ({ isListed, page, ...ask }) => {
      fc.pre(Object.values(ask).some((value) => value !== undefined && typeof value !== "boolean"));
      const found = await orders[isListed ? "activations" : "history"](userId, page, ask);
      const all = known.filter(
        (one) =>
          (!isListed || (!one.isHidden && one.state !== "canceled")) &&
          (ask.state ?? one.state) === one.state &&
          (ask.siteId ?? one.siteId) === one.siteId &&
          (ask.domainId ?? one.domainId) === one.domainId &&
          (ask.search === undefined || fits(one, ask.search)),
      );
      expect(idsOf(found)).toEqual(
        all.slice((page - 1) * ask.size, page * ask.size).map(({ orderId }) => orderId),
      );
      expect(found.pages).toBe(Math.ceil(all.length / ask.size));
      expect(found.cut).toBeUndefined();
    }),
    { numRuns: 120 },
  );
});

test("since gives the orders from that moment on, until those before it, in lists and file", async () => {
  const later = new Date(Date.now() + 60_000);
  expect(await orders.history(userId, 1, { since: later })).toMatchObject({ orders: [], pages: 0, found: 0 });
  const times = await db<{ at: Date }[]>`
    select created_at as at from orders where user_id = ${userId} order by number desc`;
  const at = (place: number) => times[place]?.at ?? new Date(0);
  const place = fc.integer({ min: 0, max: known.length - 1 });
  await fc.assert(
    fc.asyncProperty(place, fc.option(place), fc.boolean(), async (newest, oldest, isReceived) => {
      const ask = {
        until: at(newest),
        ...(oldest !== null && { since: at(oldest) }),
        ...(isReceived && { state: "received" as const }),
      };
      // By time and not by place: two orders may have been placed in one millisecond.
      const between = known
        .filter((_, each) => at(each) < at(newest) && (oldest === null || at(each) >= at(oldest)))
        .filter(({ state }) => !isReceived || state === "received")
        .map(({ orderId }) => orderId);
      const found = await orders.history(userId, 1, { ...ask, size: 100 });
      expect([idsOf(found), found.found]).toEqual([between, between.length]);
      const filed: bigint[] = [];
      for await (const page of orders.every(userId, ask)) filed.push(...page.map(({ orderId }) => orderId));
      expect(filed).toEqual(between);
    }),
    { numRuns: 40 },
  );
});

test("nobody finds the orders of another, and a token for some sites nothing of other sites", async () => {
  const stranger = await buyer(db, { balance: "1" });
  await order(stranger, known[0]?.siteId ?? 0, known[0]?.domainId ?? 0);
  for (const text of [String(known[0]?.orderId), known[0]?.email ?? "", "482910", "welcome"])
    expect((await orders.history(stranger, 1, { search: text })).orders).toEqual([]);
  const [first] = known;
  const own = known.filter(({ siteId }) => siteId === first?.siteId);
  const found = await search("code", { onlySites: new Set([first?.siteId ?? 0]) });
  expect(found).toEqual(own.filter((one) => fits(one, "code")).map(({ orderId }) => orderId));
});

test("of orders that are older than the newest ten thousand a search finds those with a letter or a note, and says that it looked no further", async () => {
  const many = (count: number) =>
    db`update buyer set orders_count = orders_count + ${count} where user_id = ${userId}`;
  const received = known.find(({ state, letter: given }) => state === "received" && given?.code);
  const waiting = known.find(({ state }) => state === "pending");
  const noted = known.find(({ note }) => note !== undefined);
  await many(10_000);
  for (const text of [received?.email ?? "", received?.letter?.code ?? ""]) {
    const found = await orders.history(userId, 1, { search: text, size: 100 });
    expect([text, found.cut, idsOf(found)]).toEqual([
      text,
      true,
      expect.arrayContaining([received?.orderId]),
    ]);
  }
  expect(await orders.history(userId, 1, { search: waiting?.siteName ?? "" })).toMatchObject({
    cut: true,
    orders: [],
  });
  const byNote = await orders.history(userId, 1, { search: "für", size: 100 });
  expect([byNote.cut, idsOf(byNote)]).toEqual([true, expect.arrayContaining([noted?.orderId])]);
  await many(-10_000);
});

test("orders from before are found once the job has been there, and a code goes with its letter", async () => {
  const before = await db<{ term: string }[]>`select * from order_term order by user_id, term, number`;
  await db`delete from order_term`;
  expect(await search("ab-77q")).toEqual([]);
  await fillTerms(db);
  expect(await db`select * from order_term order by user_id, term, number`).toEqual(before);
  await fillTerms(db);
  expect(await search("ab-77q")).not.toEqual([]);

  await db`select forget_codes(now() + interval '1 minute', 1000)`;
  expect(await search("ab-77q")).toEqual([]);
  // Stands in the subject, which stays.
  expect(await search("482910")).not.toEqual([]);
});

test("the file has every order that fits", async () => {
  const found: bigint[] = [];
  for await (const page of orders.every(userId, { state: "received" }))
    found.push(...page.map(({ orderId }) => orderId));
  expect(found).toEqual(known.filter(({ state }) => state === "received").map(({ orderId }) => orderId));
});

import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../test/kit/database.ts";
import * as catalog from "./catalog/catalog.ts";
import { stockDemo } from "./demo.ts";
import { usd } from "./kit/money.ts";

const log = { info: () => undefined };

async function emptyShop() {
  const { db, drop } = await createDatabase();
  onTestFinished(drop);
  return db;
}

test("an empty demonstration gets mail domains under a reserved name, with mailboxes and different prices", async () => {
  const db = await emptyShop();
  const added = await stockDemo({ db, log });
  const domains = await catalog.listDomains(db);
  expect(domains.length).toBeGreaterThanOrEqual(5);
  expect(added).toBe(domains.length * 1000);
  for (const domain of domains) expect(domain).toMatchObject({ kind: "own", enabled: true, live: 1000n });
  expect(domains.every(({ name }) => name.endsWith(".test"))).toBe(true);
  const prices = domains.map(({ price }) => price);
  expect(new Set(prices).size).toBe(prices.length);
  expect(prices).toEqual(expect.arrayContaining([usd("0.0035"), usd("0.008"), usd("0.009")]));
});

test("two processes that start together stock it once, and a second start adds nothing", async () => {
  const db = await emptyShop();
  const added = await Promise.all([stockDemo({ db, log }), stockDemo({ db, log })]);
  expect(Math.min(...added)).toBe(0);
  expect(await stockDemo({ db, log })).toBe(0);
  const [row] = await db`select count(*)::integer as mailboxes from mailbox`;
  expect(row?.["mailboxes"]).toBe(Math.max(...added));
});

test("a start that was killed half way is finished by the next one", async () => {
  const db = await emptyShop();
  await catalog.addDomain(db, { name: "post.test", price: usd("0.008"), kind: "own" });
  expect(await stockDemo({ db, log })).toBe(6000);
  expect((await catalog.listDomains(db)).find(({ name }) => name === "post.test")).toMatchObject({
    live: 1000n,
  });
});

test("a shop whose operator sells a domain of his own is left alone", async () => {
  const db = await emptyShop();
  await catalog.addDomain(db, { name: "mine.example", price: usd("1"), kind: "own" });
  expect(await stockDemo({ db, log })).toBe(0);
  expect(await catalog.listDomains(db)).toHaveLength(1);
});

// @module-tag slow
import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../test/kit/database.ts";
import * as catalog from "./catalog/catalog.ts";
import { publishDemo, stockDemo } from "./demo.ts";
import { usd } from "./platform/money.ts";
import { openNews } from "./news/news.ts";
import { openStories } from "./stories/stories.ts";
import { languageCodes } from "../i18n/languages.ts";

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

test("a demonstration begins with stories and announcements in every language, which do not come back when they are deleted", async () => {
  const db = await emptyShop();
  const stories = await openStories({ db, log });
  onTestFinished(() => stories.close());
  const news = await openNews(db);
  onTestFinished(() => news.close());
  const at = new Date("2026-11-20T12:00:00Z");
  const publish = () => publishDemo(db, { stories, news }, at);
  const published = await Promise.all([publish(), publish()]);
  expect(published.toSorted((one, other) => one - other)).toEqual([0, 6]);
  const english = await stories.list("en");
  for (const language of languageCodes) {
    const told = await stories.list(language);
    expect(told.map(({ translation }) => translation.language)).toEqual(Array(3).fill(language));
    const announced = await news.list(language);
    expect(announced.map(({ day }) => day)).toEqual(["2026-11-18", "2026-11-15", "2026-11-11"]);
    const titles = announced.map(({ title }) => title);
    for (const [place, domain] of ["quill.test", "inbox.test", "courier.test"].entries())
      expect(titles[place]).toContain(domain);
    if (language !== "en") expect(titles).not.toEqual((await news.list("en")).map(({ title }) => title));
    for (const [number, { isCritical, translation }] of told.entries()) {
      expect(isCritical).toBe(false);
      expect(translation.link).toMatch(new RegExp(`^/${language}/`));
      expect(translation.slides).toHaveLength(english[number]?.translation.slides.length ?? 0);
      expect(await stories.pictures.find(translation.picture, "whole")).toBeDefined();
    }
  }
  for (const { id } of english) await stories.remove(id, { by: "user 1", at });
  for (const { id } of await news.list("en")) await news.remove(id, "user 1");
  expect(await publish()).toBe(0);
  expect(await stories.list("en")).toEqual([]);
  expect(await news.list("en")).toEqual([]);
});

// @module-tag slow
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { holdToDescription } from "../../../test/kit/described.ts";
import { type Answer, startShop, type TestShop } from "../../../test/kit/shop.ts";
import { newsLineLengthMax, newsLinesMax, newsMax, newsTitleLengthMax } from "../../contract/limits.ts";
import { languageCodes } from "../../i18n/languages.ts";
import { list as journal } from "../journal/journal.ts";

let shop: TestShop;
let second: TestShop;
let admin: string;

beforeAll(async () => {
  shop = await startShop();
  second = await startShop({}, shop);
  admin = await shop.member("admin@example.com");
});
afterAll(async () => {
  await second.stop();
  await shop.stop();
});
afterEach(async () => {
  for (const { id } of await listed("en", shop, "1")) await say("POST", "delete", { newsId: id });
});

interface Told {
  id: string;
  title: string;
  lines: string[];
  date: string;
  priority: number;
  importance: string;
}

async function say(method: string, path: string, body?: object, token = admin): Promise<Answer> {
  const response = await fetch(`${shop.url}/api/admin/newsmain/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  const answer = (await response.json()) as Answer;
  await holdToDescription(`${method} /api/admin/newsmain/${path}`, 200, answer);
  return answer;
}

async function listed(lang?: string, at = shop, all?: string): Promise<Told[]> {
  return (await at.get("/api/newsmain/list", { lang, all }))["news"] as Told[];
}

const titles = async (lang?: string, at = shop) => (await listed(lang, at)).map(({ title }) => title);

const inEnglish = (title: string, lines: string[] = [], date?: string) => [
  { lang: "en", title, lines, ...(date !== undefined && { date }) },
];

async function publish(title: string, more: object = {}): Promise<string> {
  const answer = await say("POST", "create", { translations: inEnglish(title), ...more });
  expect(answer).toMatchObject({ status: "success" });
  return String(answer["id"]);
}

test("an announcement is published in six languages, and each reader gets their language", async () => {
  const translations = languageCodes.map((lang, index) => ({
    lang,
    title: `Title ${lang}`,
    lines: ["<b>0.0035</b>", "[docs](https://shop.example/docs)"],
    date: `2026-11-0${index + 1}`,
  }));
  const id = await publish("", { translations, priority: 7, importance: "critical" });
  for (const [index, lang] of languageCodes.entries())
    expect(await listed(lang)).toEqual([
      {
        id,
        priority: 7,
        importance: "critical",
        title: `Title ${lang}`,
        lines: [
          "<b>0.0035</b>",
          '<a href="https://shop.example/docs" target="_blank" rel="noopener noreferrer nofollow">docs</a>',
        ],
        date: `2026-11-0${index + 1}`,
      },
    ]);
  const { news } = await say("GET", id);
  const { translations: written, ...place } = news as { translations: { lang: string }[] };
  expect(place).toEqual({ id, priority: 7, importance: "critical" });
  expect(written).toHaveLength(6);
  expect(written).toEqual(expect.arrayContaining(translations));
});

test("what was left out is as the specification has it: priority 100, normal, today", async () => {
  const before = new Date().toISOString().slice(0, 10);
  await publish("Plain");
  const [item] = await listed();
  expect(item).toMatchObject({ priority: 100, importance: "normal" });
  expect([before, new Date().toISOString().slice(0, 10)]).toContain(item?.date);
});

test("a language without a text has the English one; an empty one is hidden by the page", async () => {
  const nothing = { title: " ", lines: ["", " "] };
  const translations = [
    ...inEnglish("English", ["text"], "2026-11-20"),
    { lang: "ru", title: "", lines: ["по-русски"], date: "2026-11-21" },
    { lang: "es", ...nothing, date: "2026-11-22" },
  ];
  await publish("", { translations });
  expect(await listed("ru")).toMatchObject([{ title: "", lines: ["по-русски"], date: "2026-11-21" }]);
  for (const lang of ["es", "zh", "ar", "hi", undefined])
    expect(await listed(lang)).toMatchObject([{ title: "English", lines: ["text"], date: "2026-11-20" }]);
});

test("an announcement in Russian alone is read by Russians alone; its writers find it under every language", async () => {
  const translations = [
    { lang: "en", title: "", lines: [] },
    { lang: "ru", title: "по-русски", lines: [] },
  ];
  const id = await publish("", { translations });
  for (const lang of ["en", "es", undefined]) expect(await listed(lang)).toEqual([]);
  expect(await listed("ru")).toMatchObject([{ id, title: "по-русски" }]);
  expect(await listed("en", shop, "1")).toMatchObject([{ id, title: "по-русски" }]);
});

test("the highest priority stands first, the newest before the older ones", async () => {
  for (const [title, priority] of Object.entries({ a: 100, b: 100, c: 200, d: 1 })) {
    await publish(title, { priority });
  }
  expect(await titles()).toEqual(["c", "b", "a", "d"]);
});

test("up and down move one step and change nothing else, also past one of another priority", async () => {
  const ids: Record<string, string> = {};
  for (const [title, priority] of Object.entries({ a: 100, b: 100, c: 200, d: 1 }))
    ids[title] = await publish(title, { priority, importance: "important" });
  const move = (title: string, action: string) =>
    say("PUT", `update/${ids[title]}`, { action, importance: "critical" });
  expect(await move("a", "up")).toMatchObject({ status: "success" });
  expect(await titles()).toEqual(["c", "a", "b", "d"]);
  await move("a", "up");
  expect(await titles()).toEqual(["a", "c", "b", "d"]);
  await move("a", "up");
  await move("d", "down");
  expect(await titles()).toEqual(["a", "c", "b", "d"]);
  await move("c", "down");
  await move("c", "down");
  expect(await listed()).toMatchObject([
    { title: "a", priority: 200, importance: "important" },
    { title: "b", priority: 100, importance: "important" },
    { title: "d", priority: 1, importance: "important" },
    { title: "c", priority: 1, importance: "important" },
  ]);
});

test("moves that come at once lose no announcement and none another's step", async () => {
  const ids = await Promise.all(Array.from("abcdef", (title) => publish(title)));
  const before = await titles();
  await Promise.all(ids.map((id) => say("PUT", `update/${id}`, { action: "up" })));
  await Promise.all(ids.map((id) => say("PUT", `update/${id}`, { action: "down" })));
  expect((await titles()).toSorted()).toEqual(before.toSorted());
});

test("an announcement is rewritten in its place, and deleted for good", async () => {
  const id = await publish("first", {
    importance: "important",
    translations: [...inEnglish("first"), { lang: "ru", title: "первый", lines: [] }],
  });
  await publish("other");
  const translations = inEnglish("second", ["now"], "2026-11-21");
  expect(await say("PUT", `update/${id}`, { translations, priority: 100 })).toEqual({ status: "success" });
  expect(await titles("ru")).toEqual(["other", "second"]);
  expect((await listed())[1]).toMatchObject({ importance: "important", lines: ["now"], date: "2026-11-21" });
  expect(await say("POST", "delete", { newsId: id })).toEqual({ status: "success" });
  expect(await titles()).toEqual(["other"]);
  for (const answer of [
    await say("GET", id),
    await say("PUT", `update/${id}`, { translations }),
    await say("PUT", `update/${id}`, { action: "up" }),
    await say("POST", "delete", { newsId: id }),
  ])
    expect(answer).toMatchObject({ status: "error", value: "no news", error: "no news" });
});

const en = { lang: "en", title: "Title", lines: [] };
const wrong: [what: string, body: object, value: string][] = [
  ["nothing", {}, "translations"],
  ["no English", { translations: [{ ...en, lang: "ru" }] }, "translations"],
  ["a language twice", { translations: [en, en] }, "translations"],
  ["an unknown language", { translations: [en, { ...en, lang: "xx" }] }, "translations"],
  ["no lines", { translations: [{ lang: "en", title: "Title" }] }, "translations"],
  ["lines that are no list", { translations: [{ ...en, lines: "text" }] }, "translations"],
  ["a day that is none", { translations: [{ ...en, date: "2026-02-30" }] }, "translations"],
  ["a date with a time", { translations: [{ ...en, date: "2026-02-20T00:00" }] }, "translations"],
  ["a NUL", { translations: [{ ...en, title: "a\0" }] }, "translations"],
  ["half a letter", { translations: [{ ...en, lines: ["\ud83d"] }] }, "translations"],
  ["a long title", { translations: [{ ...en, title: "x".repeat(newsTitleLengthMax + 1) }] }, "translations"],
  ["a long line", { translations: [{ ...en, lines: ["x".repeat(newsLineLengthMax + 1)] }] }, "translations"],
  ["many lines", { translations: [{ ...en, lines: Array(newsLinesMax + 1).fill("x") }] }, "translations"],
  ["a priority below 0", { translations: [en], priority: -1 }, "priority"],
  ["half a priority", { translations: [en], priority: 1.5 }, "priority"],
  ["an importance of its own", { translations: [en], importance: "urgent" }, "importance"],
];

test.each(wrong)("an announcement with %s is refused and changes nothing", async (_what, body, value) => {
  const id = await publish("kept");
  const before = await journal(shop.db);
  for (const answer of [await say("POST", "create", body), await say("PUT", `update/${id}`, body)])
    expect(answer).toMatchObject({
      status: "error",
      value,
      error: value,
      hint: expect.any(String) as unknown,
    });
  expect(await titles()).toEqual(["kept"]);
  expect(await journal(shop.db)).toEqual(before);
});

test("an announcement as long as it may be is taken in six languages, in the longest of scripts", async () => {
  const title = "अ".repeat(newsTitleLengthMax);
  const lines = Array<string>(newsLinesMax).fill("अ".repeat(newsLineLengthMax));
  await publish("", { translations: languageCodes.map((lang) => ({ lang, title, lines })) });
  expect(await listed("hi")).toMatchObject([{ title, lines }]);
});

test("there are only so many announcements", async () => {
  for (let count = 0; count < newsMax; count++) await publish(`number ${count}`);
  const answers = await Promise.all(
    [1, 2].map(() => say("POST", "create", { translations: inEnglish("one more") })),
  );
  expect(answers).toMatchObject(answers.map(() => ({ status: "error", value: "too many news" })));
  expect(await listed()).toHaveLength(newsMax);
});

test("only an administrator passes the check and writes, with a token as bearer", async () => {
  const token = await shop.member();
  const check = (bearer: string) =>
    fetch(`${shop.url}/api/admin/check`, { headers: { authorization: `Bearer ${bearer}` } });
  expect(await (await check(admin)).json()).toEqual({ status: "success" });
  const id = await publish("kept");
  const answers = [
    (await (await check(token)).json()) as Answer,
    await say("GET", id, undefined, token),
    await say("POST", "create", { translations: inEnglish("mine") }, token),
    await say("PUT", `update/${id}`, { translations: inEnglish("mine") }, token),
    await say("PUT", `update/${id}`, { action: "up" }, token),
    await say("POST", "delete", { newsId: id }, token),
  ];
  for (const answer of answers) expect(answer).toMatchObject({ status: "error", value: "no access" });
  expect(await (await check("nobody")).json()).toMatchObject({ status: "error", value: "token" });
  expect(await titles()).toEqual(["kept"]);
});

test("every change is in the journal, with what was before it and after it", async () => {
  const id = await publish("first");
  await publish("other");
  const { data } = await shop.get("/user/information", { token: admin });
  const by = `user ${(data as { id: string }).id}`;
  await say("PUT", `update/${id}`, { translations: inEnglish("second"), priority: 5 });
  await say("PUT", `update/${id}`, { action: "up" });
  await say("POST", "delete", { newsId: id });
  const saying = (title: string) => [expect.objectContaining({ language: "en", title })];
  expect(await journal(shop.db, { about: `news ${id}` })).toMatchObject([
    { by, did: "news delete", before: { priority: 100, translations: saying("second") }, after: null },
    { by, did: "news up", before: { place: 2, priority: 5 }, after: { place: 1, priority: 100 } },
    {
      by,
      did: "news change",
      before: { translations: saying("first") },
      after: { priority: 5, translations: saying("second") },
    },
    { by, did: "news add", before: null, after: { priority: 100, translations: saying("first") } },
  ]);
});

test("home has a new announcement in every language and every process, and its version changes with it", async () => {
  const home = (at: TestShop, lang: string, etag = "") =>
    fetch(`${at.url}/${lang}`, { headers: etag === "" ? {} : { "if-none-match": etag } });
  const before = await home(shop, "ru");
  const etag = String(before.headers.get("etag"));
  expect((await home(shop, "ru", etag)).status).toBe(304);
  const id = await publish("", {
    importance: "critical",
    translations: [
      ...inEnglish("Meadow is on sale", ["<script>alert(1)</script><b onclick=alert(2)>0.0035</b>"]),
      { lang: "ru", title: "Meadow в продаже", lines: [], date: "2026-11-20" },
    ],
  });
  const after = await home(shop, "ru", etag);
  const text = await after.text();
  expect([after.status, after.headers.get("cache-control")]).toEqual([200, "no-cache"]);
  expect(text).toContain('<time dateTime="2026-11-20">20.11.2026</time>');
  expect(text).toContain('data-importance="critical"');
  expect(text).toMatch(/<h3[^>]*>Meadow в продаже<\/h3>/);
  for (const lang of ["en", "es", "zh", "ar", "hi"]) {
    const page = await (await home(shop, lang)).text();
    expect(page).toMatch(/<h3[^>]*>Meadow is on sale<\/h3><p[^>]*><b>0.0035<\/b><\/p>/);
    expect(page).not.toContain("alert(");
  }
  const elsewhere = async () => (await (await home(second, "zh")).text()).includes("Meadow is on sale");
  await expect.poll(elsewhere).toBe(true);
  await say("POST", "delete", { newsId: id });
  expect(await (await home(shop, "ru")).text()).toContain("Новостей пока нет");
  await expect.poll(elsewhere).toBe(false);
});

test("an announcement that says nothing is on no page, but in the list for who may delete it", async () => {
  await publish(" ");
  expect(await listed()).toEqual([]);
  expect(await listed("en", shop, "1")).toHaveLength(1);
  expect(await (await fetch(`${shop.url}/en`)).text()).toContain("No news yet");
});

test("the list is asked for in a language that there is", async () => {
  expect(await shop.get("/api/newsmain/list", { lang: "xx" })).toMatchObject({
    status: "error",
    value: "lang",
    error: "lang",
  });
});

test("the test of a POST succeeds, with a flag or without", async () => {
  for (const body of [{ test: true }, { test: 1 }, {}]) {
    const response = await fetch(`${shop.url}/api/testpost`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect([response.status, await response.json()]).toEqual([200, { status: "success" }]);
  }
  expect(await shop.post("/api/testpost", { test: "perhaps" })).toMatchObject({ value: "test" });
});

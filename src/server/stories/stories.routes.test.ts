// @module-tag slow
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { holdToDescription } from "../../../test/kit/described.ts";
import { type Answer, startShop, type TestShop } from "../../../test/kit/shop.ts";
import {
  storiesMax,
  storyButtonLengthMax,
  storyDescriptionLengthMax,
  storySlidesMax,
  storyTextLengthMax,
  storyTitleLengthMax,
  urlLengthMax,
} from "../../contract/limits.ts";
import { gradients } from "../../contract/stories.ts";
import { languageCodes } from "../../i18n/languages.ts";
import { list as journal } from "../journal/journal.ts";

let shop: TestShop;
let second: TestShop;
let admin: string;

const name = "0123456789abcdef0123456789abcdef";
const other = name.replaceAll("0", "f");

beforeAll(async () => {
  shop = await startShop();
  second = await startShop({}, shop);
  admin = await shop.member("admin@example.com");
  await shop.db`insert into picture (name, whole, thumb, width, height, used_at)
    select name, 'w', 't', 1080, 1920, now() from unnest(${[name, other]}::text[]) as n (name)`;
});
afterAll(async () => {
  await second.stop();
  await shop.stop();
});
afterEach(async () => {
  for (const { id } of await every()) await say("delete", { storyId: id });
});

interface Told {
  id: string;
  lang: string;
  title: string;
  is_critical: boolean;
  slides: object[];
}

const headersOf = (token: string) => ({
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
});

async function say(path: string, body: object): Promise<Answer> {
  const init = { method: "POST", headers: headersOf(admin), body: JSON.stringify(body) };
  const response = await fetch(`${shop.url}/api/admin/stories/${path}`, init);
  expect(response.status).toBe(200);
  const answer = (await response.json()) as Answer;
  await holdToDescription(`POST /api/admin/stories/${path}`, 200, answer);
  return answer;
}

async function read(id: string, token = admin): Promise<Answer> {
  const response = await fetch(`${shop.url}/api/admin/stories/${id}`, { headers: headersOf(token) });
  const answer = (await response.json()) as Answer;
  await holdToDescription(`GET /api/admin/stories/${id}`, 200, answer);
  return answer;
}

async function listed(lang?: string, at = shop, all?: string): Promise<Told[]> {
  return (await at.get("/api/stories/list", { lang, all }))["stories"] as Told[];
}
/** As writers see them, with those that lack the language. */
const every = () => listed("en", shop, "1");

const titles = async (lang?: string) => (await listed(lang)).map(({ title }) => title);

const slide = { title: "Slide 1", description: "", text: "", image: "", bg_color: "white" };
const inEnglish = (title: string) => ({ lang: "en", title, slides: [slide] });

async function publish(title: string, more: object = {}): Promise<string> {
  const answer = await say("create", { ...inEnglish(title), ...more });
  expect(answer).toMatchObject({ status: "success" });
  return String(answer["storyId"]);
}

const idOf = async (token: string) => {
  const { data } = await shop.get("/user/information", { token });
  return (data as { id: string }).id;
};

test("a story is published by a call for each language, and each reader gets their language", async () => {
  const inLanguage = (lang: string) => ({
    lang,
    title: `Title ${lang}`,
    description: `Line ${lang}`,
    image: `/media/${name}.webp`,
    buttontext: `Go ${lang}`,
    link: `/${lang}/docs`,
    slides: gradients.map((bg_color, index) => ({
      title: `Slide ${index}`,
      description: "d",
      text: "t",
      image: index === 0 ? `/media/${other}.webp` : "",
      bg_color,
    })),
  });
  const id = await publish("", { ...inLanguage("ru"), is_critical: 1 });
  for (const lang of languageCodes.filter((each) => each !== "ru"))
    expect(await say("create", { storyId: id, ...inLanguage(lang) })).toEqual({
      status: "success",
      storyId: id,
    });
  const toldIn = (lang: string) => {
    const { buttontext, slides, ...said } = inLanguage(lang);
    const image = `/media/${name}.webp?v=${id}`;
    const thumb = `/media/${name}.thumb.webp?v=${id}`;
    const [first, ...rest] = slides;
    const told = [{ ...first, image: `/media/${other}.webp?v=${id}` }, ...rest];
    return { id, ...said, image, thumb, button_text: buttontext, slides: told, is_critical: true };
  };
  for (const lang of languageCodes) expect(await listed(lang)).toEqual([toldIn(lang)]);
  expect(await listed()).toEqual([toldIn("en")]);
  const { story } = await read(id);
  const { translations, ...place } = story as { translations: object[] };
  expect(place).toEqual({ id, is_critical: true });
  expect(translations).toHaveLength(6);
  expect(translations).toEqual(expect.arrayContaining(languageCodes.map(toldIn)));
});

test("a story without a language is told in English, and without English to its own readers alone", async () => {
  const id = await publish("", { lang: "hi", title: "हिन्दी" });
  expect(await listed("ar")).toEqual([]);
  expect(await listed()).toEqual([]);
  expect(await listed("hi")).toMatchObject([{ id, lang: "hi", title: "हिन्दी" }]);
  expect(await every()).toMatchObject([{ id, lang: "hi" }]);
  await say("create", { storyId: id, ...inEnglish("English") });
  expect(await listed("ar")).toMatchObject([{ id, lang: "en", title: "English" }]);
  await say(`update/${id}`, { ...inEnglish("عربي"), lang: "ar" });
  expect(await listed("ar")).toMatchObject([{ id, lang: "ar", title: "عربي" }]);
  expect(await titles("hi")).toEqual(["हिन्दी"]);
});

test("the newest story stands first, in every language", async () => {
  for (const title of ["a", "b", "c"]) await publish(title);
  for (const lang of languageCodes) expect(await titles(lang)).toEqual(["c", "b", "a"]);
});

test("up and down move one step for all languages, and at the ends nothing moves", async () => {
  const ids: Record<string, string> = {};
  for (const title of ["c", "b", "a"]) ids[title] = await publish(title);
  const move = (title: string, direction: string) =>
    say("reorder", { storyId: ids[title], direction, lang: "ru" });
  expect(await move("c", "up")).toEqual({ status: "success" });
  expect(await titles("zh")).toEqual(["a", "c", "b"]);
  await move("a", "up");
  await move("b", "down");
  expect(await titles()).toEqual(["a", "c", "b"]);
  await move("a", "down");
  await move("a", "down");
  expect(await titles("es")).toEqual(["c", "b", "a"]);
});

test("concurrent moves lose no story, and each step is one place", async () => {
  const ids = await Promise.all(Array.from("abcde", (title) => publish(title)));
  const order = async () => (await listed()).map(({ id }) => id);
  const step = fc.tuple(fc.constantFrom(...ids), fc.constantFrom("up", "down"));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const wanted = await order();
      for (const [id, direction] of steps) {
        const from = wanted.indexOf(id);
        const to = Math.min(Math.max(from + (direction === "up" ? -1 : 1), 0), wanted.length - 1);
        wanted.splice(to, 0, ...wanted.splice(from, 1));
        await say("reorder", { storyId: id, direction });
      }
      expect(await order()).toEqual(wanted);
      await Promise.all(steps.map(([storyId, direction]) => say("reorder", { storyId, direction })));
      expect((await order()).toSorted()).toEqual(ids.toSorted());
    }),
    { numRuns: 10 },
  );
});

test("a story is rewritten in one language, marked, and deleted for good", async () => {
  const id = await publish("first", { buttontext: "Go", link: "/en", image: `/media/${name}.webp` });
  await say("create", { storyId: id, ...inEnglish("первая"), lang: "ru" });
  expect(await say(`update/${id}`, inEnglish("second"))).toEqual({ status: "success" });
  expect(await listed()).toMatchObject([
    { title: "second", button_text: "", link: "", image: "", thumb: "" },
  ]);
  expect(await titles("ru")).toEqual(["первая"]);
  for (const is_critical of [true, false, 1, 0]) {
    expect(await say(`update-critical/${id}`, { is_critical })).toEqual({ status: "success" });
    expect(await listed("hi")).toMatchObject([{ is_critical: Boolean(is_critical) }]);
  }
  expect(await say("delete", { storyId: id })).toEqual({ status: "success" });
  expect(await listed()).toEqual([]);
  for (const answer of [
    await read(id),
    await say("create", { storyId: id, ...inEnglish("again") }),
    await say(`update/${id}`, inEnglish("again")),
    await say("reorder", { storyId: id, direction: "up" }),
    await say(`update-critical/${id}`, { is_critical: 1 }),
    await say("delete", { storyId: id }),
  ])
    expect(answer).toMatchObject({ status: "error", value: "no story", error: "no story" });
});

test("a call for a language that is repeated writes the same again", async () => {
  const id = await publish("once", { is_critical: 1 });
  for (const title of ["два", "два", "три"])
    await say("create", { storyId: id, lang: "ru", title, slides: [slide] });
  expect(await listed("ru")).toMatchObject([{ title: "три", is_critical: true }]);
  const { story } = await read(id);
  expect((story as { translations: object[] }).translations).toHaveLength(2);
});

test("a script in a text is text: it goes out as it came, in JSON that no browser takes for a page", async () => {
  const script = `<script>alert(1)</script><img src=x onerror="alert(2)">`;
  const texts = { title: script, description: script, buttontext: script };
  await publish("", { ...texts, slides: [{ ...slide, title: script, text: script, description: script }] });
  const response = await fetch(`${shop.url}/api/stories/list`);
  expect(response.headers.get("content-type")).toBe("application/json");
  const { stories } = (await response.json()) as { stories: object[] };
  expect(stories).toMatchObject([
    {
      title: script,
      description: script,
      button_text: script,
      slides: [{ title: script, text: script, description: script }],
    },
  ]);
});

const right = { ...inEnglish("Title"), description: "", image: "", buttontext: "", link: "" };
const long = (max: number) => "x".repeat(max + 1);
const unknown = `/media/${"e".repeat(32)}.webp`;
const wrong: [what: string, body: object, value: string][] = [
  ["no language", { lang: undefined }, "lang"],
  ["an unknown language", { lang: "xx" }, "lang"],
  ["no title", { title: " " }, "title"],
  ["a long title", { title: long(storyTitleLengthMax) }, "title"],
  ["a NUL", { title: "a\0" }, "title"],
  ["half a letter", { title: "\ud83d" }, "title"],
  ["a long description", { description: long(storyDescriptionLengthMax) }, "description"],
  ["a picture that nobody brought", { image: unknown }, "image"],
  ["a picture of elsewhere", { image: "https://e.example/a.webp" }, "image"],
  ["a long button", { buttontext: long(storyButtonLengthMax) }, "buttontext"],
  ["a link that is a script", { link: "javascript:alert(1)" }, "link"],
  ["a link without encryption", { link: "http://e.example" }, "link"],
  ["a link that looks like a path", { link: "//e.example" }, "link"],
  ["a link with a backslash", { link: "/\\e.example" }, "link"],
  ["a long link", { link: `/${long(urlLengthMax)}` }, "link"],
  ["no slides", { slides: undefined }, "slides"],
  ["slides that are none", { slides: "text" }, "slides"],
  ["not one slide", { slides: [] }, "slides"],
  ["many slides", { slides: Array(storySlidesMax + 1).fill(slide) }, "slides"],
  ["a slide that says nothing", { slides: [slide, { ...slide, title: " " }] }, "slides"],
  ["a slide of another colour", { slides: [{ ...slide, bg_color: "pink" }] }, "slides"],
  ["a long text on a slide", { slides: [{ ...slide, text: long(storyTextLengthMax) }] }, "slides"],
  ["a slide with a picture that nobody brought", { slides: [{ ...slide, image: unknown }] }, "slides"],
  ["a slide with a picture of elsewhere", { slides: [{ ...slide, image: "//e.example/a.webp" }] }, "slides"],
];

test.each(wrong)("a story with %s is refused and changes nothing", async (_what, body, value) => {
  const id = await publish("kept");
  const before = [await read(id), await journal(shop.db)];
  const asked = { ...right, ...body };
  for (const answer of [
    await say("create", asked),
    await say("create", { storyId: id, ...asked }),
    await say(`update/${id}`, asked),
  ])
    expect(answer).toMatchObject({
      status: "error",
      value,
      error: value,
      hint: expect.any(String) as unknown,
    });
  expect(await titles()).toEqual(["kept"]);
  expect([await read(id), await journal(shop.db)]).toEqual(before);
});

test("a story as long as it may be is taken in every script", async () => {
  const full = (letter: string, max: number) => letter.repeat(max);
  for (const [lang, letter] of [
    ["ar", "ع"],
    ["hi", "अ"],
  ] as const) {
    const words = {
      title: full(letter, storyTitleLengthMax),
      description: full(letter, storyDescriptionLengthMax),
    };
    const most = { ...words, text: full(letter, storyTextLengthMax), image: "", bg_color: "black" };
    await publish("", { lang, ...words, slides: Array(storySlidesMax).fill(most) });
  }
  expect(await every()).toHaveLength(2);
});

test("there are only so many stories", async () => {
  for (let count = 0; count < storiesMax; count++) await publish(`number ${count}`);
  const answers = await Promise.all([1, 2].map(() => say("create", inEnglish("one more"))));
  expect(answers).toMatchObject(answers.map(() => ({ status: "error", value: "too many stories" })));
  expect(await listed()).toHaveLength(storiesMax);
});

test("viewed stories are kept for an account, with each of its tokens", async () => {
  const [reader, stranger] = [await shop.member(), await shop.member()];
  const userId = await idOf(reader);
  const [one, two] = [await publish("one"), await publish("two")];
  const view = (storyId: string, token = reader) =>
    shop.post("/api/stories/viewed", { token, userId, storyId });
  const viewed = (token = reader) => shop.get("/api/stories/viewed", { token, userId });
  expect(await viewed()).toEqual({ status: "success", viewed: [] });
  for (let times = 0; times < 2; times++) expect(await view(one)).toEqual({ status: "success" });
  expect(await viewed()).toEqual({ status: "success", viewed: [one] });
  for (const answer of [await view(two, stranger), await viewed(stranger)])
    expect(answer).toMatchObject({ status: "error", value: "token" });
  expect(await view("999999")).toMatchObject({ status: "error", value: "no story" });
  await view(two);
  await say("delete", { storyId: one });
  expect(await viewed()).toEqual({ status: "success", viewed: [two] });
  const strangers = await idOf(stranger);
  expect(await shop.get("/api/stories/viewed", { token: stranger, userId: strangers })).toMatchObject({
    viewed: [],
  });
});

test("every change is in the journal, with what was before it and after it", async () => {
  const by = `user ${await idOf(admin)}`;
  const id = await publish("first");
  await publish("newer");
  await say("create", { storyId: id, ...inEnglish("первая"), lang: "ru" });
  await say(`update/${id}`, inEnglish("second"));
  await say("reorder", { storyId: id, direction: "up" });
  await say("reorder", { storyId: id, direction: "up" });
  for (const is_critical of [1, 1]) await say(`update-critical/${id}`, { is_critical });
  await say("delete", { storyId: id });
  const said = (language: string, title: string) => expect.objectContaining({ language, title }) as object;
  expect(await journal(shop.db, { about: `story ${id}` })).toMatchObject([
    {
      by,
      did: "story delete",
      before: {
        isCritical: true,
        translations: expect.arrayContaining([said("en", "second"), said("ru", "первая")]) as unknown,
      },
      after: null,
    },
    { by, did: "story mark", before: { isCritical: false }, after: { isCritical: true } },
    { by, did: "story up", before: { place: 2 }, after: { place: 1 } },
    { by, did: "story change", before: { title: "first" }, after: { title: "second" } },
    { by, did: "story change", before: { isCritical: false }, after: { language: "ru", title: "первая" } },
    { by, did: "story add", before: null, after: { title: "first", isCritical: false } },
  ]);
});

test("every process has a change at once", async () => {
  await listed("ru", second);
  const id = await publish("seen");
  const elsewhere = async () => (await listed("ru", second)).map(({ title }) => title);
  await expect.poll(elsewhere).toEqual(["seen"]);
  await say("delete", { storyId: id });
  await expect.poll(elsewhere).toEqual([]);
});

import { expect, test } from "vitest";
import { askOf, dated, dayOf, draftOf, faultsOf, newNews, saysSomething } from "./newsDraft.ts";

const today = "2026-11-22";

test("a new announcement has priority 100, normal importance and today, in six languages", () => {
  expect(askOf(newNews(today))).toEqual({
    priority: 100,
    importance: "normal",
    translations: ["en", "ru", "es", "zh", "ar", "hi"].map((lang) => ({
      lang,
      title: "",
      lines: [],
      date: today,
    })),
  });
  expect(dayOf(new Date("2026-11-22T23:59:59Z"))).toBe(today);
});

test("what was written comes back as it was; a language that it lacks has the day of English", () => {
  const draft = draftOf(
    {
      id: "7",
      priority: 3,
      importance: "critical",
      translations: [
        { lang: "en", title: "Quill", lines: ["one", "", "<b>three</b>"], date: "2026-11-20" },
        { lang: "ar", title: "ريشة", lines: [], date: "2026-11-21" },
      ],
    },
    today,
  );
  expect(draft.texts.ru.date).toBe("2026-11-20");
  expect(askOf(draft)).toMatchObject({ priority: 3, importance: "critical" });
  const byLanguage = Object.fromEntries(askOf(draft).translations.map((each) => [each.lang, each]));
  expect(byLanguage["en"]).toEqual({
    lang: "en",
    title: "Quill",
    lines: ["one", "", "<b>three</b>"],
    date: "2026-11-20",
  });
  expect(byLanguage["ar"]).toMatchObject({ title: "ريشة", lines: [], date: "2026-11-21" });
});

test("the day is set for all languages at once", () => {
  const texts = dated(newNews(today).texts, "2026-12-01");
  expect(new Set(Object.values(texts).map(({ date }) => date))).toEqual(new Set(["2026-12-01"]));
});

test("what would be refused, and what says nothing, is found before it is sent", () => {
  const draft = newNews(today);
  const withLines = (lines: string) => ({
    ...draft,
    texts: { ...draft.texts, zh: { ...draft.texts.zh, lines } },
  });
  expect(faultsOf(draft)).toEqual({ empty: true });
  expect(faultsOf(withLines("一"))).toEqual({});
  expect(faultsOf(withLines(Array.from({ length: 31 }, String).join("\n")))).toEqual({ lines: "zh" });
  expect(faultsOf(withLines("x".repeat(1001)))).toEqual({ lines: "zh" });
  for (const priority of ["", "-1", "1.5", "1000001", "ten"])
    expect(faultsOf({ ...withLines("一"), priority })).toEqual({ priority: true });
  expect(saysSomething({ title: " ", lines: "\n ", date: today })).toBe(false);
});

import type { Asked } from "../../contract/endpoint.ts";
import {
  addNews,
  adminCheck,
  changeNews,
  newsList,
  readNews,
  removeNews,
  testPost,
} from "../../contract/news.ts";
import { defaultLanguage } from "../../i18n/languages.ts";
import { answer, type Route } from "../platform/http/answer.ts";
import { now } from "../platform/clock.ts";
import type { Item, NewsFeed, Translation } from "./news.ts";

export function newsRoutes({ news }: { readonly news: NewsFeed }): Route[] {
  return [
    answer(newsList, async ({ asked }) => ({
      news: (await news.list(asked.lang ?? defaultLanguage, asked.all)).map(onWire),
    })),

    answer(readNews, async ({ asked, refuse }) => {
      const found = await news.find(asked.id);
      if (!found) return refuse("no news");
      const translations = found.translations.map(({ language, title, lines, day }) => ({
        lang: language,
        title,
        lines,
        date: day,
      }));
      return { news: { ...found, id: String(found.id), translations } };
    }),

    answer(addNews, async ({ asked, caller, refuse }) => {
      const { translations, ...place } = asked;
      const writing = { ...place, translations: writtenOf(translations) };
      const added = await news.add(writing, `user ${caller.userId}`, now());
      return added === "too many news" ? refuse(added) : { id: String(added) };
    }),

    answer(changeNews, async ({ asked, caller, refuse }) => {
      const { id, action, translations, ...place } = asked;
      const by = `user ${caller.userId}`;
      if (action === undefined && translations === undefined) return refuse("translations");
      const outcome =
        action === undefined
          ? await news.change(id, { ...place, translations: writtenOf(translations ?? []) }, by)
          : await news.move(id, action, by);
      return outcome === "no news" ? refuse(outcome) : {};
    }),

    answer(removeNews, async ({ asked, caller, refuse }) => {
      const outcome = await news.remove(asked.newsId, `user ${caller.userId}`);
      return outcome === "no news" ? refuse(outcome) : {};
    }),

    // The caller's rights are checked before.
    answer(adminCheck, () => ({})),
    answer(testPost, () => ({})),
  ];
}

export function onWire({ id, day, lines, ...item }: Item) {
  return { ...item, id: String(id), lines: [...lines], date: day };
}

/** Dated today without a day. */
function writtenOf(translations: Asked<typeof addNews>["translations"]): Translation[] {
  const today = now().toISOString().slice(0, 10);
  return translations.map(({ lang, title, lines, date = "" }) => ({
    language: lang,
    title,
    lines,
    day: date === "" ? today : date,
  }));
}

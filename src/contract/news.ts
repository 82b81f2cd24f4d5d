import * as z from "zod/mini";
import { languageCodes } from "../i18n/languages.ts";
import { endpoint } from "./endpoint.ts";
import { field, flag, flagged, id, IdText, optional, wholeNumber, wireId } from "./fields.ts";
import * as limits from "./limits.ts";
import { All, kept, Lang, listed, moves } from "./written.ts";

export const importances = ["normal", "important", "critical"] as const;

const dayPattern = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const isDay = (day: string) =>
  dayPattern.test(day) && new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) === day;

/** One language of an announcement (spec O §3). */
const Translation = z.object({
  lang: z.literal(languageCodes),
  title: kept(limits.newsTitleLengthMax),
  lines: z.array(kept(limits.newsLineLengthMax)).check(z.maxLength(limits.newsLinesMax)),
  /** Absent or empty: today. */
  date: z.optional(z.string().check(z.refine((day) => day === "" || isDay(day), "YYYY-MM-DD"))),
});

const list = z.array(Translation);

const translations = listed(list).check(
  z.refine((all) => all.some(({ lang }) => lang === "en"), "en is missing"),
  z.refine((all) => new Set(all.map(({ lang }) => lang)).size === all.length, "each language once"),
);

const translationsSummary = `What it says in each language: lang, title, lines (HTML or [links](https://…)), date (YYYY-MM-DD, today if left out); en is needed, a language without a text shows the English one`;
const Translations = field(translations, "translations", translationsSummary, { kind: "translations" });
const TranslationsOptional = optional(translations, "translations", translationsSummary, {
  kind: "translations",
});
const Priority = optional(
  wholeNumber(0, limits.newsPriorityMax),
  "priority",
  "The highest comes first; 100 if omitted",
  { kind: "whole", min: 0, max: limits.newsPriorityMax },
);
const Importance = optional(
  z.literal(importances),
  "importance",
  "normal (if omitted), important or critical",
  { kind: "choice", of: importances },
);
const Move = optional(z.literal(moves), "action", "up or down: one step in the list", {
  kind: "choice",
  of: moves,
});
const Tested = optional(flag, "test", "1 for a test", flagged);
const NewsId = field(wireId, "no news", "Id of the announcement", id);

const Day = z.string().check(z.regex(dayPattern));
const place = { priority: z.int(), importance: z.literal(importances) };

/** An announcement in one language (spec B §3). */
export const NewsItem = z.object({
  id: IdText,
  ...place,
  title: z.string(),
  /** HTML of few tags, sanitized by the server. */
  lines: z.array(z.string()),
  date: Day,
});

/** An announcement with all its languages. */
export const WrittenNews = z.object({
  id: IdText,
  ...place,
  translations: z.array(
    z.object({
      lang: z.literal(languageCodes),
      title: z.string(),
      lines: z.array(z.string()),
      date: Day,
    }),
  ),
});

export const newsList = endpoint({
  name: "newsList",
  method: "GET",
  path: "/api/newsmain/list",
  access: "anyone",
  summary:
    "The announcements of the home page in a language, in their order; one without a text in it is in English, or omitted",
  ask: { lang: Lang, all: All },
  reply: z.object({ news: z.array(NewsItem) }),
  refusals: ["lang", "request"],
});

export const readNews = endpoint({
  name: "readNews",
  method: "GET",
  path: "/api/admin/newsmain/{id}",
  access: "admin",
  role: "editor",
  summary: "An announcement as it was written (administrators)",
  ask: { id: NewsId },
  reply: z.object({ news: WrittenNews }),
  refusals: ["no news"],
});

export const addNews = endpoint({
  name: "addNews",
  method: "POST",
  path: "/api/admin/newsmain/create",
  access: "admin",
  role: "editor",
  body: "json",
  bodyBytesMax: limits.writtenBytesMax,
  summary: "Publish an announcement on the home page (administrators)",
  ask: { priority: Priority, importance: Importance, translations: Translations },
  reply: z.object({ id: IdText }),
  refusals: ["priority", "importance", "translations", "too many news"],
});

export const changeNews = endpoint({
  name: "changeNews",
  method: "PUT",
  path: "/api/admin/newsmain/update/{id}",
  access: "admin",
  role: "editor",
  body: "json",
  bodyBytesMax: limits.writtenBytesMax,
  summary: "Replace an announcement, or with an action only move it one step in the list (administrators)",
  ask: {
    id: NewsId,
    action: Move,
    priority: Priority,
    importance: Importance,
    translations: TranslationsOptional,
  },
  reply: z.object({}),
  refusals: ["no news", "action", "priority", "importance", "translations"],
});

export const removeNews = endpoint({
  name: "removeNews",
  method: "POST",
  path: "/api/admin/newsmain/delete",
  access: "admin",
  role: "editor",
  body: "json",
  idempotent: true,
  summary: "Delete an announcement (administrators)",
  ask: { newsId: NewsId },
  reply: z.object({}),
  refusals: ["no news"],
});

export const adminCheck = endpoint({
  name: "adminCheck",
  method: "GET",
  path: "/api/admin/check",
  access: "admin",
  role: "any",
  summary: "Whether the account is an administrator, in whichever role: success grants access",
  ask: {},
  reply: z.object({}),
});

export const testPost = endpoint({
  name: "testPost",
  method: "POST",
  reads: true,
  path: "/api/testpost",
  access: "anyone",
  body: "json",
  summary: "Tests whether a POST arrives: it does and stores nothing",
  ask: { test: Tested },
  reply: z.object({}),
  refusals: ["test"],
});

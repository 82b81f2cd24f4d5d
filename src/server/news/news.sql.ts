import { z } from "zod/mini";
import { languageCodes } from "../../i18n/languages.ts";
import { all, maybe, one, type Sql, type Tx } from "../platform/db/db.ts";
import { importances } from "../../contract/news.ts";

export type Importance = (typeof importances)[number];

const Translation = z.object({
  language: z.literal(languageCodes),
  title: z.string(),
  lines: z.array(z.string()),
  /** YYYY-MM-DD. */
  day: z.string(),
});
export type Translation = z.infer<typeof Translation>;

const News = z.object({
  id: z.bigint(),
  priority: z.int(),
  importance: z.literal(importances),
  translations: z.array(Translation),
});
export type News = z.infer<typeof News>;

const Place = z.object({ id: z.bigint(), priority: z.int() });
export type Place = z.infer<typeof Place>;

const shown = (sql: Sql) => sql`
  n.id, n.priority, n.importance,
  (select coalesce(jsonb_agg(jsonb_build_object(
     'language', t.language, 'title', t.title, 'lines', to_jsonb(t.lines), 'day', t.day)), '[]')
   from news_translation t where t.news_id = n.id) as translations`;

export const selectAll = (sql: Sql) =>
  all(News, sql`select ${shown(sql)} from news n order by n.priority desc, n.position, n.id desc`);

export const selectNews = (sql: Sql, id: bigint) =>
  maybe(News, sql`select ${shown(sql)} from news n where n.id = ${id}`);

/** Serializes changes: each is about the order of all. */
export const lockAll = (tx: Tx) => tx`lock table news in share row exclusive mode`;

export const selectPlaces = (tx: Tx) =>
  all(Place, tx`select id, priority from news order by priority desc, position, id desc`);

export const insertNews = (tx: Tx, priority: number, importance: Importance, at: Date) =>
  one(
    z.object({ id: z.bigint() }),
    tx`insert into news (priority, importance, position, created_at)
       values (${priority}, ${importance}, (select coalesce(min(position), 0) - 1 from news), ${at}) returning id`,
  );

export const updateNews = (tx: Tx, id: bigint, priority: number, importance: Importance) =>
  tx`update news set priority = ${priority}, importance = ${importance} where id = ${id}`;

/** Saves the order, and the new priority of one. */
export const updateOrder = (tx: Tx, ids: readonly bigint[], moved: Place) =>
  tx`update news n set position = o.position,
            priority = case when n.id = ${moved.id} then ${moved.priority} else n.priority end
     from unnest(${ids}::bigint[]) with ordinality as o (id, position) where n.id = o.id`;

export const deleteTranslations = (tx: Tx, id: bigint) =>
  tx`delete from news_translation where news_id = ${id}`;

export const insertTranslation = (tx: Tx, id: bigint, { language, title, lines, day }: Translation) =>
  tx`insert into news_translation (news_id, language, title, lines, day)
     values (${id}, ${language}, ${title}, ${lines}, ${day}::text::date)`;

export const deleteNews = (tx: Tx, id: bigint) => tx`delete from news where id = ${id}`;

import { z } from "zod/mini";
import { gradients } from "../../contract/stories.ts";
import { languageCodes, type Language } from "../../i18n/languages.ts";
import { all, maybe, one, type Sql, type Tx } from "../platform/db/db.ts";

const Slide = z.object({
  title: z.string(),
  description: z.string(),
  text: z.string(),
  /** The name of a picture; empty for none. */
  picture: z.string(),
  background: z.literal(gradients),
});
export type Slide = z.infer<typeof Slide>;

const Translation = z.object({
  language: z.literal(languageCodes),
  title: z.string(),
  description: z.string(),
  /** The name of a picture; empty for none. */
  picture: z.string(),
  buttonText: z.string(),
  link: z.string(),
  slides: z.array(Slide),
});
export type Translation = z.infer<typeof Translation>;

const Story = z.object({ id: z.bigint(), isCritical: z.boolean(), translations: z.array(Translation) });
export type Story = z.infer<typeof Story>;

const Id = z.object({ id: z.bigint() });
const Name = z.object({ name: z.string() });

const shown = (sql: Sql) => sql`
  s.id, s.is_critical as "isCritical",
  (select coalesce(jsonb_agg(jsonb_build_object(
     'language', t.language, 'title', t.title, 'description', t.description, 'picture', t.picture,
     'buttonText', t.button_text, 'link', t.link, 'slides', t.slides)), '[]')
   from story_translation t where t.story_id = s.id) as translations`;

export const selectAll = (sql: Sql) =>
  all(Story, sql`select ${shown(sql)} from story s order by s.position, s.id desc`);

export const selectStory = (sql: Sql, id: bigint) =>
  maybe(Story, sql`select ${shown(sql)} from story s where s.id = ${id}`);

/** Serializes changes, which may be about the order of all. */
export const lockAll = (tx: Tx) => tx`lock table story in share row exclusive mode`;

export const selectOrder = (tx: Tx) => all(Id, tx`select id from story order by position, id desc`);

export const insertStory = (tx: Tx, isCritical: boolean, at: Date) =>
  one(
    Id,
    tx`insert into story (position, is_critical, created_at)
       values ((select coalesce(min(position), 0) - 1 from story), ${isCritical}, ${at}) returning id`,
  );

export const updateCritical = (tx: Tx, id: bigint, isCritical: boolean) =>
  tx`update story set is_critical = ${isCritical} where id = ${id}`;

export const updateOrder = (tx: Tx, ids: readonly bigint[]) =>
  tx`update story s set position = o.position
     from unnest(${ids}::bigint[]) with ordinality as o (id, position) where s.id = o.id`;

export const deleteStory = (tx: Tx, id: bigint) => tx`delete from story where id = ${id}`;

export const putTranslation = (tx: Tx, id: bigint, translation: Translation) =>
  tx`insert into story_translation (story_id, language, title, description, picture, button_text, link, slides)
     values (${id}, ${translation.language}, ${translation.title}, ${translation.description}, ${translation.picture}, ${translation.buttonText},
       ${translation.link}, ${JSON.stringify(translation.slides)}::text::jsonb)
     on conflict (story_id, language) do update set title = excluded.title, description = excluded.description,
       picture = excluded.picture, button_text = excluded.button_text, link = excluded.link, slides = excluded.slides`;

/** Locks these pictures against deletion until the transaction ends; answers those that exist. */
export const holdPictures = (tx: Tx, names: readonly string[]) =>
  all(Name, tx`select name from picture where name = any (${names}::text[]) order by name for key share`);

export const insertUses = (tx: Tx, id: bigint, language: Language, names: readonly string[]) =>
  tx`insert into story_picture (story_id, language, picture)
     select ${id}::bigint, ${language}::text, name from unnest(${names}::text[]) as n (name)`;

export const deleteUses = (tx: Tx, id: bigint, language: Language) =>
  tx`delete from story_picture where story_id = ${id} and language = ${language}`;

export const touchPictures = (tx: Tx, id: bigint, language: Language | null, at: Date) =>
  tx`update picture set used_at = ${at} where name in
       (select name from picture where name in
          (select picture from story_picture
           where story_id = ${id} and (${language}::text is null or language = ${language}))
        order by name for no key update)`;

export const selectViewed = (sql: Sql, userId: bigint) =>
  all(Id, sql`select story_id as id from story_view where user_id = ${userId} order by story_id`);

/** Which stories an account saw, when it is closed. */
export const forgetUser = (tx: Tx, userId: bigint) => tx`delete from story_view where user_id = ${userId}`;

/** Answers whether there is such a story. */
export const insertView = (sql: Sql, userId: bigint, storyId: bigint, at: Date) =>
  one(
    z.object({ isThere: z.boolean() }),
    sql`with there as (select id from story where id = ${storyId} for key share), noted as (
          insert into story_view (user_id, story_id, viewed_at) select ${userId}, id, ${at} from there
          on conflict do nothing)
        select exists (select from there) as "isThere"`,
  );

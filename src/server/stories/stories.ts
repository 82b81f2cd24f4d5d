import { storiesMax } from "../../contract/limits.ts";
import { defaultLanguage, type Language, languageCodes } from "../../i18n/languages.ts";
import * as journal from "../journal/journal.ts";
import { attempt, type Db, notify, type Sql, type Tx } from "../platform/db/db.ts";
import { openCache } from "../platform/cache.ts";
import { openPictures, type Pictures } from "./stories.pictures.ts";
import * as rows from "./stories.sql.ts";

export type { Pictures } from "./stories.pictures.ts";

export { forgetUser } from "./stories.sql.ts";
export type { Slide, Story, Translation } from "./stories.sql.ts";

/** NOTIFY channel: a story changed. */
const channel = "stories";

export interface Item {
  readonly id: bigint;
  readonly isCritical: boolean;
  readonly translation: rows.Translation;
}

/** `isCritical` undefined stays as it is, and is false in a new story. */
export interface Writing {
  readonly translation: rows.Translation;
  readonly isCritical?: boolean | undefined;
}

interface Hand {
  /** "user 17" for an administrator. */
  readonly by: string;
  readonly at: Date;
}

type No = "no story" | "image" | "slides" | "too many stories";

export interface Stories {
  /** In the language, or else in English, in their order (spec O §7). `every`: also those in other languages alone. */
  readonly list: (language: Language, every?: boolean) => Promise<readonly Item[]>;
  readonly find: (id: bigint) => Promise<rows.Story | undefined>;
  readonly add: (writing: Writing, hand: Hand) => Promise<bigint | Exclude<No, "no story">>;
  /** Writes or replaces a story in one language. */
  readonly write: (
    id: bigint,
    writing: Writing,
    hand: Hand,
  ) => Promise<"written" | Exclude<No, "too many stories">>;
  /** Moves one a step in the list, which all languages share; at the end nothing changes. */
  readonly move: (id: bigint, way: "up" | "down", hand: Hand) => Promise<"moved" | "no story">;
  readonly mark: (id: bigint, isCritical: boolean, hand: Hand) => Promise<"marked" | "no story">;
  readonly remove: (id: bigint, hand: Hand) => Promise<"removed" | "no story">;
  readonly viewed: (userId: bigint) => Promise<bigint[]>;
  readonly view: (userId: bigint, id: bigint, at: Date) => Promise<"viewed" | "no story">;
  readonly pictures: Pictures;
  readonly close: () => Promise<void>;
}

interface Parts {
  readonly db: Db;
  readonly log: { info(details: object, message: string): void };
}

export async function openStories({ db, log }: Parts): Promise<Stories> {
  const cache = await openCache(db, channel, () => readItems(db));
  const pictures = openPictures({ db, log });
  return {
    list: async (language, every = false) => {
      const items = (await cache.get()).get(language) ?? [];
      return every ? items : items.filter(({ translation }) => isRead(translation.language, language));
    },
    find: (id) => rows.selectStory(db, id),
    add: (writing, hand) => cache.after(add(db, writing, hand)),
    write: (id, writing, hand) => cache.after(write(db, id, writing, hand)),
    move: (id, way, hand) => cache.after(move(db, id, way, hand)),
    mark: (id, isCritical, hand) => cache.after(mark(db, id, isCritical, hand)),
    remove: (id, hand) => cache.after(remove(db, id, hand)),
    viewed: async (userId) => (await rows.selectViewed(db, userId)).map(({ id }) => id),
    view: async (userId, id, at) =>
      (await rows.insertView(db, userId, id, at)).isThere ? "viewed" : "no story",
    pictures,
    close: async () => {
      pictures.close();
      await cache.close();
    },
  };
}

const isRead = (own: Language, language: Language) => own === language || own === defaultLanguage;

async function readItems(db: Db): Promise<ReadonlyMap<Language, readonly Item[]>> {
  const stories = await rows.selectAll(db);
  return new Map(
    languageCodes.map((language) => [language, stories.flatMap((one) => itemIn(language, one))]),
  );
}

function itemIn(language: Language, { id, isCritical, translations }: rows.Story): Item[] {
  const languages = [language, defaultLanguage, ...languageCodes];
  const found = languages.map((each) => translations.find((translation) => translation.language === each));
  const translation = found.find((each) => each !== undefined);
  return translation ? [{ id, isCritical, translation }] : [];
}

function add(db: Db, { translation, isCritical = false }: Writing, hand: Hand) {
  return attempt(db, async (tx): Promise<bigint | Exclude<No, "no story">> => {
    await rows.lockAll(tx);
    if ((await rows.selectOrder(tx)).length >= storiesMax) return "too many stories";
    const { id } = await rows.insertStory(tx, isCritical, hand.at);
    const refused = await say(tx, id, translation);
    if (refused !== undefined) return refused;
    await note(tx, { hand, did: "story add", id, after: { isCritical, ...translation } });
    return id;
  });
}

function write(db: Db, id: bigint, { translation, isCritical }: Writing, hand: Hand) {
  return settle<"written", Exclude<No, "too many stories">>(db, "written", async (tx) => {
    const story = await rows.selectStory(tx, id);
    if (!story) return "no story";
    await rows.touchPictures(tx, id, translation.language, hand.at);
    const refused = await say(tx, id, translation);
    if (refused !== undefined) return refused;
    const critical = isCritical ?? story.isCritical;
    if (critical !== story.isCritical) await rows.updateCritical(tx, id, critical);
    const former = story.translations.find(({ language }) => language === translation.language);
    const before = { isCritical: story.isCritical, ...former };
    return note(tx, {
      hand,
      did: "story change",
      id,
      before,
      after: { isCritical: critical, ...translation },
    });
  });
}

function move(db: Db, id: bigint, way: "up" | "down", hand: Hand) {
  return settle<"moved", "no story">(db, "moved", async (tx) => {
    const ids = (await rows.selectOrder(tx)).map((each) => each.id);
    const from = ids.indexOf(id);
    if (from === -1) return "no story";
    const to = from + (way === "up" ? -1 : 1);
    const other = ids[to];
    if (other === undefined) return undefined;
    [ids[from], ids[to]] = [other, id];
    await rows.updateOrder(tx, ids);
    return note(tx, { hand, did: `story ${way}`, id, before: { place: from + 1 }, after: { place: to + 1 } });
  });
}

function mark(db: Db, id: bigint, isCritical: boolean, hand: Hand) {
  return settle<"marked", "no story">(db, "marked", async (tx) => {
    const before = await rows.selectStory(tx, id);
    if (!before) return "no story";
    if (before.isCritical === isCritical) return undefined;
    await rows.updateCritical(tx, id, isCritical);
    const was = { isCritical: before.isCritical };
    return note(tx, { hand, did: "story mark", id, before: was, after: { isCritical } });
  });
}

function remove(db: Db, id: bigint, hand: Hand) {
  return settle<"removed", "no story">(db, "removed", async (tx) => {
    const story = await rows.selectStory(tx, id);
    if (!story) return "no story";
    await rows.touchPictures(tx, id, null, hand.at);
    await rows.deleteStory(tx, id);
    const { id: _, ...before } = story;
    return note(tx, { hand, did: "story delete", id, before });
  });
}

async function say(
  tx: Tx,
  id: bigint,
  translation: rows.Translation,
): Promise<"image" | "slides" | undefined> {
  const names = new Set([translation.picture, ...translation.slides.map(({ picture }) => picture)]);
  names.delete("");
  const there = new Set((await rows.holdPictures(tx, [...names])).map(({ name }) => name));
  const lacks = (name: string) => name !== "" && !there.has(name);
  if (lacks(translation.picture)) return "image";
  if (translation.slides.some(({ picture }) => lacks(picture))) return "slides";
  await rows.putTranslation(tx, id, translation);
  await rows.deleteUses(tx, id, translation.language);
  await rows.insertUses(tx, id, translation.language, [...names]);
  return undefined;
}

async function settle<Done extends string, Refused extends string>(
  db: Db,
  done: Done,
  work: (tx: Tx) => Promise<Refused | undefined>,
): Promise<Done | Refused> {
  const refused = await attempt(db, async (tx) => {
    await rows.lockAll(tx);
    return work(tx);
  });
  return refused ?? done;
}

interface Noted {
  readonly hand: Hand;
  readonly did: journal.Did;
  readonly id: bigint;
  readonly before?: unknown;
  readonly after?: unknown;
}

async function note(sql: Sql, { hand, id, ...act }: Noted): Promise<undefined> {
  await journal.note(sql, { ...act, by: hand.by, about: `story ${id}` });
  await notify(sql, channel, "");
}

import { newsMax, newsPriorityDefault } from "../../contract/limits.ts";
import { defaultLanguage, type Language, languageCodes } from "../../i18n/languages.ts";
import * as journal from "../journal/journal.ts";
import { attempt, type Db, notify, type Sql, type Tx } from "../platform/db/db.ts";
import { openCache } from "../platform/cache.ts";
import { cleanLine } from "./news.clean.ts";
import * as rows from "./news.sql.ts";

export type { News, Translation } from "./news.sql.ts";

/** NOTIFY channel: an announcement changed. */
const channel = "news";

export interface Item {
  readonly id: bigint;
  readonly priority: number;
  readonly importance: rows.Importance;
  readonly title: string;
  /** Safe HTML. */
  readonly lines: readonly string[];
  /** YYYY-MM-DD. */
  readonly day: string;
}

/** Undefined fields stay as they are, and in a new one are the specification's defaults. */
export interface Writing {
  readonly priority?: number | undefined;
  readonly importance?: rows.Importance | undefined;
  readonly translations: readonly rows.Translation[];
}

export interface NewsFeed {
  /** In the language, or else in English, in their order. `every`: also those in other languages alone. */
  readonly list: (language: Language, every?: boolean) => Promise<readonly Item[]>;
  readonly find: (id: bigint) => Promise<rows.News | undefined>;
  readonly add: (writing: Writing, by: string, now: Date) => Promise<bigint | "too many news">;
  readonly change: (id: bigint, writing: Writing, by: string) => Promise<"changed" | "no news">;
  /** Moves one a step in the list; at the end nothing changes. */
  readonly move: (id: bigint, way: "up" | "down", by: string) => Promise<"moved" | "no news">;
  readonly remove: (id: bigint, by: string) => Promise<"removed" | "no news">;
  readonly close: () => Promise<void>;
}

export async function openNews(db: Db): Promise<NewsFeed> {
  const cache = await openCache(db, channel, () => readItems(db));
  return {
    list: async (language, every = false) => {
      const items = (await cache.get()).get(language) ?? [];
      return items.flatMap(({ item, isRead }) => (every || isRead ? [item] : []));
    },
    find: (id) => rows.selectNews(db, id),
    add: (writing, by, now) => cache.after(add(db, writing, by, now)),
    change: (id, writing, by) => cache.after(change(db, id, writing, by)),
    move: (id, way, by) => cache.after(move(db, id, way, by)),
    remove: (id, by) => cache.after(remove(db, id, by)),
    close: cache.close,
  };
}

interface Remembered {
  readonly item: Item;
  readonly isRead: boolean;
}

async function readItems(db: Db): Promise<ReadonlyMap<Language, readonly Remembered[]>> {
  const news = await rows.selectAll(db);
  return new Map(languageCodes.map((language) => [language, news.map((one) => itemIn(language, one))]));
}

function itemIn(language: Language, { id, priority, importance, translations }: rows.News): Remembered {
  const languages = [language, defaultLanguage, ...languageCodes];
  const found = languages.map((each) =>
    translations.find((one) => one.language === each && saysSomething(one)),
  );
  const translation = found.find((each) => each !== undefined);
  const isRead = translation !== undefined && [language, defaultLanguage].includes(translation.language);
  const { title = "", lines = [], day = "" } = translation ?? translations[0] ?? {};
  return { item: { id, priority, importance, title, lines: lines.map(cleanLine), day }, isRead };
}

const saysSomething = ({ title, lines }: rows.Translation) =>
  title.trim() !== "" || lines.some((line) => line.trim() !== "");

function add(db: Db, writing: Writing, by: string, now: Date): Promise<bigint | "too many news"> {
  return attempt(db, async (tx) => {
    await rows.lockAll(tx);
    if ((await rows.selectPlaces(tx)).length >= newsMax) return "too many news";
    const { priority = newsPriorityDefault, importance = "normal", translations } = writing;
    const { id } = await rows.insertNews(tx, priority, importance, now);
    for (const each of translations) await rows.insertTranslation(tx, id, each);
    const after = await writtenOf(tx, id);
    await note(tx, { by, did: "news add", id, after });
    return id;
  });
}

function change(db: Db, id: bigint, writing: Writing, by: string): Promise<"changed" | "no news"> {
  return settle(db, "changed", async (tx) => {
    const before = await writtenOf(tx, id);
    if (!before) return "no news";
    const { priority = before.priority, importance = before.importance, translations } = writing;
    await rows.updateNews(tx, id, priority, importance);
    await rows.deleteTranslations(tx, id);
    for (const each of translations) await rows.insertTranslation(tx, id, each);
    const after = await writtenOf(tx, id);
    return note(tx, { by, did: "news change", id, before, after });
  });
}

function move(db: Db, id: bigint, way: "up" | "down", by: string): Promise<"moved" | "no news"> {
  return settle(db, "moved", async (tx) => {
    const places = await rows.selectPlaces(tx);
    const at = places.findIndex((place) => place.id === id);
    const moved = places[at];
    if (!moved) return "no news";
    const to = at + (way === "up" ? -1 : 1);
    const other = places[to];
    if (!other) return undefined;
    const ids = places.map((place) => place.id);
    [ids[at], ids[to]] = [other.id, id];
    // Passing one of another priority takes that priority.
    await rows.updateOrder(tx, ids, { id, priority: other.priority });
    const place = (index: number, { priority }: rows.Place) => ({ place: index + 1, priority });
    return note(tx, { by, did: `news ${way}`, id, before: place(at, moved), after: place(to, other) });
  });
}

function remove(db: Db, id: bigint, by: string): Promise<"removed" | "no news"> {
  return settle(db, "removed", async (tx) => {
    const before = await writtenOf(tx, id);
    if (!before) return "no news";
    await rows.deleteNews(tx, id);
    return note(tx, { by, did: "news delete", id, before });
  });
}

async function settle<Done extends string>(
  db: Db,
  done: Done,
  work: (tx: Tx) => Promise<"no news" | undefined>,
): Promise<Done | "no news"> {
  const refused = await attempt(db, async (tx) => {
    await rows.lockAll(tx);
    return work(tx);
  });
  return refused ?? done;
}

async function writtenOf(sql: Sql, id: bigint): Promise<Omit<rows.News, "id"> | undefined> {
  const found = await rows.selectNews(sql, id);
  if (!found) return undefined;
  const { id: _, ...written } = found;
  return written;
}

interface Noted {
  readonly by: string;
  readonly did: journal.Did;
  readonly id: bigint;
  readonly before?: unknown;
  readonly after?: unknown;
}

async function note(tx: Tx, { id, ...act }: Noted): Promise<undefined> {
  await journal.note(tx, { ...act, about: `news ${id}` });
  await notify(tx, channel, "");
}

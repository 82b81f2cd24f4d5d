import { type Language, languageCodes } from "../../../i18n/languages.ts";
import { api, type Refused } from "../../api.ts";
import { asAdministrator } from "../asAdministrator.ts";
import { askOf, saysSomething, type StoryDraft } from "./storyDraft.ts";
import type { NotTaken } from "./useStoryEditor.ts";

/** What became of the calls of one press. */
export interface SaveResult {
  /** The story; undefined when it was not made. */
  id: string | undefined;
  taken: Language[];
  notTaken: NotTaken[];
}

/**
 * Publishes a story: one call for each language that says something, English before all others; the first call makes the story
 * (spec O §7). Without it there is nothing that another language could be added to.
 */
export async function publish({ texts, isCritical }: StoryDraft): Promise<SaveResult> {
  const sent: SaveResult = { id: undefined, taken: [], notTaken: [] };
  for (const lang of languageCodes.filter((language) => saysSomething(texts[language]))) {
    const of = { lang, ...askOf(texts[lang]), is_critical: isCritical };
    const answer = await api.addStory({ storyId: sent.id, ...of }, asAdministrator());
    log(`create ${lang}`, answer);
    if (answer.ok) {
      sent.id = answer.data.storyId;
      sent.taken.push(lang);
      continue;
    }
    sent.notTaken.push({ language: lang, refused: answer });
    if (sent.id === undefined) break;
  }
  return sent;
}

/** Writes a story anew in the languages that changed, one call each. */
export async function update(
  id: string,
  { texts }: StoryDraft,
  changed: readonly Language[],
): Promise<SaveResult> {
  const sent: SaveResult = { id, taken: [], notTaken: [] };
  for (const lang of changed) {
    const answer = await api.changeStory({ id, lang, ...askOf(texts[lang]) }, asAdministrator());
    log(`update ${id} ${lang}`, answer);
    if (answer.ok) sent.taken.push(lang);
    else sent.notTaken.push({ language: lang, refused: answer });
  }
  return sent;
}

/** What became of each call of the stories stands in the console of the browser (spec O §8). */
export function log(what: string, answer: { ok: true } | Refused<string>): void {
  const how = answer.ok ? "done" : `${answer.value}. ${answer.more.hint ?? ""}`;
  // oxlint-disable-next-line no-console
  console.info(`story ${what}: ${how}`);
}

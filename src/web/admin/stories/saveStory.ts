import { type Language, languageCodes } from "../../../i18n/languages.ts";
import { api, type Refused } from "../../api.ts";
import { asAdministrator } from "../asAdministrator.ts";
import { askOf, saysSomething, type StoryDraft } from "./storyDraft.ts";
import type { NotTaken } from "./useStoryEditor.ts";

export interface SaveResult {
  id: string | undefined;
  taken: Language[];
  notTaken: NotTaken[];
}

/** Publishes a story: one call for each written language, English first, because the first call creates the story (spec O §7). */
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

/** Logs each call of the stories to the browser's console (spec O §8). */
export function log(what: string, answer: { ok: true } | Refused<string>): void {
  const how = answer.ok ? "done" : `${answer.value}. ${answer.more.hint ?? ""}`;
  // oxlint-disable-next-line no-console
  console.info(`story ${what}: ${how}`);
}

import { useQueryClient } from "@tanstack/react-query";
import { type Language, languageCodes } from "../../../i18n/languages.ts";
import { api, type Refused } from "../../api.ts";
import { useOfficeText } from "../../language.tsx";
import { stored } from "../../stored.ts";
import { toast } from "../../ui/feedback/toast.ts";
import type { Failure } from "../FailureAlert.tsx";
import type { Direction } from "../EditableRow.tsx";
import { asAdministrator } from "../asAdministrator.ts";
import { log, publish, type SaveResult, update } from "./saveStory.ts";
import {
  draftOf,
  faultsOf,
  isTouched,
  newStory,
  saysSomething,
  type StoryDraft,
  type StoryShown,
} from "./storyDraft.ts";
import type { StoryEditor } from "./useStoryEditor.ts";
import { useBusy } from "../../useBusy.ts";

/** The actions of stories, with the messages of spec O §8. Shows failures on the page too, not in the console alone. */
export function useStoryActions(editor: StoryEditor) {
  const client = useQueryClient();
  const report = useReport(editor);
  const saving = useSaving(editor, report);
  const { editing, before } = editor;
  const refresh = () => client.invalidateQueries({ queryKey: ["stories"] });
  const t = useOfficeText();
  return {
    isSaving: saving.isSaving,
    async save() {
      await saving.save();
      await refresh();
    },
    async open(id: string) {
      const answer = await api.readStory({ id }, asAdministrator());
      if (report(`read ${id}`, answer, "editor.alert.storyLoad") && answer.ok)
        editor.begin(id, draftOf(answer.data.story));
    },
    async remove(id: string) {
      const answer = await api.removeStory({ storyId: id }, asAdministrator());
      if (!report(`delete ${id}`, answer, "editor.alert.deleting")) return;
      toast("good", t("editor.story.deleted"));
      if (editing === id) editor.reset();
      await refresh();
    },
    async move(id: string, way: Direction) {
      const lang = stored.activeLang.read();
      const answer = await api.moveStory({ storyId: id, direction: way, lang }, asAdministrator());
      report(`${way} ${id}`, answer, "editor.alert.order");
      await refresh();
    },
    async mark(id: string, isCritical: boolean) {
      // An answer on its way still has the old order.
      await client.cancelQueries({ queryKey: ["stories"] });
      client.setQueriesData<StoryShown[]>({ queryKey: ["stories"] }, (stories) =>
        stories?.map((story) => (story.id === id ? { ...story, is_critical: isCritical } : story)),
      );
      const answer = await api.markStory({ id, is_critical: isCritical }, asAdministrator());
      const isMarked = report(`critical ${id}`, answer, "editor.alert.critical");
      if (isMarked && editing === id) {
        editor.markCritical(isCritical);
        editor.setBefore({ ...before, isCritical });
      }
      await refresh();
    },
  };
}

type Report = (what: string, answer: { ok: true } | Refused<string>, alert: Failure["alert"]) => boolean;

function useReport({ setFailure }: StoryEditor): Report {
  const t = useOfficeText();
  return (what, answer, alert) => {
    log(what, answer);
    if (answer.ok) return true;
    setFailure({ alert, refused: answer });
    toast("bad", t(alert));
    return false;
  };
}

function useSaving(editor: StoryEditor, report: Report) {
  const t = useOfficeText();
  const [isSaving, whileBusy] = useBusy();
  const { editing, draft, before } = editor;
  const publishAll = async () => {
    const sent = await publish(draft);
    if (sent.id === undefined) {
      editor.setNotTaken(sent.notTaken);
      return toast("bad", t("editor.alert.saving"));
    }
    toast(sent.notTaken.length > 0 ? "info" : "good", t("editor.story.published"));
    if (sent.notTaken.length === 0) return editor.reset();
    // The story exists now: later saves update it.
    editor.setEditing(sent.id);
    return settle(editor, sent, { ...newStory(), isCritical: draft.isCritical });
  };
  const updateChanged = async (id: string) => {
    const sent = await update(id, draft, changedOf(draft, before));
    const { isCritical } = draft;
    const mark = () => api.markStory({ id, is_critical: isCritical }, asAdministrator());
    const isMarked =
      isCritical === before.isCritical || report(`critical ${id}`, await mark(), "editor.alert.critical");
    if (isMarked && sent.notTaken.length === 0) {
      toast("good", t("editor.story.updated"));
      return editor.reset();
    }
    if (sent.notTaken.length > 0) toast("bad", t("editor.alert.saving"));
    return settle(editor, sent, isMarked ? { ...before, isCritical } : before);
  };
  const save = async () => {
    if (isSaving || !check(editor)) return;
    editor.setFailure(undefined);
    editor.setNotTaken([]);
    await whileBusy(() => (editing === undefined ? publishAll() : updateChanged(editing)));
  };
  return { isSaving, save };
}

/** The languages to update: the changed ones, or the visible one when none changed (spec O §7). */
function changedOf(draft: StoryDraft, before: StoryDraft): Language[] {
  const changed = languageCodes.filter(
    (language) => JSON.stringify(draft.texts[language]) !== JSON.stringify(before.texts[language]),
  );
  const seen = stored.activeLang.read();
  if (changed.length > 0 || draft.isCritical !== before.isCritical) return changed;
  return saysSomething(draft.texts[seen]) ? [seen] : [];
}

/** Marks the accepted languages as saved; the others stay unsaved. */
function settle(editor: StoryEditor, { taken, notTaken }: SaveResult, before: StoryDraft) {
  const saved = Object.fromEntries(taken.map((language) => [language, editor.draft.texts[language]]));
  editor.setBefore({ ...before, texts: { ...before.texts, ...saved } });
  editor.setNotTaken(notTaken);
}

function check({ draft, before, editing, adding, setFaults, setFailure }: StoryEditor): boolean {
  if (isTouched(adding)) {
    setFailure({ alert: "editor.slide.notAdded", refused: undefined });
    return false;
  }
  const faults = faultsOf(
    draft,
    (language) => editing !== undefined && saysSomething(before.texts[language]),
  );
  setFaults(faults);
  if (faults) stored.activeLang.write(faults.language);
  return faults === undefined;
}

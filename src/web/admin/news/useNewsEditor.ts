import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Refused } from "../../api.ts";
import { useOfficeText } from "../../language.tsx";
import { stored } from "../../stored.ts";
import { toast } from "../../ui/feedback/toast.ts";
import type { Failure } from "../FailureAlert.tsx";
import type { Direction } from "../EditableRow.tsx";
import { asAdministrator } from "../asAdministrator.ts";
import { askOf, dayOf, draftOf, faultsOf, type NewsDraft, type NewsFaults, newNews } from "./newsDraft.ts";
import type { Listed } from "./NewsRows.tsx";
import { useBusy } from "../../useBusy.ts";

const today = () => dayOf(new Date());

export function useNewsEditor() {
  const [editing, setEditing] = useState<string>();
  const [draft, setDraft] = useState(() => newNews(today()));
  const [before, setBefore] = useState(draft);
  const [faults, setFaults] = useState<NewsFaults>({});
  const [failure, setFailure] = useState<Failure>();
  const begin = (id: string | undefined, next: NewsDraft) => {
    setEditing(id);
    setDraft(next);
    setBefore(next);
    setFaults({});
    setFailure(undefined);
  };
  return {
    editing,
    draft,
    faults,
    failure,
    isUnsaved: JSON.stringify(draft) !== JSON.stringify(before),
    change(changed: Partial<NewsDraft>) {
      setDraft({ ...draft, ...changed });
      setFaults({});
    },
    begin,
    keep: setBefore,
    reset: () => begin(undefined, newNews(today())),
    setFaults,
    setFailure,
  };
}

export type NewsEditor = ReturnType<typeof useNewsEditor>;

/** Saves, deletes and moves announcements, with the alerts of spec O §8. */
export function useNewsActions(editor: NewsEditor) {
  const t = useOfficeText();
  const client = useQueryClient();
  const [isSaving, whileBusy] = useBusy();
  const { editing, draft } = editor;
  const refresh = () => client.invalidateQueries({ queryKey: ["news"] });
  const fail = (alert: Failure["alert"], refused: Refused<string>) => {
    editor.setFailure({ alert, refused });
    toast("bad", t(alert));
  };
  return {
    isSaving,
    async save() {
      if (isSaving || !check(editor)) return;
      editor.setFailure(undefined);
      const ask = askOf(draft);
      const answer = await whileBusy(async () =>
        editing === undefined
          ? await api.addNews(ask, asAdministrator())
          : await api.changeNews({ id: editing, ...ask }, asAdministrator()),
      );
      if (!answer.ok) return fail("editor.alert.saving", answer);
      toast("good", t(editing === undefined ? "editor.news.added" : "editor.news.updated"));
      if (editing === undefined) editor.reset();
      else editor.keep(draft);
      return refresh();
    },
    async open(id: string) {
      const answer = await api.readNews({ id }, asAdministrator());
      if (answer.ok) return editor.begin(id, draftOf(answer.data.news, today()));
      return fail(
        answer.value === "connection" ? "editor.alert.newsNetwork" : "editor.alert.newsLoad",
        answer,
      );
    },
    async remove(id: string) {
      const answer = await api.removeNews({ newsId: id }, asAdministrator());
      if (!answer.ok)
        return fail(answer.value === "connection" ? "editor.alert.network" : "editor.alert.deleting", answer);
      toast("good", t("editor.news.deleted"));
      if (editing === id) editor.reset();
      return refresh();
    },
    async move({ id, importance }: Listed, way: Direction) {
      const answer = await api.changeNews({ id, importance, action: way }, asAdministrator());
      if (!answer.ok) fail("editor.alert.order", answer);
      await refresh();
    },
  };
}

function check({ draft, setFaults }: NewsEditor): boolean {
  const faults = faultsOf(draft);
  setFaults(faults);
  if (faults.lines) stored.activeLang.write(faults.lines);
  return Object.keys(faults).length === 0;
}

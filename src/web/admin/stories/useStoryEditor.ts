import { useState } from "react";
import type { Language } from "../../../i18n/languages.ts";
import type { Refused } from "../../api.ts";
import type { SlideShown } from "../../stories/Slide.tsx";
import type { Failure } from "../FailureAlert.tsx";
import {
  isTouched,
  newSlide,
  newStory,
  type SlideDraft,
  type StoryDraft,
  type StoryFaults,
  type StoryText,
} from "./storyDraft.ts";

export interface NotTaken {
  language: Language;
  refused: Refused<string>;
}

export function useStoryEditor() {
  const [editing, setEditing] = useState<string>();
  const [draft, setDraft] = useState(newStory);
  const [before, setBefore] = useState(draft);
  const [adding, setAdding] = useState<SlideShown>(newSlide);
  const [faults, setFaults] = useState<StoryFaults>();
  const [notTaken, setNotTaken] = useState<readonly NotTaken[]>([]);
  const [failure, setFailure] = useState<Failure>();
  // An updater function, because an upload may end while the user types.
  const write = (language: Language, change: (text: StoryText) => Partial<StoryText>) => {
    setDraft((now) => {
      const text = { ...now.texts[language], ...change(now.texts[language]) };
      return { ...now, texts: { ...now.texts, [language]: text } };
    });
    setFaults(undefined);
  };
  const begin = (id: string | undefined, next: StoryDraft) => {
    setEditing(id);
    setDraft(next);
    setBefore(next);
    setAdding(newSlide);
    setFaults(undefined);
    setNotTaken([]);
    setFailure(undefined);
  };
  return {
    editing,
    draft,
    before,
    adding,
    faults,
    notTaken,
    failure,
    isUnsaved: JSON.stringify(draft) !== JSON.stringify(before) || isTouched(adding),
    write,
    writeSlide: (language: Language, key: number, changed: Partial<SlideDraft>) =>
      write(language, ({ slides }) => ({
        slides: slides.map((slide) => (slide.key === key ? { ...slide, ...changed } : slide)),
      })),
    markCritical: (isCritical: boolean) => setDraft((now) => ({ ...now, isCritical })),
    begin,
    reset: () => begin(undefined, newStory()),
    setEditing,
    setBefore,
    setAdding,
    setFaults,
    setNotTaken,
    setFailure,
  };
}

export type StoryEditor = ReturnType<typeof useStoryEditor>;

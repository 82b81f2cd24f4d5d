import { useEffect, useState } from "react";
import type { Language } from "../i18n/languages.ts";
import type { Refused } from "./api.ts";
import { useLanguage } from "./language.tsx";

/** Reloads the data of the document after this time. */
const freshMs = 60_000;

type Asked<Data> = { ok: true; data: Data } | Refused<string>;

/** Loads data in a language; must be a stable function. */
export type LoadInLanguage<Data> = (language: Language, signal: AbortSignal) => Promise<Asked<Data>>;

/** Data in the page's language, of the document or loaded since. Undefined while loading; `failed`: no answer; `again` retries. */
export function usePreloaded<Data>(
  given: Data | undefined,
  ask: LoadInLanguage<Data>,
): { data: Data | undefined; failed: boolean; again: () => void } {
  const language = useLanguage();
  const [asked, setAsked] = useState<{ language: Language; answer: Asked<Data> }>();
  const [round, setRound] = useState(0);
  // Skips the request for fresh data of the document.
  useEffect(() => {
    if (given !== undefined && performance.now() < freshMs) return undefined;
    const left = new AbortController();
    ask(language, left.signal).then(
      (answer) => setAsked({ language, answer }),
      (fault: unknown) => {
        if (!left.signal.aborted) reportError(fault);
      },
    );
    return () => left.abort();
  }, [language, given, ask, round]);
  const answer = asked?.language === language ? asked.answer : undefined;
  const again = () => {
    setAsked(undefined);
    setRound((count) => count + 1);
  };
  if (answer?.ok) return { data: answer.data, failed: false, again };
  return { data: given, failed: answer !== undefined && given === undefined, again };
}

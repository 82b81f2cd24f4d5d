import { useEffect, useState } from "react";
import type { Language } from "../i18n/languages.ts";
import type { Refused } from "./api.ts";
import { useLanguage } from "./language.tsx";

/** What came with the document is asked for again when one comes back to its page later than that. */
const freshMs = 60_000;

type Asked<Data> = { ok: true; data: Data } | Refused<string>;

/** Asks the server in a language; it must be the same function each time. */
export type LoadInLanguage<Data> = (language: Language, signal: AbortSignal) => Promise<Asked<Data>>;

/**
 * What home shows in the language of the page: what came with the document, or what the server told since. Undefined while
 * it is awaited; `failed` when it did not come, and `again` asks once more.
 */
export function usePreloaded<Data>(
  given: Data | undefined,
  ask: LoadInLanguage<Data>,
): { data: Data | undefined; failed: boolean; again: () => void } {
  const language = useLanguage();
  const [asked, setAsked] = useState<{ language: Language; answer: Asked<Data> }>();
  const [round, setRound] = useState(0);
  // The server is outside React; what the document has just brought is not asked for.
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

import { useEffect, useState } from "react";
import type { Language } from "../../i18n/languages.ts";
import type { Answer } from "../api.ts";
import { useLanguage } from "../language.tsx";
import { useServerData } from "../serverData.tsx";

type Asked = Answer<"newsList">;

/** One announcement of the home page (spec B §3). */
export type NewsItem = Extract<Asked, { ok: true }>["data"]["news"][number];

/** An item without a title and without any line says nothing and is hidden (spec B §2). */
export function isShown(item: NewsItem): boolean {
  return item.title.trim() !== "" || item.lines.some((line) => line.trim() !== "");
}

/** What came with the document is asked for again when one comes back to home later than that. */
const freshMs = 60_000;

/**
 * The announcements in the language of the page: those that came with the document, or those that the server told since.
 * Undefined while they are awaited; `failed` when they did not come, and `again` asks once more.
 */
export function useNews(): { news: NewsItem[] | undefined; failed: boolean; again: () => void } {
  const language = useLanguage();
  const given = useServerData().news;
  const [asked, setAsked] = useState<{ language: Language; answer: Asked }>();
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
  }, [language, given, round]);
  const answer = asked?.language === language ? asked.answer : undefined;
  const again = () => {
    setAsked(undefined);
    setRound((count) => count + 1);
  };
  if (answer?.ok) return { news: answer.data.news, failed: false, again };
  return { news: given, failed: answer !== undefined && given === undefined, again };
}

/** The client of the API is no part of what home loads at first. */
async function ask(language: Language, signal: AbortSignal): Promise<Asked> {
  const { api } = await import("../api.ts");
  return api.newsList({ lang: language }, { signal });
}

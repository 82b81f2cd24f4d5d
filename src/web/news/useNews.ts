import { type LoadInLanguage, usePreloaded } from "../usePreloaded.ts";
import { type NewsItem, useServerData } from "../serverData.tsx";

/** An item without title and lines is hidden (spec B §2). */
export function isShown(item: NewsItem): boolean {
  return item.title.trim() !== "" || item.lines.some((line) => line.trim() !== "");
}

export function useNews(): { news: NewsItem[] | undefined; failed: boolean; again: () => void } {
  const { data: news, ...rest } = usePreloaded(useServerData().news, ask);
  return { news, ...rest };
}

/** Imports the API client lazily: the first load of home excludes it. */
const ask: LoadInLanguage<NewsItem[]> = async (language, signal) => {
  const { api } = await import("../api.ts");
  const answer = await api.newsList({ lang: language }, { signal });
  return answer.ok ? { ok: true, data: answer.data.news } : answer;
};

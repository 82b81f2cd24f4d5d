import { type Ask, useBrought } from "../brought.ts";
import { type NewsItem, useServerData } from "../serverData.tsx";

export type { NewsItem };

/** An item without a title and without any line says nothing and is hidden (spec B §2). */
export function isShown(item: NewsItem): boolean {
  return item.title.trim() !== "" || item.lines.some((line) => line.trim() !== "");
}

/** The announcements in the language of the page. */
export function useNews(): { news: NewsItem[] | undefined; failed: boolean; again: () => void } {
  const { data: news, ...rest } = useBrought(useServerData().news, ask);
  return { news, ...rest };
}

/** The client of the API is no part of what home loads at first. */
const ask: Ask<NewsItem[]> = async (language, signal) => {
  const { api } = await import("../api.ts");
  const answer = await api.newsList({ lang: language }, { signal });
  return answer.ok ? { ok: true, data: answer.data.news } : answer;
};

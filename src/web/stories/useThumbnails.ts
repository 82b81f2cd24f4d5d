import { type Thumbnail, thumbnailOf } from "../../contract/thumbnails.ts";
import type { Answer } from "../api.ts";
import { type LoadInLanguage, usePreloaded } from "../usePreloaded.ts";
import { useServerData } from "../serverData.tsx";

/** A story in one language, with its slides (spec O §3). */
export type StoryShown = Extract<Answer<"storyList">, { ok: true }>["data"]["stories"][number];

/** The thumbnails in the language of the page; none while they are awaited, and none when they did not come. */
export const useThumbnails = (): Thumbnail[] => usePreloaded(useServerData().stories, ask).data ?? [];

/** The client of the API is no part of what home loads at first. */
const ask: LoadInLanguage<Thumbnail[]> = async (language, signal) => {
  const { api } = await import("../api.ts");
  const answer = await api.storyList({ lang: language }, { signal });
  return answer.ok ? { ok: true, data: answer.data.stories.map(thumbnailOf) } : answer;
};

import { type Thumbnail, thumbnailOf } from "../../contract/thumbnails.ts";
import type { Answer } from "../api.ts";
import { type LoadInLanguage, usePreloaded } from "../usePreloaded.ts";
import { useServerData } from "../serverData.tsx";

export type StoryShown = Extract<Answer<"storyList">, { ok: true }>["data"]["stories"][number];

export const useThumbnails = (): Thumbnail[] => usePreloaded(useServerData().stories, ask).data ?? [];

/** Imports the API client lazily: the first load of home excludes it. */
const ask: LoadInLanguage<Thumbnail[]> = async (language, signal) => {
  const { api } = await import("../api.ts");
  const answer = await api.storyList({ lang: language }, { signal });
  return answer.ok ? { ok: true, data: answer.data.stories.map(thumbnailOf) } : answer;
};

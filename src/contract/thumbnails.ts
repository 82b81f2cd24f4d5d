import type * as z from "zod/mini";
import type { gradients, Story } from "./stories.ts";

/** What a closed story shows; the document of a page has only this. */
export interface Thumbnail {
  id: string;
  title: string;
  /** Empty: the gradient shows. */
  image: string;
  bg_color: (typeof gradients)[number];
  is_critical: boolean;
}

export function thumbnailOf(story: z.output<typeof Story>): Thumbnail {
  const { id, title, thumb, is_critical } = story;
  return { id, title, image: thumb, bg_color: story.slides[0]?.bg_color ?? "grey", is_critical };
}

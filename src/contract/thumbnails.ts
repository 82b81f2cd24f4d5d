import type * as z from "zod/mini";
import type { gradients, Story } from "./stories.ts";

/** What is shown of a story before it is opened; the document of a page brings no more of it. */
export interface Thumbnail {
  id: string;
  title: string;
  /** Empty without a picture: then the gradient is seen. */
  image: string;
  bg_color: (typeof gradients)[number];
  is_critical: boolean;
}

/** The thumbnail of a story, on the gradient of its first slide. */
export function thumbnailOf(story: z.output<typeof Story>): Thumbnail {
  const { id, title, thumb, is_critical } = story;
  return { id, title, image: thumb, bg_color: story.slides[0]?.bg_color ?? "grey", is_critical };
}

import { thumbnailTitleCut, thumbnailTitleLengthMax } from "../../contract/limits.ts";

/**
 * The title of a thumbnail: over 30 characters it is cut to 28 and an ellipsis (spec O §2). Code points are counted: in what
 * readers see as one letter, browsers and servers of different years do not agree.
 */
export function cutTitle(title: string): string {
  const characters = Array.from(title);
  if (characters.length <= thumbnailTitleLengthMax) return title;
  return `${characters.slice(0, thumbnailTitleCut).join("")}…`;
}

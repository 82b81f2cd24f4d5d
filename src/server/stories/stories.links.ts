// Where the button of a story may lead, and the paths of pictures.

/** Backslashes, blanks and what cannot be seen: browsers read or drop them in their own way, so `/\t/e.example` leads elsewhere. */
const odd = /[\s\\\p{Cc}\p{Cf}]/u;

/** Whether it is an https address without a password in it, or a path of this shop. */
export function isLink(link: string): boolean {
  if (odd.test(link)) return false;
  if (link.startsWith("/")) return !link.startsWith("//");
  const url = link.toLowerCase().startsWith("https://") ? URL.parse(link) : null;
  return url !== null && url.username === "" && url.password === "";
}

/** Where the pictures are served. */
export const mediaPath = "/media/";
const path = /^\/media\/([0-9a-f]{32})\.webp(?:\?v=[0-9]{1,18})?$/;

/** The name of a picture by its path; empty for none, undefined for a path that is none of a picture. */
export function nameOf(image: string): string | undefined {
  return image === "" ? "" : path.exec(image)?.[1];
}

/** The path of a picture, `""` for none; with the id of the story that shows it as its version (spec O §7). */
export function pathOf(name: string, storyId?: bigint): string {
  return pathOfKind(name, "", storyId);
}

/** The same of its thumbnail. */
export function thumbPathOf(name: string, storyId: bigint): string {
  return pathOfKind(name, ".thumb", storyId);
}

function pathOfKind(name: string, kind: string, storyId: bigint | undefined): string {
  const version = storyId === undefined ? "" : `?v=${storyId}`;
  return name === "" ? "" : `${mediaPath}${name}${kind}.webp${version}`;
}

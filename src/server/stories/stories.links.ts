/** Browsers drop or rewrite backslashes, blanks and invisible characters: `/\t/e.example` leads elsewhere. */
const odd = /[\s\\\p{Cc}\p{Cf}]/u;

/** Whether it is an https address without a password, or a path of this shop. */
export function isLink(link: string): boolean {
  if (odd.test(link)) return false;
  if (link.startsWith("/")) return !link.startsWith("//");
  const url = link.toLowerCase().startsWith("https://") ? URL.parse(link) : null;
  return url !== null && url.username === "" && url.password === "";
}

export const mediaPath = "/media/";
const path = /^\/media\/([0-9a-f]{32})\.webp(?:\?v=[0-9]{1,18})?$/;

/** Empty for no picture, undefined for another path. */
export function nameOf(image: string): string | undefined {
  return image === "" ? "" : path.exec(image)?.[1];
}

/** `""` for no picture; the id of its story is the version (spec O §7). */
export function pathOf(name: string, storyId?: bigint): string {
  return pathOfKind(name, "", storyId);
}

export function thumbPathOf(name: string, storyId: bigint): string {
  return pathOfKind(name, ".thumb", storyId);
}

function pathOfKind(name: string, kind: string, storyId: bigint | undefined): string {
  const version = storyId === undefined ? "" : `?v=${storyId}`;
  return name === "" ? "" : `${mediaPath}${name}${kind}.webp${version}`;
}

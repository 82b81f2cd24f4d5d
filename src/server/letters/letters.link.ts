import type { Link } from "./letters.render.ts";
import { addressWords, linkWords, otherAddressWords, otherLinkWords } from "./letters.words.ts";

const scoreMin = 6;

/**
 * The link of a letter that confirms the address or signs in: by what is written on it and in its address.
 * Undefined when none looks like one. Of several equals the first.
 */
export function findLink(links: readonly Link[]): string | undefined {
  let best: { href: string; score: number } | undefined;
  for (const { href, text } of links) {
    const score = scoreOf(href, text);
    if (score >= scoreMin && score > (best?.score ?? 0)) best = { href, score };
  }
  return best?.href;
}

function scoreOf(href: string, text: string): number {
  if (!URL.canParse(href)) return 0;
  const said = text.toLowerCase();
  const address = href.toLowerCase();
  let score = 0;
  if (linkWords.some((word) => said.includes(word))) score += 5;
  if (otherLinkWords.some((word) => said.includes(word))) score -= 8;
  if (addressWords.some((word) => address.includes(word))) score += 4;
  if (otherAddressWords.some((word) => address.includes(word))) score -= 8;
  const { pathname, search } = new URL(href);
  if (pathname === "/" && search === "") score -= 4;
  if (hasSecret(pathname + search)) score += 3;
  return score;
}

/** Whether an address holds something that nobody could guess: what confirms must. */
function hasSecret(path: string): boolean {
  return path
    .split(/[/?&=#.]/)
    .some((part) => part.length >= 16 && /[0-9]/.test(part) && /[A-Za-z]/.test(part));
}

import { domainToASCII } from "node:url";
import { registrable } from "../platform/registrable.ts";

export type SiteName = { domain: string } | { word: string };

const schemePattern = /^[a-z][a-z0-9+.-]*:\/\//;
const hostPattern =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The registrable domain, by the public suffix list, of a text with scheme, path, port, `www.` or in its own script; undefined without one. */
export function readSite(text: string): SiteName | undefined {
  const host = hostOf(text);
  if (host === undefined) return undefined;
  if (!host.includes(".")) return { word: host };
  const domain = registrable(host);
  return domain ? { domain } : undefined;
}

function hostOf(text: string): string | undefined {
  const address = text.trim().toLowerCase().replace(schemePattern, "");
  const authority = address.split(/[/?#\\]/u, 1)[0] ?? "";
  const host = authority
    .slice(authority.lastIndexOf("@") + 1)
    .replace(/:\d{0,5}$/, "")
    .replace(/\.$/, "");
  const ascii = domainToASCII(host);
  return hostPattern.test(ascii) ? ascii.replace(/^www\.(?=.+\.)/, "") : undefined;
}

/** Whether it is a full host name in ASCII, as a mail domain must be. */
export function isHostName(text: string): boolean {
  return text.includes(".") && hostPattern.test(text);
}

export function nearest(word: string, words: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of words) {
    const distance = editDistance(word, candidate, bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Levenshtein distance, or `limit` as soon as it cannot be less. */
function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    if (Math.min(...current) >= limit) return limit;
    above = current;
  }
  return above[to.length] ?? limit;
}

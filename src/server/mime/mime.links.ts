// Addresses that stand in text, and what the text says of them.
export interface Link {
  href: string;
  /** Its label; of an address in text the sentence before it. */
  text: string;
  /** The sentence that it stands in. */
  around?: string;
  /** The sentences before that of an address in text, a line each, the nearest first. */
  above?: string;
}

export const linksMax = 500;
export const linkLengthMax = 2048;
export const aroundLengthMax = 120;
export const sentenceEnd = /[.!?]\s|[。！？।]/u;
/** What a text says last. */
export const lastSentence = (text: string) => aroundOf([text]).text;

const linesAboveMax = 4;
/** A line as long as this goes on in the next. */
const wrappedFrom = 50;
const wrappedLink = /<(?:URL:\s*)?https?:\/\/[^\s<>]+(?:[ \t]*\n[ \t]*[^\s<>]+){1,20}\s*>/gi;

/** Addresses in text, each with the sentences before it. */
export function linksIn(text: string): Link[] {
  const links: Link[] = [];
  const above: string[] = [];
  // RFC 3986, appendix C: within angle brackets an address may go on in the next line.
  for (const line of text.replaceAll(wrappedLink, (link) => link.replaceAll(/\s/g, "")).split("\n")) {
    let from = 0;
    while (links.length < linksMax) {
      const link = nextLink(line, from);
      if (!link) break;
      links.push({
        href: link.href,
        ...aroundOf([...above, line.slice(from, link.start).replace(/<URL:\s*$/i, "")]),
      });
      from = link.end;
    }
    const text = line.trim();
    if (text === "" || from > 0) continue;
    const last = above.at(-1) ?? "";
    if (last.length >= wrappedFrom && !/[.!?:。！？：]$/u.test(last))
      above[above.length - 1] = `${last} ${text}`;
    else if (above.push(text) > linesAboveMax) above.shift();
  }
  return links;
}

/** "You may ignore this letter. To confirm, open:" is about what it says last. */
function aroundOf(lines: readonly string[]): Pick<Link, "text" | "above"> {
  const [text = "", ...above] = lines
    .flatMap((line) => line.slice(-aroundLengthMax * 2).split(sentenceEnd))
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}/u.test(sentence))
    .toReversed();
  return above.length === 0 ? { text } : { text, above: above.slice(0, linesAboveMax).join("\n") };
}

// An address ends before signs of other scripts than its own: "https://app.example/v/7f3a请点击", "…/7f3a。"
const addressStart = /https?:\/\//gi;
const address =
  /https?:\/\/[^\s<>"'`\]“”„«»‘’‚‹›…،؛؟。\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\u200b-\u200f\u2028-\u202e\u2060-\u2069]*/iy;
const wide =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
/** In a host they are its name, unless they stand right behind its last letter. */
const unwide = new RegExp(`^[^/]*//(?:(?<![A-Za-z0-9])[${wide}]|[^/?#${wide}])*(?:[/?#][^${wide}]*)?`, "u");

function nextLink(line: string, from: number): { href: string; start: number; end: number } | undefined {
  addressStart.lastIndex = from;
  const start = addressStart.exec(line)?.index;
  if (start === undefined) return undefined;
  address.lastIndex = start;
  const whole = address.exec(line)?.[0] ?? "";
  const own = unwide.exec(whole)?.[0] ?? whole;
  const end = start + own.length;
  // Templates for HTML write "&amp;" in plain text, too.
  const href = own.replace(/[.,;:!?)]{1,3}$/, "").replaceAll("&amp;", "&");
  return href.length <= linkLengthMax
    ? { href, start, end: Math.max(end, start + 1) }
    : nextLink(line, Math.max(end, start + 1));
}

import { decodeEntities } from "./mime.entities.ts";

/** A link as a person sees it: where it leads and what is written on it. */
export interface Link {
  href: string;
  text: string;
  /** The sentence that it stands in, where there is one around it. */
  around?: string;
}

/** What a person reads of a letter. */
export interface Rendered {
  text: string;
  links: Link[];
  /** What mail programs show beside the subject or in place of pictures: hidden text, and the words of pictures. */
  unseen: string;
}

const lettersMax = 1_000_000;
const depthMax = 200;
const linksMax = 500;
const linkLengthMax = 2048;
const unseenLengthMax = 2_000;
const aroundLengthMax = 120;

const names = (list: string) => new Set(list.split(" "));
const voids = names("area base br col embed hr img input link meta param source track wbr");
const unread = names(
  "script style title textarea template iframe noembed noframes xmp object select svg math audio video",
);
const blocks = names(
  "address article aside blockquote body center dd details div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody tfoot thead tr ul",
);
const cells = names("td th");
/** What stands apart from what is before it. */
const apart = names("p h1 h2 h3 h4 h5 h6");
/** What an opening tag closes by itself when it stands right under it (HTML Living Standard §13.1.2.4). */
const closes: Record<string, Set<string>> = {
  li: names("li"),
  td: names("td th"),
  th: names("td th"),
  tr: names("td th tr"),
};

interface Open {
  name: string;
  isHidden: boolean;
  hasNoSize: boolean;
  /** Its lines are kept as they are. */
  isPre: boolean;
}

interface Tag {
  name: string;
  isClosing: boolean;
  attributes: ReadonlyMap<string, string>;
  end: number;
}

/**
 * The text of an HTML document as a person reads it: without what is styled away, scripts and colours; a line for each block.
 * Takes any text, in time linear to its length; what is beyond a million characters is not looked at.
 */
export function renderHtml(html: string): Rendered {
  const source = html.slice(0, lettersMax);
  const page = new Page();
  let at = 0;
  while (at < source.length) {
    let less = source.indexOf("<", at);
    while (less >= 0 && !isMarkup(source.charCodeAt(less + 1))) less = source.indexOf("<", less + 1);
    page.write(source.slice(at, less < 0 ? source.length : less));
    if (less < 0) break;
    at = readMarkup(source, less, page);
  }
  return page.finish();
}

/** Handles what begins with "<" and answers where to go on. */
function readMarkup(source: string, less: number, page: Page): number {
  const next = source.charCodeAt(less + 1);
  if (source.startsWith("<!--", less)) return after(source, "-->", less + 4);
  if (next === 0x21 || next === 0x3f) return after(source, ">", less + 2);
  const tag = readTag(source, less);
  if (tag.isClosing) page.close(tag.name);
  else if (unread.has(tag.name)) return afterUnread(source, tag);
  else page.open(tag);
  return tag.end;
}

function after(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from);
  return found < 0 ? source.length : found + mark.length;
}

function afterUnread(source: string, tag: Tag): number {
  for (let at = tag.end; ; at += 2) {
    at = source.indexOf("</", at);
    if (at < 0) return source.length;
    const name = source.slice(at + 2, at + 2 + tag.name.length).toLowerCase();
    if (name === tag.name && !isNameByte(source.charCodeAt(at + 2 + name.length)))
      return after(source, ">", at);
  }
}

const isLetter = (byte: number) => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
/** Whether a "<" before this begins a tag, a comment or the like; else it is text. */
const isMarkup = (next: number) => isLetter(next) || next === 0x2f || next === 0x21 || next === 0x3f;
const isNameByte = (byte: number) => isLetter(byte) || (byte >= 0x30 && byte <= 0x39) || byte === 0x2d;
const isSpace = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

function readTag(source: string, less: number): Tag {
  const isClosing = source[less + 1] === "/";
  let at = less + (isClosing ? 2 : 1);
  const start = at;
  while (at < source.length && !isSpace(source.charCodeAt(at)) && source[at] !== ">" && source[at] !== "/")
    at++;
  const name = source.slice(start, Math.min(at, start + 40)).toLowerCase();
  // Most tags have no attributes, and closing ones none that count.
  if (source[at] === ">") return { name, isClosing, attributes: none, end: at + 1 };
  if (isClosing) return { name, isClosing, attributes: none, end: after(source, ">", at) };
  const attributes = new Map<string, string>();
  while (at < source.length && source[at] !== ">") {
    const read = readAttribute(source, at);
    if (read.name !== "" && !attributes.has(read.name)) attributes.set(read.name, read.value);
    at = read.end;
  }
  return { name, isClosing, attributes, end: at + 1 };
}

const none: ReadonlyMap<string, string> = new Map();

function readAttribute(source: string, from: number): { name: string; value: string; end: number } {
  let at = from;
  if (isSpace(source.charCodeAt(at)) || source[at] === "/") return { name: "", value: "", end: at + 1 };
  const start = at;
  do at++;
  while (
    at < source.length &&
    !isSpace(source.charCodeAt(at)) &&
    source[at] !== "=" &&
    source[at] !== ">" &&
    source[at] !== "/"
  );
  const name = source.slice(start, Math.min(at, start + 40)).toLowerCase();
  while (isSpace(source.charCodeAt(at))) at++;
  if (source[at] !== "=") return { name, value: "", end: at };
  at++;
  while (isSpace(source.charCodeAt(at))) at++;
  const quote = source[at];
  if (quote === '"' || quote === "'") {
    const end = source.indexOf(quote, at + 1);
    const close = end < 0 ? source.length : end;
    return { name, value: source.slice(at + 1, close), end: close + 1 };
  }
  const begin = at;
  while (at < source.length && !isSpace(source.charCodeAt(at)) && source[at] !== ">") at++;
  return { name, value: source.slice(begin, at), end: at };
}

/** A link, and from which piece of the text to which it stands. */
interface Anchor extends Link {
  from: number;
  to: number;
}

const spaces = /[ \t\r\n\f\u00a0]+/g;
const sentenceEnd = /[.!?]\s|[。！？।]/u;

/** Gathers the text that is visible, line by line, and the links. */
class Page {
  readonly #pieces: string[] = [];
  readonly #stack: Open[] = [];
  readonly #links: Anchor[] = [];
  #link: { href: string; from: number; alt: string } | undefined;
  #unseen = "";
  #newlines = 2;
  #isSpaced = true;
  #separator = "";

  write(raw: string): void {
    if (raw === "") return;
    if (!this.#isVisible()) {
      this.#hide(raw, " ");
      return;
    }
    const text = decodeEntities(raw);
    if (this.#stack.at(-1)?.isPre) {
      const lines = text.split(/\r?\n/);
      for (const [index, line] of lines.entries()) {
        if (index > 0) this.#breakLine();
        this.#words(line);
      }
      return;
    }
    this.#words(text);
  }

  open(tag: Tag): void {
    const { name, attributes } = tag;
    this.#implyEnd(name);
    if (blocks.has(name) || name === "br") this.#breakLine(apart.has(name) ? 2 : 1);
    if (cells.has(name) && !this.#isSpaced) this.#separator = "\t";
    if (name === "a" && this.#isVisible()) this.#startLink(attributes.get("href"));
    if (name === "img") this.#picture((attributes.get("alt") ?? "").slice(0, 200));
    if (voids.has(name) || this.#stack.length >= depthMax) return;
    const above = this.#stack.at(-1);
    const styled = attributes.get("style");
    const style = styled === undefined ? plain : styleOf(styled);
    this.#stack.push({
      name,
      isHidden: (above?.isHidden ?? false) || attributes.has("hidden") || style.hides,
      hasNoSize: style.hasNoSize ?? above?.hasNoSize ?? false,
      isPre: (above?.isPre ?? false) || name === "pre",
    });
  }

  close(name: string): void {
    if (name === "a") this.#endLink();
    if (blocks.has(name) || name === "br") this.#breakLine(name === "p" ? 2 : 1);
    const index = this.#stack.findLastIndex((open) => open.name === name);
    if (index >= 0) this.#stack.length = index;
  }

  finish(): Rendered {
    this.#endLink();
    const links = this.#links.map(({ href, text, from, to }, index) => {
      const around = this.#around(from, to, this.#links[index + 1]?.from);
      return around === "" ? { href, text } : { href, text, around };
    });
    return { text: this.#pieces.join("").trim(), links, unseen: this.#unseen.trim() };
  }

  #hide(raw: string, joint: string): void {
    if (raw.trim() === "" || this.#unseen.length >= unseenLengthMax) return;
    const left = unseenLengthMax - this.#unseen.length;
    this.#unseen += joint + decodeEntities(raw.slice(0, left)).replaceAll(/\s+/g, " ");
  }

  #picture(alt: string): void {
    if (this.#link) this.#link.alt += ` ${decodeEntities(alt)}`;
    this.#hide(alt, "\n");
  }

  /** The rest of the sentence around what was written from one place to another, up to the next link. */
  #around(from: number, to: number, next = this.#pieces.length): string {
    let before = "";
    for (let at = from - 1; at >= 0 && before.length < aroundLengthMax && this.#pieces[at] !== "\n"; at--)
      before = (this.#pieces[at] ?? "").slice(-aroundLengthMax) + before;
    let behind = "";
    for (let at = to; at < next && behind.length < aroundLengthMax && this.#pieces[at] !== "\n"; at++)
      behind += (this.#pieces[at] ?? "").slice(0, aroundLengthMax);
    return `${before.split(sentenceEnd).at(-1)} ${behind.split(sentenceEnd)[0]}`.trim();
  }

  #isVisible(): boolean {
    const top = this.#stack.at(-1);
    return top === undefined || !(top.isHidden || top.hasNoSize);
  }

  #implyEnd(name: string): void {
    const closed = closes[name] ?? (blocks.has(name) ? paragraph : undefined);
    if (!closed) return;
    while (closed.has(this.#stack.at(-1)?.name ?? "")) this.#stack.pop();
  }

  #breakLine(newlines = 1): void {
    if (!this.#isVisible()) return;
    this.#separator = "";
    this.#isSpaced = true;
    while (this.#newlines < newlines) {
      this.#pieces.push("\n");
      this.#newlines++;
    }
  }

  #words(text: string): void {
    const flat = text.replaceAll(spaces, " ");
    const isLed = flat.startsWith(" ");
    if (isLed && !this.#isSpaced) this.#separator ||= " ";
    const words = flat.slice(isLed ? 1 : 0, flat.endsWith(" ") ? -1 : undefined);
    if (words === "") return;
    if (this.#separator !== "") this.#pieces.push(this.#separator);
    this.#pieces.push(words);
    this.#separator = flat.endsWith(" ") ? " " : "";
    this.#newlines = 0;
    this.#isSpaced = false;
  }

  #startLink(href: string | undefined): void {
    this.#endLink();
    const target = decodeEntities(href ?? "").trim();
    if (target.length <= linkLengthMax && /^https?:\/\//i.test(target))
      this.#link = { href: target, from: this.#pieces.length, alt: "" };
  }

  #endLink(): void {
    const link = this.#link;
    this.#link = undefined;
    if (!link || this.#links.length >= linksMax) return;
    const { href, from } = link;
    const text = this.#pieces.slice(from).join("").trim() || link.alt.trim();
    this.#links.push({ href, text: text.slice(0, 200), from, to: this.#pieces.length });
  }
}

const paragraph = names("p");

interface Style {
  readonly hides: boolean;
  readonly hasNoSize: boolean | undefined;
}

const plain: Style = { hides: false, hasNoSize: undefined };
const styles = new Map<string, Style>();
const stylesMax = 1_000;
const styleLengthMax = 4_000;

/** What a style does to text. A letter repeats few of them many times. */
function styleOf(styled: string): Style {
  const known = styles.get(styled);
  if (known) return known;
  const tight = styled.slice(0, styleLengthMax).toLowerCase().replaceAll(/\s/g, "");
  const style = { hides: hides(tight), hasNoSize: hasNoSize(tight) };
  if (styles.size >= stylesMax) styles.clear();
  if (styled.length <= 500) styles.set(styled, style);
  return style;
}

function hides(style: string): boolean {
  return (
    style.includes("display:none") ||
    style.includes("visibility:hidden") ||
    style.includes("mso-hide:all") ||
    /(?:^|;)(?:opacity|max-height|height|max-width):0(?:px|%)?(?:!important)?(?:;|$)/.test(style)
  );
}

/** Whether a style makes text vanish (true) or big enough to read again (false); undefined when it says nothing. */
function hasNoSize(style: string): boolean | undefined {
  const found = /(?:^|;)font-size:([0-9.]*)(px|pt|rem|em|%)?/.exec(style);
  if (!found || found[1] === "") return undefined;
  if (Number(found[1]) === 0) return true;
  // A part of nothing is nothing.
  return found[2] === "em" || found[2] === "%" ? undefined : false;
}

/** The links of a plain text, each with the words that stand before it. */
export function renderPlain(plain: string): Rendered {
  const text = plain.slice(0, lettersMax).replaceAll(/\r\n?/g, "\n");
  const links: Link[] = [];
  let before = "";
  for (const line of text.split("\n")) {
    let from = 0;
    while (links.length < linksMax) {
      const link = nextLink(line, from);
      if (!link) break;
      const said = line.slice(from, link.start).trim();
      links.push({ href: link.href, text: (said || before).slice(-200) });
      from = link.end;
    }
    if (line.trim() !== "" && from === 0) before = line.trim();
  }
  return { text: text.trim(), links, unseen: "" };
}

function nextLink(line: string, from: number): { href: string; start: number; end: number } | undefined {
  const found = /https?:\/\//gi;
  found.lastIndex = from;
  const start = found.exec(line)?.index;
  if (start === undefined) return undefined;
  let end = start;
  while (end < line.length && !/[\s<>"'`\]）」】]/u.test(line.charAt(end))) end++;
  const href = line.slice(start, end).replace(/[.,;:!?)]{1,3}$/, "");
  return href.length <= linkLengthMax
    ? { href, start, end: Math.max(end, start + 1) }
    : nextLink(line, Math.max(end, start + 1));
}

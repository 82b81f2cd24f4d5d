import { decodeHTML } from "entities/decode";
import {
  aroundLengthMax,
  lastSentence,
  linkLengthMax,
  linksIn,
  linksMax,
  sentenceEnd,
  type Link,
} from "./mime.links.ts";
import { plain, Rules, styleOf } from "./mime.styles.ts";
import { after, afterComment, afterUnread, isMarkup, readTag, type Tag } from "./mime.tags.ts";

export interface Rendered {
  text: string;
  links: Link[];
  /** Shown beside the subject or in place of pictures: hidden text, and alternative texts. */
  unseen: string;
  prominent: Prominent[];
}

/** Short text that its letter sets apart from the rest. */
export interface Prominent {
  text: string;
  /** With wide gaps between its letters; else only in large type. */
  isSpaced: boolean;
}

const lettersMax = 1_000_000;
const depthMax = 200;
const unseenLengthMax = 2_000;
const prominentMax = 20;
/** A code in boxes, or in pieces with marks between them. */
const prominentLengthMax = 40;

const names = (list: string) => new Set(list.split(" "));
const isTextField = /^(?:text|number|tel|)$/i;
const voids = names("area base br col embed hr img input link meta param source track wbr");
const unread = names(
  "script style title textarea template iframe noembed noframes xmp object select svg math audio video",
);
const blocks = names(
  "address article aside blockquote body center dd details div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody tfoot thead tr ul",
);
const cells = names("td th");
const paragraph = names("p");
const headings = names("h1 h2 h3");
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
  isPre: boolean;
  isLarge: boolean;
  isSpaced: boolean;
  isReversed: boolean;
}

/** The visible text, a line for each block. Linear time; ignores what is beyond a million characters. */
export function renderHtml(html: string): Rendered {
  const source = html.slice(0, lettersMax);
  const rules = new Rules();
  const page = readPage(source, new Page(rules));
  // A rule below what it hides: once more, with all rules known.
  return (page.isOutdated ? readPage(source, new Page(rules)) : page).finish();
}

function readPage(source: string, page: Page): Page {
  let at = 0;
  while (at < source.length) {
    let less = source.indexOf("<", at);
    while (less >= 0 && !isMarkup(source.charCodeAt(less + 1))) less = source.indexOf("<", less + 1);
    page.write(source.slice(at, less < 0 ? source.length : less));
    if (less < 0) break;
    at = readMarkup(source, less, page);
  }
  return page;
}

function readMarkup(source: string, less: number, page: Page): number {
  const next = source.charCodeAt(less + 1);
  if (source.startsWith("<!--", less)) return afterComment(source, less + 2);
  if (next === 0x21 || next === 0x3f) return after(source, ">", less + 2);
  const tag = readTag(source, less);
  if (tag.isClosing) page.close(tag.name);
  else if (unread.has(tag.name)) {
    const end = afterUnread(source, tag);
    if (tag.name === "style") page.learn(tag, source.slice(tag.end, end));
    return end;
  } else page.open(tag);
  return tag.end;
}

interface Anchor extends Link {
  from: number;
  to: number;
}

const spaces = /[ \t\r\n\f\u00a0]+/g;
/** As it is seen where right-to-left is forced; letters of such scripts stand as they are read. */
const reversed = (text: string) => (/^[\0-\x7f]*$/.test(text) ? text.split("").toReversed().join("") : text);
const isAddress = /^(?:https?:\/\/|www\.)\S+$|^[a-z0-9.-]+\.[a-z]{2,}\/\S*$/i;

class Page {
  readonly #pieces: string[] = [];
  readonly #stack: Open[] = [];
  readonly #links: Anchor[] = [];
  #link: { href: string; from: number; alt: string } | undefined;
  #unseen = "";
  #newlines = 2;
  #isSpaced = true;
  #separator = "";
  readonly #prominent: Prominent[] = [];
  #isBox = false;
  /** Up to where the text before a picture is repeated beside it. */
  #repeatedUpTo = -1;
  readonly #rules: Rules;
  /** Whether rules came behind text that they may hide. */
  isOutdated = false;

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  learn({ attributes }: Tag, css: string): void {
    if (!/^(?:all|screen)?$/i.test(attributes.get("media")?.trim() ?? "")) return;
    if (this.#rules.learn(css)) this.isOutdated ||= this.#pieces.length > 0;
  }

  write(raw: string): void {
    if (raw === "") return;
    if (!this.#isVisible()) {
      this.#hide(decodeHTML(raw.slice(0, unseenLengthMax)), " ");
      return;
    }
    this.#shown(raw.includes("&") ? decodeHTML(raw) : raw);
  }

  #shown(written: string): void {
    const text = this.#stack.at(-1)?.isReversed ? reversed(written) : written;
    this.#note(text);
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
    if (name === "img") this.#picture((attributes.get("alt") ?? "").slice(0, 200));
    if (name === "input" && isTextField.test(attributes.get("type") ?? ""))
      this.#shown(` ${(attributes.get("value") ?? "").slice(0, 200)} `);
    if (!voids.has(name) && this.#stack.length < depthMax) this.#push(tag);
    // Its own style counts: buttons are set in cells without a size.
    if (name === "a" && this.#isVisible()) this.#startLink(attributes.get("href"));
  }

  #push({ name, attributes }: Tag): void {
    const above = this.#stack.at(-1);
    const styled = attributes.get("style");
    const style = styled === undefined ? plain : styleOf(styled);
    const ruled = this.#rules.isEmpty ? plain : this.#rules.styleOf(name, attributes, styled);
    this.#stack.push({
      name,
      isHidden: (above?.isHidden ?? false) || attributes.has("hidden") || style.hides || ruled.hides,
      hasNoSize: style.hasNoSize ?? ruled.hasNoSize ?? above?.hasNoSize ?? false,
      isPre: (above?.isPre ?? false) || name === "pre",
      isLarge: style.isLarge ?? (above?.isLarge || (name.length === 2 && headings.has(name))),
      isSpaced: style.isSpaced ?? above?.isSpaced ?? false,
      isReversed:
        (above?.isReversed ?? false) ||
        style.isReversed ||
        (name === "bdo" && /^rtl$/i.test(attributes.get("dir") ?? "")),
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
    const text = this.#pieces.join("").trim();
    const links = this.#links.map(({ href, text: label, from, to }, index): Link => {
      const around = this.#around(from, to, this.#links[index + 1]?.from);
      // A label that is an address says nothing: its sentence does.
      const text =
        label.includes("/") && isAddress.test(label) ? around || lastSentence(this.#lineBefore(from)) : label;
      return around === "" ? { href, text } : { href, text, around };
    });
    return {
      text,
      links: [...links, ...this.#bareLinks(text)].slice(0, linksMax),
      unseen: this.#unseen.trim(),
      prominent: this.#prominent,
    };
  }

  /** Addresses in the text that no link has, in its label or as where it leads. */
  #bareLinks(text: string): Link[] {
    if (!text.includes("://")) return [];
    const known = this.#links.map(({ href, text: label }) => `${href} ${label}`).join(" ");
    return linksIn(text).filter(({ href }) => !known.includes(href));
  }

  /** Boxes of one character each are one text. */
  #note(text: string): void {
    const top = this.#stack.at(-1);
    const isProminent = top !== undefined && (top.isLarge || top.isSpaced);
    if (!isProminent && !this.#isBox) return;
    const words = text.trim();
    if (words === "") return;
    const last = this.#isBox && words.length === 1 ? this.#prominent.at(-1) : undefined;
    this.#isBox = isProminent && words.length === 1;
    if (!isProminent || words.length > prominentLengthMax) return;
    if (last && last.text.length < prominentLengthMax) last.text += ` ${words}`;
    else if (this.#prominent.length < prominentMax)
      this.#prominent.push({ text: words, isSpaced: top.isSpaced });
  }

  #hide(text: string, joint: string): void {
    if (text.trim() === "" || this.#unseen.length >= unseenLengthMax) return;
    const left = unseenLengthMax - this.#unseen.length;
    this.#unseen += joint + text.slice(0, left).replaceAll(/\s+/g, " ");
  }

  #picture(alt: string): void {
    if (this.#link) this.#link.alt += ` ${alt}`;
    // A number in a picture is what the line before says.
    if (/\p{N}/u.test(alt) && this.#isVisible() && this.#repeatedUpTo !== this.#pieces.length) {
      this.#repeatedUpTo = this.#pieces.length;
      this.#hide(this.#lineBefore(this.#repeatedUpTo), "\n");
    }
    this.#hide(alt, "\n");
  }

  /** The words before a place on its line, else those of the line above it. */
  #lineBefore(from: number): string {
    let line = "";
    for (let at = from - 1; at >= 0 && line.length < aroundLengthMax; at--) {
      const piece = this.#pieces[at] ?? "";
      if (piece !== "\n") line = piece.slice(-aroundLengthMax) + line;
      else if (line.trim() !== "") break;
    }
    return line;
  }

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
    const target = (href ?? "").trim();
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

export function renderPlain(plain: string): Rendered {
  const text = plain.slice(0, lettersMax).replaceAll(/\r\n?/g, "\n");
  return { text: text.trim(), links: text.includes("://") ? linksIn(text) : [], unseen: "", prominent: [] };
}

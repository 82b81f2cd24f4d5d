export interface Style {
  readonly hides: boolean;
  readonly hasNoSize: boolean | undefined;
  /** In large type; undefined when the style sets no size. */
  readonly isLarge: boolean | undefined;
  /** With wide gaps between its letters, as codes are often set. */
  readonly isSpaced: boolean | undefined;
  /** Written from its end to its start. */
  readonly isReversed: boolean;
}

export const plain: Style = {
  hides: false,
  hasNoSize: undefined,
  isLarge: undefined,
  isSpaced: undefined,
  isReversed: false,
};
const styles = new Map<string, Style>();
const stylesMax = 1_000;
const styleLengthMax = 4_000;

/** Cached: a letter repeats few styles many times. */
export function styleOf(styled: string): Style {
  const known = styles.get(styled);
  if (known) return known;
  const tight = tightOf(styled);
  const style = {
    hides: isFlat(tight) || hides(tight),
    hasNoSize: hasNoSize(tight),
    isLarge: isLarge(tight),
    isSpaced: isSpaced(tight),
    isReversed: /unicode-bidi:(?:bidi|isolate)-override/.test(tight) && tight.includes("direction:rtl"),
  };
  if (styles.size >= stylesMax) styles.clear();
  if (styled.length <= 500) styles.set(styled, style);
  return style;
}

const tightOf = (styled: string) =>
  styled
    .slice(0, styleLengthMax)
    .toLowerCase()
    .replaceAll(/\/\*[^]*?(?:\*\/|$)|\s/g, "");

const hidden = new RegExp(
  "(?:^|;)(?:" +
    [
      "display:none",
      "visibility:(?:hidden|collapse)",
      "mso-hide:all",
      "opacity:(?:0|0?\\.0\\d*|0%)(?=!|;|$)",
      // Off the screen, or cut to nothing.
      "(?:left|top|right|bottom|text-indent|margin(?:-left|-top|-right|-bottom)?):-(?:[0-9]{4,}|[5-9][0-9]{2}|[0-9]{3,}(?:em|rem|%|vw|vh))",
      "(?:-webkit-)?transform:[^;]*(?:scale[xy]?\\(0(?:,0)?\\)|translate[xy]?\\([^)]*-[0-9]{4,})",
      "clip:rect\\((?:[01](?:px)?,?){4}\\)",
      "clip-path:(?:inset\\((?:50|100)%|circle\\(0)",
      "color:(?:transparent|rgba\\([^)]*,0(?:\\.0)?\\))",
    ].join("|") +
    ")",
);

const isFlat = (style: string) =>
  /(?:^|;)(?:max-height|height|max-width):0(?:px|%)?(?:!important)?(?:;|$)/.test(style);
const isCut = (style: string) =>
  style.includes("overflow:hidden") &&
  (isFlat(style) || /(?:^|;)width:0(?:px|%)?(?:!important)?(?:;|$)/.test(style));
const hides = (style: string) => hidden.test(style) || isCut(style) || isOnItsColour(style);

/** Text in the colour that is behind it. */
function isOnItsColour(style: string): boolean {
  if (!style.includes("background")) return false;
  const text = /^(?:.*;)?color:([^;!]+)/.exec(style)?.[1];
  const behind = /^(?:.*;)?background(?:-color)?:([^;!]+)/.exec(style)?.[1];
  return text !== undefined && behind !== undefined && colourOf(text) === colourOf(behind);
}

const colourOf = (colour: string) =>
  colour
    .replace(/^#([0-9a-f])([0-9a-f])([0-9a-f])$/, "#$1$1$2$2$3$3")
    .replace(/^white$|^rgb\(255,255,255\)$/, "#ffffff")
    .replace(/^black$|^rgb\(0,0,0\)$/, "#000000");

/** What one rule says of a tag, a class or an id: whether it is hidden, and whether its text has no size. */
interface Rule {
  readonly key: string;
  readonly hides: boolean | undefined;
  readonly hasNoSize: boolean | undefined;
}

const simple = /^(?:[a-z][a-z0-9]*|\*)?(?:[.#][\w-]+)?$/i;
/** Of selectors that are not read, "a b": sizes of what is within others. */
const within = "";
const rulesMax = 500;
const sheets = new Map<string, readonly Rule[]>();
const sheetsMax = 100;
const sheetLengthMax = 30_000;
const matters = /display|visib|opacity|font-size|hid|clip|transform|:\s*-|background|transparent/i;

/** Cached: the letters of a site have one `<style>`. */
function rulesOf(css: string): readonly Rule[] {
  const known = sheets.get(css);
  if (known) return known;
  const rules = rulesIn(css);
  if (sheets.size >= sheetsMax) sheets.clear();
  // A copy: a part of a text keeps the whole text.
  if (css.length <= sheetLengthMax) sheets.set(Buffer.from(css).toString(), rules);
  return rules;
}

function rulesIn(css: string): Rule[] {
  const rules: Rule[] = [];
  const text = css.replaceAll(/\/\*[\s\S]*?(?:\*\/|$)|<!--|-->/g, "");
  for (let at = 0, read = 0; at < text.length && read < rulesMax; read++) {
    const open = text.indexOf("{", at);
    if (open < 0) break;
    const head = text.slice(at, open).split(";").at(-1)?.trim() ?? "";
    at = head.startsWith("@") ? endOfBlock(text, open) : endOf(text, open);
    if (!head.startsWith("@")) rules.push(...rulesFor(head, text.slice(open + 1, at - 1)));
  }
  return rules;
}

function rulesFor(head: string, body: string): Rule[] {
  if (!matters.test(body)) return [];
  const tight = tightOf(body);
  const isHidden = hides(tight) || (/(?:^|;)display:(?!none)/.test(tight) ? false : undefined);
  const isSizeless = hasNoSize(tight);
  if (isHidden === undefined && isSizeless === undefined) return [];
  return head.split(",").map((each) => {
    const selector = each.trim();
    const isRead = selector !== "" && simple.test(selector) && !/^(?:html|body)$/i.test(selector);
    return { key: isRead ? selector.replace("*", "") : within, hides: isHidden, hasNoSize: isSizeless };
  });
}

/** What the rules of `<style>` hide, by tag, class and id. Rules for some screens only (`@media`) do not count. */
export class Rules {
  readonly #hiding = new Set<string>();
  readonly #sizeless = new Set<string>();
  /** Then a class without a size may hold text that has one. */
  #hasSizesWithin = false;

  isEmpty = true;

  /** Whether it hides more than the rules before. */
  learn(css: string): boolean {
    const before = this.#hiding.size + this.#sizeless.size;
    for (const { key, hides: isHidden, hasNoSize: isSizeless } of rulesOf(css))
      if (key === within) this.#hasSizesWithin ||= isSizeless === false;
      else {
        if (isHidden !== undefined) this.#hiding[isHidden ? "add" : "delete"](key);
        if (isSizeless !== undefined) this.#sizeless[isSizeless ? "add" : "delete"](key);
      }
    const now = this.#hiding.size + this.#sizeless.size;
    this.isEmpty = now === 0;
    return now > before;
  }

  /** How the rules hide a tag, unless its own style shows it again. */
  styleOf(name: string, attributes: ReadonlyMap<string, string>, styled = ""): Style {
    const [id, classes] = [attributes.get("id"), attributes.get("class")];
    const keys = [name];
    if (id !== undefined) keys.push(`#${id}`, `${name}#${id}`);
    if (classes !== undefined)
      for (const each of classes.split(/\s+/, 20)) keys.push(`.${each}`, `${name}.${each}`);
    const isHidden = keys.some((key) => this.#hiding.has(key)) && !/display\s*:\s*(?!none)\w/i.test(styled);
    const isSizeless = !this.#hasSizesWithin && keys.some((key) => this.#sizeless.has(key));
    return isHidden || isSizeless ? { ...plain, hides: isHidden, hasNoSize: isSizeless || undefined } : plain;
  }
}

/** Behind the block that begins at a brace. */
function endOf(text: string, open: number): number {
  const close = text.indexOf("}", open);
  return close < 0 ? text.length : close + 1;
}

function endOfBlock(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "{") depth++;
    else if (text[at] === "}" && --depth === 0) return at + 1;
  }
  return text.length;
}

/** True for invisible text, false for readable text; undefined when the style sets no size. */
function hasNoSize(style: string): boolean | undefined {
  const found = /(?:^|;)font-size:([0-9.]*)(px|pt|rem|em|%)?/.exec(style);
  if (!found || found[1] === "") return undefined;
  if (Number(found[1]) === 0) return true;
  // A relative size of nothing is nothing.
  return found[2] === "em" || found[2] === "%" ? undefined : false;
}

/** From half as large again as usual text on. */
const largeFrom: Readonly<Record<string, number>> = { px: 22, pt: 17, em: 1.5, rem: 1.4, "%": 150 };
const spacedFrom: Readonly<Record<string, number>> = { px: 2, pt: 1.5, em: 0.1, rem: 0.12, "%": 10 };

const isLarge = (style: string) =>
  reaches(/(?:^|;)font-size:([0-9.]+)(px|pt|rem|em|%)/.exec(style), largeFrom);
const isSpaced = (style: string) =>
  reaches(/(?:^|;)letter-spacing:([0-9.]+)(px|pt|rem|em|%)/.exec(style), spacedFrom);

const reaches = (found: RegExpExecArray | null, from: Readonly<Record<string, number>>) =>
  found ? Number(found[1]) >= (from[found[2] ?? ""] ?? Number.POSITIVE_INFINITY) : undefined;

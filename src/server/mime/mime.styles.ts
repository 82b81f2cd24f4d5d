export interface Style {
  readonly hides: boolean;
  readonly hasNoSize: boolean | undefined;
  /** In large type; undefined when the style sets no size. */
  readonly isLarge: boolean | undefined;
  /** With wide gaps between its letters, as codes are often set. */
  readonly isSpaced: boolean | undefined;
}

export const plain: Style = { hides: false, hasNoSize: undefined, isLarge: undefined, isSpaced: undefined };
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
  };
  if (styles.size >= stylesMax) styles.clear();
  if (styled.length <= 500) styles.set(styled, style);
  return style;
}

const tightOf = (styled: string) => styled.slice(0, styleLengthMax).toLowerCase().replaceAll(/\s/g, "");

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

const simple = /^(?:[a-z][a-z0-9]*|\*)?(?:[.#][\w-]+)?$/i;
const rulesMax = 500;
const matters = /display|visib|opacity|font-size|hid|clip|transform|:\s*-|background|transparent/i;

/** What the rules of `<style>` hide, by tag, class and id. Rules for some screens only (`@media`) do not count. */
export class Rules {
  readonly #hiding = new Set<string>();
  #read = 0;
  /** With sizes of what is within others, a class without a size may hold text that has one. */
  #hasSizesWithin = false;
  readonly #sizeless = new Set<string>();

  get isEmpty(): boolean {
    return this.#hiding.size === 0 && this.#sizeless.size === 0;
  }

  /** Whether it hides more than the rules before. */
  learn(css: string): boolean {
    const before = this.#hiding.size + this.#sizeless.size;
    const text = css.replaceAll(/\/\*[\s\S]*?(?:\*\/|$)|<!--|-->/g, "");
    for (let at = 0; at < text.length && this.#read < rulesMax; this.#read++) {
      const open = text.indexOf("{", at);
      if (open < 0) break;
      const head = text.slice(at, open).split(";").at(-1)?.trim() ?? "";
      at = head.startsWith("@") ? endOfBlock(text, open) : endOf(text, open);
      if (!head.startsWith("@")) this.#take(head, text.slice(open + 1, at - 1));
    }
    return this.#hiding.size + this.#sizeless.size > before;
  }

  #take(head: string, body: string): void {
    if (!matters.test(body)) return;
    const tight = tightOf(body);
    const hasNone = hides(tight);
    const isSizeless = hasNoSize(tight);
    const isShown = /(?:^|;)display:(?!none)/.test(tight);
    if (!hasNone && isSizeless === undefined && !isShown) return;
    for (const each of head.split(",")) {
      const selector = each.trim();
      if (!simple.test(selector) || selector === "" || /^(?:html|body)$/i.test(selector)) {
        this.#hasSizesWithin ||= isSizeless === false;
        continue;
      }
      const key = selector.startsWith("*") ? selector.slice(1) : selector;
      if (hasNone) this.#hiding.add(key);
      else if (isShown) this.#hiding.delete(key);
      if (isSizeless === true) this.#sizeless.add(key);
      else if (isSizeless === false) this.#sizeless.delete(key);
    }
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

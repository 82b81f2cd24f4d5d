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
  const tight = styled.slice(0, styleLengthMax).toLowerCase().replaceAll(/\s/g, "");
  const style = {
    hides: hides(tight),
    hasNoSize: hasNoSize(tight),
    isLarge: isLarge(tight),
    isSpaced: isSpaced(tight),
  };
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

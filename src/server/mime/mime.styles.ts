export interface Style {
  readonly hides: boolean;
  readonly hasNoSize: boolean | undefined;
}

export const plain: Style = { hides: false, hasNoSize: undefined };
const styles = new Map<string, Style>();
const stylesMax = 1_000;
const styleLengthMax = 4_000;

/** Cached: a letter repeats few styles many times. */
export function styleOf(styled: string): Style {
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

/** True for invisible text, false for readable text; undefined when the style sets no size. */
function hasNoSize(style: string): boolean | undefined {
  const found = /(?:^|;)font-size:([0-9.]*)(px|pt|rem|em|%)?/.exec(style);
  if (!found || found[1] === "") return undefined;
  if (Number(found[1]) === 0) return true;
  // A relative size of nothing is nothing.
  return found[2] === "em" || found[2] === "%" ? undefined : false;
}

// The names in common use (HTML Living Standard §13.5); others stay as written.
const named: Record<string, string> = Object.fromEntries(
  (
    "amp:& lt:< gt:> quot:\" apos:' ensp:\u2002 emsp:\u2003 thinsp:\u2009 zwnj:\u200c zwj:\u200d " +
    "lrm:\u200e rlm:\u200f hairsp:\u200a numsp:\u2007 puncsp:\u2008 ZeroWidthSpace:\u200b NoBreak:\u2060 hyphen:‐ " +
    "lpar:( rpar:) period:. comma:, excl:! equals:= dollar:$ percnt:% sol:/ lowbar:_ commat:@ " +
    "trade:™ hellip:… mdash:— ndash:– lsquo:‘ rsquo:’ sbquo:‚ ldquo:“ rdquo:” bdquo:„ bull:• euro:€ dagger:† larr:← " +
    "uarr:↑ rarr:→ darr:↓"
  )
    .split(" ")
    .map((pair) => [pair.slice(0, pair.indexOf(":")), pair.slice(pair.indexOf(":") + 1)]),
);
// The letters of Latin-1 in their order, from nbsp.
const latin =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot " +
  "cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml " +
  "Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig " +
  "agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute " +
  "ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";
for (const [index, name] of latin.split(" ").entries()) named[name] = String.fromCharCode(0xa0 + index);
named["num"] = "#";
named["colon"] = ":";
named["Tab"] = "\t";
named["NewLine"] = "\n";

const entity = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(sup[123]|frac(?:12|14|34)|[a-zA-Z]{2,16}));?/g;

/** Resolves character references; an invalid one (NUL, a half of a pair) becomes U+FFFD. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    entity,
    (whole, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole;
      return character(decimal === undefined ? Number.parseInt(hex ?? "0", 16) : Number(decimal));
    },
  );
}

function character(point: number): string {
  const isText = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
  return isText ? String.fromCodePoint(point) : "\ufffd";
}

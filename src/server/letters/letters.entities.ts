// The names that mail really uses (HTML Living Standard §13.5); the rest stays as it is written.
const named: Record<string, string> = Object.fromEntries(
  (
    "amp:& lt:< gt:> quot:\" apos:' nbsp:\u00a0 ensp:\u2002 emsp:\u2003 thinsp:\u2009 zwnj:\u200c zwj:\u200d shy:\u00ad " +
    "lrm:\u200e rlm:\u200f hairsp:\u200a numsp:\u2007 puncsp:\u2008 ZeroWidthSpace:\u200b NoBreak:\u2060 hyphen:‐ " +
    "lpar:( rpar:) period:. comma:, excl:! equals:= dollar:$ percnt:% sol:/ lowbar:_ commat:@ " +
    "copy:© reg:® trade:™ hellip:… mdash:— ndash:– lsquo:‘ rsquo:’ sbquo:‚ ldquo:“ rdquo:” bdquo:„ laquo:« raquo:» " +
    "bull:• middot:· deg:° times:× euro:€ pound:£ yen:¥ cent:¢ sect:§ para:¶ dagger:† larr:← uarr:↑ rarr:→ darr:↓ " +
    "iexcl:¡ iquest:¿ aacute:á eacute:é iacute:í oacute:ó uacute:ú ntilde:ñ Aacute:Á Eacute:É Iacute:Í Oacute:Ó " +
    "Uacute:Ú Ntilde:Ñ uuml:ü Uuml:Ü auml:ä ouml:ö Auml:Ä Ouml:Ö szlig:ß agrave:à egrave:è ccedil:ç Ccedil:Ç"
  )
    .split(" ")
    .map((pair) => [pair.slice(0, pair.indexOf(":")), pair.slice(pair.indexOf(":") + 1)]),
);
named["num"] = "#";
named["colon"] = ":";
named["Tab"] = "\t";
named["NewLine"] = "\n";

const entity = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,16}));?/g;

/** Resolves character references. One that means no character of a text (NUL, a half of a pair) becomes U+FFFD. */
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

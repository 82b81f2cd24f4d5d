import sanitizeHtml from "sanitize-html";
import { isPublicName } from "../../platform/registrable.ts";

/** `none` for lists; `carried`: those in the letter; `all`: remote ones too, which tell the sender when and from where it was read. */
export type Pictures = "none" | "carried" | "all";

export interface Clean {
  readonly html: string;
  readonly remotePictures: number;
}

const htmlLengthMax = 500_000;
const tagsMax = 20_000;
const nestingMax = 100;
const styleLengthMax = 2_000;
/** In characters of base64: the parser puts pictures of at most 256 KB into a letter. */
const picturesLengthMax = 400_000;

const words = (list: string) => list.split(" ");

const tags = words(
  "a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn div dl dt em " +
    "figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s samp section small span " +
    "strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr",
);
const sides = (name: string, after = "") =>
  ["top", "right", "bottom", "left"].map((side) => `${name}-${side}${after}`);
const properties = new Set([
  ...words(
    "background background-color border border-collapse border-color border-radius border-spacing border-style border-width " +
      "box-shadow box-sizing clear color direction display float font font-family font-size font-style font-variant font-weight " +
      "height letter-spacing line-height list-style-type margin max-height max-width min-height min-width opacity overflow " +
      "overflow-wrap padding table-layout text-align text-decoration text-indent text-transform unicode-bidi vertical-align " +
      "visibility white-space width word-break word-spacing word-wrap",
  ),
  ...["margin", "padding", "border"].flatMap((name) => sides(name)),
  ...["-color", "-style", "-width"].flatMap((after) => sides("border", after)),
]);
const everywhere = words("align bgcolor dir height lang style title valign width");

const settings: sanitizeHtml.IOptions = {
  allowedTags: tags,
  allowedAttributes: {
    "*": everywhere,
    a: [...everywhere, "href", "target", "rel"],
    img: [...everywhere, "src", "alt", "border"],
    table: [...everywhere, "border", "cellpadding", "cellspacing"],
    td: [...everywhere, "colspan", "rowspan", "nowrap"],
    th: [...everywhere, "colspan", "rowspan", "nowrap"],
    font: [...everywhere, "color", "face", "size"],
    ol: [...everywhere, "start", "type"],
    time: [...everywhere, "datetime"],
  },
  nonTextTags: words(
    "script style textarea option select noscript title template iframe object svg math xmp noembed noframes",
  ),
  allowedSchemes: ["http", "https", "mailto", "tel"],
  allowProtocolRelative: false,
  nestingLimit: nestingMax,
  // Styles are cut below, by a parser of linear time.
  parseStyleAttributes: false,
  disallowedTagsMode: "discard",
};

/** Removes scripts, forms, frames, style sheets, classes, unwanted remote pictures and tracking links. Show it only in a frame without scripts. */
export function cleanHtml(html: string, show: Pictures): Clean {
  const { rest, pictures } = withoutPictures(html);
  let remotePictures = 0;
  const shown = (src: string): string | undefined => {
    if (placeholder.test(src))
      return show === "none" ? undefined : pictures[Number(src.slice(placed.length))] || undefined;
    const remote = remoteOf(src);
    if (remote === undefined) return undefined;
    remotePictures++;
    return show === "all" ? remote : undefined;
  };
  const clean = sanitizeHtml(bounded(rest), {
    ...settings,
    allowedSchemesByTag: { img: ["data", "http", "https"] },
    transformTags: {
      // Keeps the colours and the direction of the letter.
      body: (_tagName, attributes) => ({ tagName: "div", attribs: asStyled(attributes) }),
      a: (tagName, { href, ...attributes }) => ({
        tagName,
        attribs: {
          // A link without a scheme would lead to our own pages.
          ...(href !== undefined && /^\s*(?:https?|mailto|tel):/i.test(href) && linkTo(href.trim())),
          ...attributes,
          target: "_blank",
          rel: "noopener noreferrer nofollow",
        },
      }),
      img: (tagName, { src = "", ...attributes }) => {
        const found = isPixel(attributes) ? undefined : shown(src.trim());
        return { tagName, attribs: found === undefined ? attributes : { ...attributes, src: found } };
      },
      "*": (tagName, attributes) => ({ tagName, attribs: withCleanStyle(attributes) }),
    },
  });
  return { html: clean, remotePictures };
}

/** Without a name and a password before the host, which look like another host; the host is told beside it. */
function linkTo(href: string): { href: string; title?: string } {
  const url = URL.parse(href);
  if (url === null || !url.protocol.startsWith("http")) return { href };
  if (url.username === "" && url.password === "") return { href, title: url.host };
  url.username = url.password = "";
  return { href: url.href, title: url.host };
}

/** Where a picture is fetched, over TLS. None of a private network or another port: it would be asked by its reader's browser. */
function remoteOf(src: string): string | undefined {
  const url = /^https?:\/\//i.test(src) ? URL.parse(src) : null;
  if (url === null || !isPublicName(url.hostname)) return undefined;
  if (url.port !== "" || url.username !== "" || url.password !== "") return undefined;
  url.protocol = "https:";
  return url.href;
}

const placed = "picture:";
const placeholder = /^picture:\d{1,6}$/;
// Only raster pictures: an SVG can hold scripts and load others.
const raster = String.raw`data:image\/(?:png|gif|jpe?g|webp|bmp);base64,`;
const source = String.raw`([\s"'/]src\s*=\s*)(?:"\s*(${raster}[a-z0-9+/=\s]*)"|'\s*(${raster}[a-z0-9+/=\s]*)'|(${raster}[a-z0-9+/=]+)(?=[\s>]))`;
const elsewhere = String.raw`data:image\/[a-z0-9.+-]{1,20};base64,[a-z0-9+/=]{200,}`;
const carried = new RegExp(`${source}|${elsewhere}`, "gi");

/** Takes carried pictures out of the markup, so that they are neither cut with it nor parsed. */
function withoutPictures(html: string): { rest: string; pictures: string[] } {
  const pictures: string[] = [];
  let length = 0;
  const rest = html.replaceAll(carried, (_all, before?: string, ...sources: (string | undefined)[]) => {
    if (before === undefined) return "";
    const picture = sources.slice(0, 3).find((each) => each !== undefined) ?? "";
    length += picture.length;
    pictures.push(length <= picturesLengthMax ? picture : "");
    return `${before}"${placed}${pictures.length - 1}"`;
  });
  return { rest, pictures };
}

// The sanitiser needs seconds for letters made of tags alone; no honest one has so many.
function bounded(html: string): string {
  let tags = 0;
  for (let at = html.indexOf("<"); at >= 0 && at < htmlLengthMax; at = html.indexOf("<", at + 1))
    if (++tags > tagsMax) return html.slice(0, at);
  return html.slice(0, htmlLengthMax);
}

const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? "");
}

const linksMax = 1_000;
// Marks that turn the direction of text could disguise a link: a link ends before them.
const link = /\bhttps?:\/\/[^\s<>"'`\p{Cc}\p{Cf}]{1,2000}/giu;

export function cleanText(text: string): string {
  const bounded = text.slice(0, htmlLengthMax);
  const parts: string[] = [];
  let end = 0;
  for (const { 0: found, index } of bounded.matchAll(link)) {
    const href = withoutSentence(found);
    if (!URL.canParse(href)) continue;
    if (parts.length >= 2 * linksMax) break;
    const shown = escapeHtml(href);
    const target = escapeHtml(linkTo(href).href);
    parts.push(
      escapeHtml(bounded.slice(end, index)),
      `<a href="${target}" target="_blank" rel="noopener noreferrer nofollow">${shown}</a>`,
    );
    end = index + href.length;
  }
  parts.push(escapeHtml(bounded.slice(end)));
  return `<pre dir="auto" style="white-space:pre-wrap;word-break:break-word">${parts.join("")}</pre>`;
}

function withoutSentence(found: string): string {
  let href = found;
  for (let signs = 0; signs < 20; signs++) {
    const last = href.at(-1) ?? "";
    const opening = { ")": "(", "]": "[", "}": "{" }[last];
    const isOpenedBefore = opening !== undefined && href.split(opening).length < href.split(last).length;
    if (!isOpenedBefore && !/[.,;:!?*…。，、！？；：»”’]/u.test(last)) break;
    href = href.slice(0, -1);
  }
  return href;
}

type Attributes = sanitizeHtml.Attributes;

/** A picture that shows nothing, by its attributes or its style, only tells that it was fetched. */
function isPixel({ width = "", height = "", style = "" }: Attributes): boolean {
  if ([width, height].every((side) => /^\s*[01](?:px)?\s*$/i.test(side))) return true;
  return unseen.test(style.slice(0, styleLengthMax).replaceAll(/\/\*[^]*?(?:\*\/|$)|\s/g, ""));
}

const unseen =
  /(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|opacity:0?(?:\.0*)?(?:%|!|;|$)|(?:max-)?(?:width|height):(?:[01]|0?\.\d+)(?:px|pt|em|rem|%)?(?:!|;|$))/i;

function asStyled({ bgcolor, style = "", ...rest }: Attributes): Attributes {
  return { ...rest, style: bgcolor === undefined ? style : `background-color:${bgcolor};${style}` };
}

function withCleanStyle(attributes: Attributes): Attributes {
  const { style, ...rest } = attributes;
  const clean = style === undefined ? "" : cleanStyle(style);
  return clean === "" ? rest : { ...rest, style: clean };
}

/** Keeps known properties with plain values: no function but a colour, no escape, no address, nothing that moves out of the frame. */
function cleanStyle(style: string): string {
  const kept: string[] = [];
  for (const declaration of style.slice(0, styleLengthMax).split(";")) {
    const colon = declaration.indexOf(":");
    const property = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const given = declaration.slice(colon + 1).trim();
    // The colour beside a picture stays when the picture goes.
    const value = property === "background" ? given.replaceAll(/url\([^()]*\)/gi, "").trim() : given;
    if (value !== "" && properties.has(property) && isPlain(value)) kept.push(`${property}:${value}`);
  }
  return kept.join(";");
}

function isPlain(value: string): boolean {
  const withoutColours = value.replaceAll(/\b(?:rgba?|hsla?)\([\d\s.,%/-]*\)/gi, "");
  return (
    /^[\w\s#%.,!'"+-]*$/.test(withoutColours) && !/expression|javascript|behaviou?r|binding/i.test(value)
  );
}

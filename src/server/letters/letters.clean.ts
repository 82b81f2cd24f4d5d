import sanitizeHtml from "sanitize-html";

export interface CleanOptions {
  /** Whether pictures may be fetched from where the sender put them. That tells the sender that, when and where it was read. */
  remoteImages: boolean;
}

const htmlLengthMax = 500_000;
const tagsMax = 20_000;
const nestingMax = 100;
const styleLengthMax = 2_000;

const words = (list: string) => list.split(" ");

const tags = words(
  "a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn div dl dt em " +
    "figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s samp section small span " +
    "strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr",
);
const properties = new Set(
  words(
    "background-color border border-bottom border-bottom-color border-bottom-style border-bottom-width border-collapse border-color " +
      "border-left border-radius border-right border-spacing border-style border-top border-width box-sizing clear color direction " +
      "display float font font-family font-size font-style font-weight height letter-spacing line-height list-style-type margin " +
      "margin-bottom margin-left margin-right margin-top max-height max-width min-width opacity overflow padding padding-bottom " +
      "padding-left padding-right padding-top table-layout text-align text-decoration text-indent text-transform unicode-bidi " +
      "vertical-align visibility white-space width word-break word-spacing word-wrap",
  ),
);
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
  // The styles are cut to what harms nobody below, by a reader that cannot be slow.
  parseStyleAttributes: false,
  disallowedTagsMode: "discard",
};

/**
 * The HTML of a letter as it may be shown: no script, form, frame, style sheet or class, no picture from elsewhere unless asked
 * for, no link that tells where it was clicked. What shows it still keeps it in a frame without scripts (pages.md).
 */
export function cleanHtml(html: string, options: CleanOptions): string {
  return sanitizeHtml(bounded(html), {
    ...settings,
    allowedSchemesByTag: { img: options.remoteImages ? ["data", "http", "https"] : ["data"] },
    transformTags: {
      "*": (tagName, attributes) => ({ tagName, attribs: withCleanStyle(attributes) }),
      a: (tagName, attributes) => ({
        tagName,
        attribs: { ...withCleanStyle(attributes), target: "_blank", rel: "noopener noreferrer nofollow" },
      }),
      img: (tagName, attributes) => ({ tagName, attribs: withCleanSource(withCleanStyle(attributes)) }),
    },
  });
}

// The sanitiser needs seconds for letters that are built of tags alone; no honest one has so many.
function bounded(html: string): string {
  let tags = 0;
  for (let at = html.indexOf("<"); at >= 0 && at < htmlLengthMax; at = html.indexOf("<", at + 1))
    if (++tags > tagsMax) return html.slice(0, at);
  return html.slice(0, htmlLengthMax);
}

/** A plain text as it may be shown: escaped, with its lines as they are. */
export function cleanText(text: string): string {
  return `<pre style="white-space:pre-wrap;word-break:break-word">${escapeHtml(text.slice(0, htmlLengthMax))}</pre>`;
}

/**
 * A whole document around cleaned HTML, beginning with exactly `<!DOCTYPE html>` as clients look for (api.md). Its policy
 * lets nothing run, load or be sent, should something have slipped through.
 */
export function page(clean: string, options: CleanOptions = { remoteImages: false }): string {
  const images = options.remoteImages ? "data: https: http:" : "data:";
  const policy = `default-src 'none'; img-src ${images}; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'`;
  return `<!DOCTYPE html>
<html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width, initial-scale=1"><title></title></head>
<body style="margin:16px;background:#fff;color:#111;font-family:system-ui,sans-serif">${clean}</body></html>
`;
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

type Attributes = sanitizeHtml.Attributes;

function withCleanStyle(attributes: Attributes): Attributes {
  const { style, ...rest } = attributes;
  const clean = style === undefined ? "" : cleanStyle(style);
  return clean === "" ? rest : { ...rest, style: clean };
}

// Only raster pictures: an SVG can hold scripts and load others.
const raster = /^data:image\/(?:png|gif|jpe?g|webp|bmp);base64,[a-z0-9+/=\s]*$/i;

function withCleanSource(attributes: Attributes): Attributes {
  const { src, ...rest } = attributes;
  if (src === undefined) return rest;
  return raster.test(src) || /^https?:\/\//i.test(src) ? { ...rest, src } : rest;
}

/** Declarations of known properties with plain values: no function but a colour, no escape, no address, nothing that moves over the frame. */
function cleanStyle(style: string): string {
  const kept: string[] = [];
  for (const declaration of style.slice(0, styleLengthMax).split(";")) {
    const colon = declaration.indexOf(":");
    const property = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const value = declaration.slice(colon + 1).trim();
    if (properties.has(property) && isPlain(value)) kept.push(`${property}:${value}`);
  }
  return kept.join(";");
}

function isPlain(value: string): boolean {
  const withoutColours = value.replaceAll(/\b(?:rgba?|hsla?)\([\d\s.,%/-]*\)/gi, "");
  return (
    /^[\w\s#%.,!'"+-]*$/.test(withoutColours) && !/expression|javascript|behaviou?r|binding/i.test(value)
  );
}

import { defaultLanguage, type Language, languageCodes, languages } from "../../i18n/languages.ts";

/** What the built renderer (dist/ssr/render.js) answers for one address. */
export interface Rendered {
  readonly html: string;
  readonly title: string;
  readonly description: string;
  /** May be found by search engines. */
  readonly isPublic: boolean;
  /** False: "route not found". */
  readonly isFound: boolean;
  /** Modules that the page will ask for, by their names in the build manifest. */
  readonly files: readonly string[];
}

interface Built {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

/** What the build wrote for each module (.vite/manifest.json). */
export type Manifest = Readonly<Record<string, Built>>;

interface DocumentParts {
  readonly template: string;
  readonly manifest: Manifest;
  readonly publicUrl: string;
  readonly language: Language;
  /** What follows the language, "" for home. */
  readonly page: string;
  readonly rendered: Rendered;
  /** The data block that the page starts from. */
  readonly data: unknown;
}

const latinFont = "node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2";

/** Fills the template of the build: language and direction in the first byte, head, content, data. */
export function writeDocument(parts: DocumentParts): string {
  const { template, language, rendered, data } = parts;
  return fill(template, {
    '<html lang="en" dir="ltr">': `<html lang="${language}" dir="${languages[language].direction}">`,
    "<!--head-->": headOf(parts),
    // After those of the whole house, which the build has put last into the head.
    "</head>": `${stylesOf(parts)}</head>`,
    "<!--app-->": rendered.html,
    // "</script>" inside the data would end the block.
    "<!--data-->": JSON.stringify(data).replaceAll("<", "\\u003c"),
  });
}

/** The address of a page in one language, absolute. */
export function addressOf(publicUrl: string, language: Language, page: string): string {
  return `${publicUrl}/${language}${page === "" ? "" : `/${page}`}`;
}

/** Makes text safe inside HTML and its attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

function headOf({ manifest, publicUrl, language, page, rendered }: DocumentParts): string {
  const preloads = partsOf(manifest, rendered.files).map(
    ({ file }) => `<link rel="modulepreload" href="/${file}">`,
  );
  const font = manifest[latinFont]?.file;
  return [
    `<title>${escapeHtml(rendered.title)}</title>`,
    `<meta name="description" content="${escapeHtml(rendered.description)}">`,
    ...(rendered.isPublic
      ? publicLinks({ publicUrl, language, page, rendered })
      : ['<meta name="robots" content="noindex">']),
    ...(font === undefined
      ? []
      : [`<link rel="preload" href="/${font}" as="font" type="font/woff2" crossorigin>`]),
    ...preloads,
  ].join("\n    ");
}

/** The styles of the page's own parts: without them it would stand naked until its script fetches them. */
function stylesOf({ manifest, rendered }: DocumentParts): string {
  const files = new Set(partsOf(manifest, rendered.files).flatMap(({ css }) => css ?? []));
  return [...files].map((file) => `<link rel="stylesheet" crossorigin href="/${file}">\n  `).join("");
}

/** The named modules and all that they import, but the entry, which the template names itself. */
function partsOf(manifest: Manifest, names: readonly string[], seen = new Set<string>()): Built[] {
  return names.flatMap((name) => {
    const built = manifest[name];
    if (!built || name === "index.html" || seen.has(name)) return [];
    seen.add(name);
    return [...partsOf(manifest, built.imports ?? [], seen), built];
  });
}

type LinkParts = Pick<DocumentParts, "publicUrl" | "language" | "page" | "rendered">;

function publicLinks({ publicUrl, language, page, rendered }: LinkParts): string[] {
  const here = addressOf(publicUrl, language, page);
  const alternate = (code: string, spoken: Language) =>
    `<link rel="alternate" hreflang="${code}" href="${addressOf(publicUrl, spoken, page)}">`;
  return [
    `<link rel="canonical" href="${here}">`,
    ...languageCodes.map((code) => alternate(code, code)),
    alternate("x-default", defaultLanguage),
    '<meta property="og:type" content="website">',
    '<meta property="og:site_name" content="Postern">',
    `<meta property="og:title" content="${escapeHtml(rendered.title)}">`,
    `<meta property="og:description" content="${escapeHtml(rendered.description)}">`,
    `<meta property="og:url" content="${here}">`,
    `<meta property="og:locale" content="${language}">`,
  ];
}

/** Replaces each mark by its text as it is: a `$` in the text means nothing. */
function fill(template: string, texts: Record<string, string>): string {
  return Object.entries(texts).reduce((filled, [mark, text]) => {
    if (!filled.includes(mark)) throw new Error(`The page template has no ${mark}`);
    return filled.replace(mark, () => text);
  }, template);
}

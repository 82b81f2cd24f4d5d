import { defaultLanguage, type Language, languageCodes, languages } from "../../i18n/languages.ts";

/** The answer of the built renderer (dist/ssr/render.js). */
export interface Rendered {
  readonly html: string;
  readonly title: string;
  readonly description: string;
  readonly picture: string;
  /** What a browser without scripts is told; empty where none are needed. */
  readonly noScript: string;
  readonly isPublic: boolean;
  /** False: "route not found". */
  readonly isFound: boolean;
  /** Static: no script hydrates it. */
  readonly isStill: boolean;
  readonly files: readonly string[];
}

interface Built {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

/** The build's .vite/manifest.json. */
export type Manifest = Readonly<Record<string, Built>>;

interface DocumentParts {
  readonly template: string;
  readonly manifest: Manifest;
  readonly publicUrl: string;
  readonly language: Language;
  /** The path behind the language, "" for home. */
  readonly page: string;
  readonly rendered: Rendered;
  readonly data: unknown;
}

/** Open Graph wants a territory with each language. */
const localeOf = (language: Language) => `${language}_${languages[language].territory}`;

const latin = "geist-latin-wght-normal.woff2";

/** Preloaded fonts by language, where Latin is not enough. Chinese has one of ours only where the system has none. */
const fonts: Partial<Record<Language, readonly string[]>> = {
  ru: [latin, "geist-cyrillic-wght-normal.woff2"],
  ar: [latin, "arabic-0.woff2"],
  hi: [latin, "devanagari-0.woff2"],
};

/**
 * The built page with its styles before everything else that it loads: the first screen needs them, and a browser that opens six
 * connections would fetch them behind all scripts.
 */
export function templateOf(built: string): string {
  const link = /<link rel="stylesheet"[^>]*>\s*/g;
  const styles = built.match(link) ?? [];
  return built.replaceAll(link, "").replace("<!--head-->", `${styles.join("")}<!--styles--><!--head-->`);
}

export function writeDocument(parts: DocumentParts): string {
  const { language, rendered, data } = parts;
  const template = rendered.isStill ? stillTemplate(parts.template) : parts.template;
  const own = ownParts(parts.manifest, rendered.files);
  return fill(template, {
    '<html lang="en" dir="ltr">': `<html lang="${language}" dir="${languages[language].direction}">`,
    "<!--styles-->": styleLinksOf(own),
    "<!--head-->": headOf(parts, own),
    "<!--noscript-->":
      rendered.noScript === "" ? "" : `<noscript><p>${escapeHtml(rendered.noScript)}</p></noscript>`,
    "<!--app-->": rendered.html,
    // "</script>" inside the data would end the block.
    "<!--data-->": JSON.stringify(data).replaceAll("<", "\\u003c"),
  });
}

export function addressOf(publicUrl: string, language: Language, page: string): string {
  return `${publicUrl}/${language}${page === "" ? "" : `/${page}`}`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

function headOf({ manifest, publicUrl, language, page, rendered }: DocumentParts, own: Built[]): string {
  const preloads = rendered.isStill
    ? []
    : own.map(({ file }) => `<link rel="modulepreload" href="/${file}">`);
  return [
    // Nothing is drawn before the document is read whole: what is centred would move while it grows.
    '<link rel="expect" href="#data" blocking="render">',
    `<title>${escapeHtml(rendered.title)}</title>`,
    `<meta name="description" content="${escapeHtml(rendered.description)}">`,
    `<link rel="manifest" href="/${language}/manifest.webmanifest">`,
    ...(rendered.isPublic
      ? publicLinks({ publicUrl, language, page, rendered })
      : ['<meta name="robots" content="noindex">']),
    ...fontsOf(manifest, language).map(
      (font) => `<link rel="preload" href="/${font}" as="font" type="font/woff2" crossorigin>`,
    ),
    ...preloads,
  ].join("\n    ");
}

/** Styles of the page's own modules, after the global ones: without them it is unstyled until its script loads them. */
function styleLinksOf(own: readonly Built[]): string {
  return cssOf(own)
    .map((file) => `<link rel="stylesheet" crossorigin href="/${file}">\n    `)
    .join("");
}

function stillTemplate(template: string): string {
  return template
    .replaceAll(/<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g, "")
    .replace("</head>", '<script src="/offline.js" defer></script></head>');
}

export function stylesOf(manifest: Manifest, names: readonly string[]): string[] {
  return cssOf(partsOf(manifest, names, new Set()));
}

const cssOf = (parts: readonly Built[]) => [...new Set(parts.flatMap(({ css }) => css ?? []))];

export function fontsOf(manifest: Manifest, language: Language): string[] {
  return (fonts[language] ?? [latin]).flatMap((font) => {
    const name = Object.keys(manifest).find((source) => source.endsWith(`/${font}`));
    return (name !== undefined && manifest[name]?.file) || [];
  });
}

function ownParts(manifest: Manifest, names: readonly string[]): Built[] {
  const seen = new Set<string>();
  // The template names what every page loads.
  partsOf(manifest, ["index.html"], seen);
  return partsOf(manifest, names, seen);
}

function partsOf(manifest: Manifest, names: readonly string[], seen: Set<string>): Built[] {
  return names.flatMap((name) => {
    const built = manifest[name];
    if (!built || seen.has(name)) return [];
    seen.add(name);
    return [...partsOf(manifest, built.imports ?? [], seen), built];
  });
}

type LinkParts = Pick<DocumentParts, "publicUrl" | "language" | "page" | "rendered">;

function publicLinks({ publicUrl, language, page, rendered }: LinkParts): string[] {
  const here = addressOf(publicUrl, language, page);
  const alternate = (code: string, spoken: Language) =>
    `<link rel="alternate" hreflang="${code}" href="${addressOf(publicUrl, spoken, page)}">`;
  const picture = `${publicUrl}/share/${language}.png`;
  return [
    `<link rel="canonical" href="${here}">`,
    ...languageCodes.map((code) => alternate(code, code)),
    alternate("x-default", defaultLanguage),
    ...Object.entries({
      "og:type": "website",
      "og:site_name": "Postern",
      "og:title": rendered.title,
      "og:description": rendered.description,
      "og:url": here,
      "og:image": picture,
      "og:image:type": "image/png",
      "og:image:width": "1200",
      "og:image:height": "630",
      "og:image:alt": rendered.picture,
      "og:locale": localeOf(language),
    }).map(([property, content]) => `<meta property="${property}" content="${escapeHtml(content)}">`),
    ...languageCodes
      .filter((code) => code !== language)
      .map((code) => `<meta property="og:locale:alternate" content="${localeOf(code)}">`),
    '<meta name="twitter:card" content="summary_large_image">',
    ...(page === "" ? [linkedData(publicUrl, language, rendered)] : []),
  ];
}

/** The shop for search engines (schema.org). A data block needs no script policy. */
function linkedData(publicUrl: string, language: Language, { description }: Rendered): string {
  const shop = { "@id": `${publicUrl}/#shop` };
  const graph = [
    {
      ...shop,
      "@type": "Organization",
      name: "Postern",
      url: `${publicUrl}/`,
      logo: `${publicUrl}/icons/512.png`,
    },
    {
      "@type": "WebSite",
      "@id": `${publicUrl}/#site`,
      name: "Postern",
      url: addressOf(publicUrl, language, ""),
      description,
      inLanguage: language,
      publisher: shop,
    },
  ];
  const data = JSON.stringify({ "@context": "https://schema.org", "@graph": graph });
  return `<script type="application/ld+json">${data.replaceAll("<", "\\u003c")}</script>`;
}

/** Replaces each mark literally: a `$` in the text has no meaning. */
function fill(template: string, texts: Record<string, string>): string {
  return Object.entries(texts).reduce((filled, [mark, text]) => {
    if (!filled.includes(mark)) throw new Error(`The page template has no ${mark}`);
    return filled.replace(mark, () => text);
  }, template);
}

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { defaultLanguage, type Language, languageCodes } from "../../i18n/languages.ts";
import { addressOf, type Manifest, type Rendered, writeDocument } from "./pages.document.ts";
import { type AppTexts, writeManifest } from "./pages.manifest.ts";
import { writeWorker } from "./pages.worker.ts";
import { type PagesCaptcha, securityHeaders } from "./pages.policy.ts";

// The best quality would cost a second at each start for a few per cent less.
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const packers = { br: promisify(brotliCompress), gzip: promisify(gzip) };

export interface PagesParts {
  /** The absolute folder that the build wrote: client/ and ssr/ are in it. */
  readonly dist: string;
  readonly publicUrl: string;
  readonly demo: boolean;
  /** The messaging-app channel behind the help link; undefined: the help page. */
  readonly supportUrl: string | undefined;
  /** Whether there is a bot that confirms accounts. */
  readonly telegram: boolean;
  readonly captcha: PagesCaptcha;
  /** The mail domains on sale with the dollars that a letter costs, the preselected one first. */
  readonly domains: () => Promise<readonly { name: string; price: string }[]>;
  /** The announcements of home in a language, as the page has them. */
  readonly news: (language: Language) => Promise<readonly unknown[]>;
  /** The thumbnails of stories in a language, as home and the dashboard have them. */
  readonly stories: (language: Language) => Promise<readonly unknown[]>;
  /** Counts a call from a network address; answers the seconds to wait when it is one too many. */
  readonly admit: (address: string) => Promise<number | undefined>;
}

/** One page as it is sent. */
export interface Page {
  readonly status: 200 | 404;
  readonly isPublic: boolean;
  readonly etag: string;
  readonly body: Record<"identity" | "br" | "gzip", Buffer>;
}

export interface Pages {
  readonly clientFolder: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The pages are on https, and so are their cookies. */
  readonly isSecure: boolean;
  /** The page of an address in a language; pages are rendered once for each state of their data. */
  readonly read: (language: Language, pathname: string) => Promise<Page>;
  /** What is shown in place of a page that cannot be had: it says that the shop is out of reach, and comes back by itself. */
  readonly away: Readonly<Record<Language, Page>>;
  /**
   * Seconds that somebody must wait for a page, undefined when he gets it now. What is no page is drawn for each that asks for it,
   * which takes far longer than a call; so whoever asks for many waits.
   */
  readonly waitFor: (pathname: string, address: string) => Promise<number | undefined>;
  /** The text of the service worker, which keeps the offline page. */
  readonly worker: string;
  /** The web app manifest of each language. */
  readonly manifests: Readonly<Record<Language, string>>;
  readonly sitemap: string;
  readonly robots: string;
}

interface Renderer {
  readonly isPage: (pathname: string) => boolean;
  readonly render: (language: Language, pathname: string, data: unknown) => Promise<Rendered>;
  readonly appTexts: (language: Language) => Promise<AppTexts>;
  readonly publicPages: readonly string[];
}

interface Kept {
  readonly data: string;
  readonly page: Promise<Page>;
}

/** Opens the built pages and renders home in every language; throws when there is no build. */
export async function openPages(parts: PagesParts): Promise<Pages> {
  const client = join(parts.dist, "client");
  const renderer = (await import(pathToFileURL(join(parts.dist, "ssr/render.js")).href)) as Renderer;
  const template = readFileSync(join(client, "index.html"), "utf8");
  const manifest = JSON.parse(readFileSync(join(client, ".vite/manifest.json"), "utf8")) as Manifest;
  const { publicUrl, demo, supportUrl, telegram, captcha } = parts;
  const kept = new Map<string, Kept>();

  const draw = async (language: Language, pathname: string, data: unknown) => {
    const rendered = await renderer.render(language, pathname, data);
    const page = pathname.split("/").slice(2).join("/");
    // What stands still starts from nothing, and is the same whatever the shop sells.
    const start = rendered.isStill ? {} : data;
    const text = writeDocument({ template, manifest, publicUrl, language, page, rendered, data: start });
    return { rendered, page: await pack(text, rendered) };
  };
  const read = async (language: Language, asked: string) => {
    const pathname = bare(asked);
    const shop = { demo, supportUrl, telegram, publicUrl, captcha, domains: await parts.domains() };
    const isHome = pathname === `/${language}`;
    const news = isHome ? await parts.news(language) : undefined;
    const showsStories = isHome || pathname === `/${language}/dashboard`;
    const stories = showsStories ? await parts.stories(language) : undefined;
    const data = { ...shop, news, stories };
    const state = JSON.stringify(data);
    const known = kept.get(pathname);
    if (known?.data === state) return known.page;
    const drawn = draw(language, pathname, data);
    const page = drawn.then((done) => done.page);
    const { rendered } = await drawn;
    // Unknown addresses are without number: only real pages are kept.
    if (rendered.isFound) kept.set(pathname, { data: state, page });
    return page;
  };

  // Home is there before the doors open; the long documentation is drawn for its first reader.
  for (const language of languageCodes) await read(language, `/${language}`);
  const offlinePages = await Promise.all(
    languageCodes.map(async (language) => [language, await read(language, `/${language}/offline`)] as const),
  );
  const { files } = await renderer.render(defaultLanguage, `/${defaultLanguage}/offline`, {});
  const manifests = languageCodes.map(
    async (language) => [language, writeManifest(language, await renderer.appTexts(language))] as const,
  );
  return {
    clientFolder: client,
    headers: securityHeaders(publicUrl, captcha),
    isSecure: publicUrl.startsWith("https:"),
    read,
    away: Object.fromEntries(offlinePages) as Record<Language, Page>,
    // There are few pages, and each is drawn once: nobody has to be counted for them, which takes a database.
    waitFor: async (asked, address) => (renderer.isPage(bare(asked)) ? undefined : parts.admit(address)),
    worker: writeWorker({
      dist: parts.dist,
      manifest,
      offlinePages: offlinePages.map(([, page]) => page.body.identity),
      files,
    }),
    manifests: Object.fromEntries(await Promise.all(manifests)) as Record<Language, string>,
    sitemap: sitemapOf(publicUrl, renderer.publicPages),
    robots: robotsOf(publicUrl),
  };
}

/** The one spelling of an address that may end in slashes. */
const bare = (pathname: string) => pathname.replace(/(?<=.)\/+$/, "");

async function pack(text: string, { isFound, isPublic }: Rendered): Promise<Page> {
  const identity = Buffer.from(text);
  const etag = `W/"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`;
  const status = isFound ? 200 : 404;
  // A page that is not kept is not worth the work of packing.
  if (!isFound) return { status, isPublic, etag, body: { identity, br: identity, gzip: identity } };
  const [br, gz] = await Promise.all([packers.br(identity, quick), packers.gzip(identity)]);
  return { status, isPublic, etag, body: { identity, br, gzip: gz } };
}

function sitemapOf(publicUrl: string, pages: readonly string[]): string {
  const entries = pages.flatMap((page) => {
    const alternates = languageCodes
      .map(
        (code) =>
          `<xhtml:link rel="alternate" hreflang="${code}" href="${addressOf(publicUrl, code, page)}"/>`,
      )
      .join("");
    return languageCodes.map(
      (language) => `<url><loc>${addressOf(publicUrl, language, page)}</loc>${alternates}</url>`,
    );
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...entries,
    "</urlset>\n",
  ].join("\n");
}

/** The dashboard is kept out by its own noindex, which a robot must be let in to read. */
function robotsOf(publicUrl: string): string {
  return [
    "User-agent: *",
    "Disallow: /api/",
    "Disallow: /email/",
    "Disallow: /user/",
    `Sitemap: ${publicUrl}/sitemap.xml\n`,
  ].join("\n");
}

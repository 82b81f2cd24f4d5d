import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { defaultLanguage, type Language, languageCodes } from "../../i18n/languages.ts";
import { addressOf, type Manifest, type Rendered, templateOf, writeDocument } from "./pages.document.ts";
import { type AppTexts, writeManifest } from "./pages.manifest.ts";
import { pack, type Page } from "./pages.pack.ts";
import { openTexts, type TextsRenderer } from "./pages.texts.ts";
import { writeWorker } from "./pages.worker.ts";
import { secondsAfter } from "../platform/clock.ts";
import type { PageSettings } from "../platform/config/config.ts";
import { securityHeaders } from "./pages.policy.ts";

export interface PagesParts {
  readonly dist: string;
  /** What pages read of the settings. */
  readonly settings: PageSettings;
  readonly securityContact: readonly string[];
  readonly telegram: boolean;
  /** Mail domains on sale with the price of a letter in dollars, the preselected one first. */
  readonly domains: () => Promise<readonly { name: string; price: string }[]>;
  readonly news: (language: Language) => Promise<readonly unknown[]>;
  readonly stories: (language: Language) => Promise<readonly unknown[]>;
  /** Whether a referral word is of a partner who may earn. */
  readonly hasPartner: (word: string) => Promise<boolean>;
  /** Counts a call of a network address; answers the seconds to wait beyond the limit. */
  readonly admit: (address: string) => Promise<number | undefined>;
}

export interface Pages {
  readonly clientFolder: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly isSecure: boolean;
  readonly hasPartner: PagesParts["hasPartner"];
  /** Rendered once for each state of their data. */
  readonly read: (language: Language, pathname: string) => Promise<Page>;
  /** The new place of an old address; undefined for any other. */
  readonly movedTo: (language: Language, pathname: string) => Promise<string | undefined>;
  /** The documentation in Markdown and /llms.txt, by their addresses. */
  readonly texts: ReadonlyMap<string, () => Promise<Page>>;
  /** Shown instead of a page during an outage; it retries by itself. */
  readonly away: Readonly<Record<Language, Page>>;
  /** Seconds to wait for a page; undefined for none. Unknown addresses are rendered at each request, far slower than a call, and limited. */
  readonly waitFor: (pathname: string, address: string) => Promise<number | undefined>;
  readonly worker: string;
  readonly manifests: Readonly<Record<Language, string>>;
  readonly sitemap: string;
  readonly robots: string;
  /** Where weaknesses are reported (RFC 9116); undefined where the operator names no contact. */
  readonly securityText: (at: Date) => string | undefined;
}

interface Renderer extends TextsRenderer {
  readonly isPage: (pathname: string) => boolean;
  readonly movedTo: Pages["movedTo"];
  readonly render: (language: Language, pathname: string, data: unknown) => Promise<Rendered>;
  readonly appTexts: (language: Language) => Promise<AppTexts>;
  readonly publicPages: readonly string[];
}

interface Kept {
  readonly data: string;
  readonly page: Page;
}

/** The pages of the dashboard that show stories. */
const dashboardPath = /^\/[a-z]{2}\/dashboard(\/partner|\/investor)?$/;

/** Opens the built pages and renders home in every language; throws without a build. */
export async function openPages(parts: PagesParts): Promise<Pages> {
  const client = join(parts.dist, "client");
  const renderer = (await import(pathToFileURL(join(parts.dist, "ssr/render.js")).href)) as Renderer;
  const template = templateOf(readFileSync(join(client, "index.html"), "utf8"));
  const manifest = JSON.parse(readFileSync(join(client, ".vite/manifest.json"), "utf8")) as Manifest;
  const { settings, telegram, hasPartner } = parts;
  const { publicUrl, captcha } = settings;
  const kept = new Map<string, Kept>();

  const draw = async (language: Language, pathname: string, data: unknown) => {
    const rendered = await renderer.render(language, pathname, data);
    const page = pathname.split("/").slice(2).join("/");
    const start = rendered.isStill ? {} : data;
    const text = writeDocument({ template, manifest, publicUrl, language, page, rendered, data: start });
    return { rendered, page: await pack(text, rendered) };
  };
  const read = async (language: Language, asked: string) => {
    const pathname = bare(asked);
    const domains = await parts.domains();
    const isHome = pathname === `/${language}`;
    const news = isHome ? await parts.news(language) : undefined;
    const stories = isHome || dashboardPath.test(pathname) ? await parts.stories(language) : undefined;
    const data = { ...settings, telegram, domains, news, stories };
    const state = JSON.stringify(data);
    const known = kept.get(pathname);
    if (known?.data === state) return known.page;
    const { rendered, page } = await draw(language, pathname, data);
    // Unknown addresses are countless: only real pages are cached.
    if (rendered.isFound) kept.set(pathname, { data: state, page });
    return page;
  };

  // Home is rendered before the server listens; other pages at their first request.
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
    headers: securityHeaders(captcha),
    isSecure: publicUrl.startsWith("https:"),
    hasPartner,
    read,
    movedTo: (language, asked) => renderer.movedTo(language, bare(asked)),
    texts: openTexts(renderer, publicUrl, parts.domains),
    away: Object.fromEntries(offlinePages) as Record<Language, Page>,
    // Real pages are rendered once: no limit, which would need the database.
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
    securityText: (at) => securityTextOf(publicUrl, parts.securityContact, at),
  };
}

/** Without trailing slashes. */
const bare = (pathname: string) => pathname.replace(/(?<=.)\/+$/, "");

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

/** The dashboard excludes itself by noindex, which a robot must be allowed to read. */
function robotsOf(publicUrl: string): string {
  return [
    "User-agent: *",
    "Disallow: /api/",
    "Disallow: /email/",
    "Disallow: /user/",
    `Sitemap: ${publicUrl}/sitemap.xml\n`,
  ].join("\n");
}

/** RFC 9116 §2.5.5: less than a year. */
const securityTextDays = 180;

function securityTextOf(publicUrl: string, contacts: readonly string[], at: Date): string | undefined {
  if (contacts.length === 0) return undefined;
  return [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${secondsAfter(at, securityTextDays * 86_400).toISOString()}`,
    `Preferred-Languages: ${languageCodes.join(", ")}`,
    `Canonical: ${publicUrl}/.well-known/security.txt\n`,
  ].join("\n");
}

import { StrictMode } from "react";
import { prerender } from "react-dom/static";
import { Router } from "wouter";
import type { Language } from "../i18n/languages.ts";
import { translator } from "../i18n/t.ts";
import { App } from "./App.tsx";
import { accountCatalogue, docsCatalogue, publicCatalogue } from "./catalogues.ts";
import { LanguageProvider } from "./language.tsx";
import { docsPages, pageOf, paths } from "./paths.ts";
import { type Route, routeOf, routes } from "./routes.tsx";
import { type ServerData, ServerDataContext } from "./serverData.tsx";

export interface Rendered {
  /** The content of #root; empty for pages that only the browser renders. */
  html: string;
  title: string;
  description: string;
  picture: string;
  /** What a browser without scripts is told; empty where none are needed. */
  noScript: string;
  /** Indexable: gets canonical and hreflang links. */
  isPublic: boolean;
  isFound: boolean;
  /** Static: loads no script. */
  isStill: boolean;
  /** Modules to preload, by their names in the build manifest. */
  files: string[];
}

/** Renders an address. Public pages and "route not found" completely, with lazy parts; the browser renders the others. */
export async function render(language: Language, pathname: string, data: ServerData): Promise<Rendered> {
  const route = routeOf(pathname);
  const catalogue = await publicCatalogue(language);
  const t = translator(language, catalogue);
  const isPublic = route.description !== undefined;
  const isFound = route.page !== "*";
  const isStill = route.still ?? false;
  return {
    html: isPublic || !isFound || isStill ? await draw(language, pathname, data) : "",
    ...(await headOf(language, route)),
    picture: `Postern: ${t("meta.picture")}. ${t("meta.picture.promise")}`,
    // Where no visitor loads it: those with scripts have no use for it.
    noScript: isStill ? "" : translator(language, await accountCatalogue(language))("noScript.text"),
    isPublic,
    isFound,
    isStill,
    files: filesOf(language, route),
  };
}

/** What search engines show of a page. */
async function headOf(language: Language, route: Route): Promise<{ title: string; description: string }> {
  const t = translator(language, await publicCatalogue(language));
  if (!route.docs) {
    return {
      title: `${t(route.title)} · Postern`,
      description: t(route.description ?? "meta.home.description"),
    };
  }
  const { texts, guides } = await docsCatalogue(language);
  const { title, about } = guides[route.docs];
  return {
    title: `${title} · ${translator(language, texts)("docs.title")} · Postern`,
    description: about.replaceAll("`", ""),
  };
}

export interface AppTexts {
  name: string;
  description: string;
  dashboard: string;
  docs: string;
}

export async function appTexts(language: Language): Promise<AppTexts> {
  const t = translator(language, await publicCatalogue(language));
  return {
    name: t("meta.app"),
    description: t("meta.home.description"),
    dashboard: t("nav.dashboard"),
    docs: t("nav.docs"),
  };
}

/** The documentation as text, by the path behind the language, or without one (in English). */
export const docsTexts: readonly string[] = ["docs.md", ...docsPages.map((page) => `docs/${page}.md`)];

/** The text of a path of `docsTexts`, or of llms.txt. */
export async function docsText(
  language: Language,
  path: string,
  data: Pick<ServerData, "publicUrl" | "domains">,
): Promise<string> {
  const { docsMarkdown, llmsText } = await import("./docs/markdown.ts");
  const { texts, guides } = await docsCatalogue(language);
  const t = translator(language, { ...texts, ...(await publicCatalogue(language)) });
  const shown = { ...data, language, guides, t };
  if (path === "llms.txt") return llmsText(shown);
  return docsMarkdown(
    shown,
    docsPages.find((page) => path === `docs/${page}.md`),
  );
}

/** Whether a page exists at a path without trailing slash. */
export const isPage = (pathname: string): boolean => routeOf(pathname).page !== "*";

/** Where the reader of an old or guessed address of the documentation finds what it names: a page, or the section of a call. */
export async function movedTo(language: Language, pathname: string): Promise<string | undefined> {
  const [, name] = /^docs\/([\w.-]+)$/.exec(pageOf(pathname) ?? "") ?? [];
  if (name === undefined || isPage(pathname)) return undefined;
  const { calls } = await import("./docs/calls.ts");
  const call = calls.find(({ id }) => id === name);
  if (call) return `${paths.docs(language, call.page)}#${call.id}`;
  const page = docsPages.find((each) => each === name || each === `${name}s`);
  return page && paths.docs(language, page);
}

export const publicPages: string[] = routes.filter((route) => route.description).map((route) => route.page);

function filesOf(language: Language, { file, area }: Route): string[] {
  const texts = `i18n/${language}.json`;
  return file === undefined
    ? [texts]
    : [texts, file, `i18n/${area === "docs" ? "docs" : "app"}/${language}.json`];
}

async function draw(language: Language, pathname: string, data: ServerData): Promise<string> {
  const route = routeOf(pathname);
  const catalogue = await publicCatalogue(language);
  const { prelude } = await prerender(
    <StrictMode>
      <Router ssrPath={pathname}>
        <ServerDataContext value={data}>
          <LanguageProvider language={language} catalogue={catalogue}>
            {route.still ? <route.Page /> : <App />}
          </LanguageProvider>
        </ServerDataContext>
      </Router>
    </StrictMode>,
    // React moves larger boundaries by inline scripts, which the content policy forbids.
    { progressiveChunkSize: Number.MAX_SAFE_INTEGER },
  );
  return new Response(prelude).text();
}

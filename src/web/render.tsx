import { StrictMode } from "react";
import { prerender } from "react-dom/static";
import { Router } from "wouter";
import type { Language } from "../i18n/languages.ts";
import { translator } from "../i18n/t.ts";
import { App } from "./App.tsx";
import { publicCatalogue } from "./catalogues.ts";
import { LanguageProvider } from "./language.tsx";
import { routeOf, routes } from "./routes.tsx";
import { type ServerData, ServerDataContext } from "./serverData.tsx";

/** What the server needs to write the document around a page. */
export interface Rendered {
  /** The content of #root; empty for pages that the browser alone draws. */
  html: string;
  title: string;
  description: string;
  /** What the picture of a shared link says. */
  picture: string;
  /** May be found: gets canonical and hreflang links. */
  isPublic: boolean;
  isFound: boolean;
  /** Stands as it is drawn: no script of the pages takes it up. */
  isStill: boolean;
  /** Modules that the page will ask for, as the build manifest names them. */
  files: string[];
}

/** Renders one address in one language. Public pages and "route not found" are drawn whole, lazy parts awaited; the others are left to the browser. */
export async function render(language: Language, pathname: string, data: ServerData): Promise<Rendered> {
  const route = routeOf(pathname);
  const catalogue = await publicCatalogue(language);
  const t = translator(language, catalogue);
  const isPublic = route.description !== undefined;
  const isFound = route.page !== "*";
  const isStill = route.still ?? false;
  return {
    html: isPublic || !isFound || isStill ? await draw(language, pathname, data) : "",
    title: `${t(route.title)} · Postern`,
    description: t(route.description ?? "meta.home.description"),
    picture: `Postern: ${t("meta.picture")}. ${t("meta.picture.promise")}`,
    isPublic,
    isFound,
    isStill,
    files: filesOf(language, route.file),
  };
}

/** What the installed app says of itself, for its manifest. */
export interface AppTexts {
  name: string;
  description: string;
  dashboard: string;
  docs: string;
}

/** The texts of the manifest in one language. */
export async function appTexts(language: Language): Promise<AppTexts> {
  const t = translator(language, await publicCatalogue(language));
  return {
    name: t("meta.app"),
    description: t("meta.home.description"),
    dashboard: t("nav.dashboard"),
    docs: t("nav.docs"),
  };
}

/** Is there a page at this address, which has no slash at its end? */
export const isPage = (pathname: string): boolean => routeOf(pathname).page !== "*";

/** The addresses that a sitemap lists, without their language. */
export const publicPages: string[] = routes.filter((route) => route.description).map((route) => route.page);

function filesOf(language: Language, file: string | undefined): string[] {
  const texts = `i18n/${language}.json`;
  return file === undefined ? [texts] : [texts, file, `i18n/app/${language}.json`];
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
    // Larger boundaries would be moved into place by inline scripts, which the content policy forbids.
    { progressiveChunkSize: Number.MAX_SAFE_INTEGER },
  );
  return new Response(prelude).text();
}

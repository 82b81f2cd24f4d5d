import { type Language, languages } from "../../i18n/languages.ts";

export interface AppTexts {
  readonly name: string;
  readonly description: string;
  readonly dashboard: string;
  readonly docs: string;
}

/** As in src/web/styles/tokens.css; a manifest knows one colour for both themes. */
const paper = "#fbfaf8";

export function writeManifest(language: Language, texts: AppTexts): string {
  const dashboard = `/${language}/dashboard`;
  return JSON.stringify({
    // The same app in every language.
    id: "/",
    name: texts.name,
    short_name: "Postern",
    description: texts.description,
    lang: language,
    dir: languages[language].direction,
    start_url: dashboard,
    scope: "/",
    display: "standalone",
    background_color: paper,
    theme_color: paper,
    categories: ["productivity", "utilities"],
    icons: [
      ...["192", "512"].flatMap((side) => [
        { src: `/icons/${side}.png`, sizes: `${side}x${side}`, type: "image/png", purpose: "any" },
        {
          src: `/icons/maskable-${side}.png`,
          sizes: `${side}x${side}`,
          type: "image/png",
          purpose: "maskable",
        },
      ]),
      { src: "/favicon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" },
      { src: "/icons/monochrome.svg", sizes: "any", type: "image/svg+xml", purpose: "monochrome" },
    ],
    shortcuts: [
      { name: texts.dashboard, url: dashboard },
      { name: texts.docs, url: `/${language}/docs` },
    ],
  });
}

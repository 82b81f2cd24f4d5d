// @module-tag slow
import { globSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type Language, languageCodes } from "../src/i18n/languages.ts";

const root = new URL("../", import.meta.url);

test("the built renderer needs nothing that a production install is without", () => {
  const code = readFileSync(new URL("dist/ssr/render.js", root), "utf8");
  const imported = [...code.matchAll(/^(?:import|export)\b[^"'\n]*["']([^"'\n]+)["'];?$/gm)].map(
    ([, name = ""]) => name,
  );
  expect(imported.filter((name) => !name.startsWith("node:") && !name.startsWith("."))).toEqual([]);
  // Whatever NODE_ENV says.
  expect(code).not.toContain("process.env.NODE_ENV");
  expect(code).not.toMatch(/\bjsxDEV\b|react-dom-server\S*\.development/);
});

interface Renderer {
  readonly render: (language: string, pathname: string, data: object) => Promise<{ html: string }>;
  readonly isPage: (pathname: string) => boolean;
  readonly movedTo: (language: string, pathname: string) => Promise<string | undefined>;
  readonly publicPages: readonly string[];
  readonly docsTexts: readonly string[];
}

const built = (await import(new URL("dist/ssr/render.js", root).href)) as Renderer;
const shown = {
  domains: [{ name: "letters.test", price: "0.0035" }],
  publicUrl: "https://shop.example",
  captcha: { kind: "altcha" },
};
const drawn = new Map<string, Promise<string>>();

/** What a page of the built shop shows, drawn once. */
function draw(pathname: string): Promise<string> {
  const known =
    drawn.get(pathname) ??
    built.render(pathname.split("/")[1] ?? "", pathname, shown).then(({ html }) => html);
  drawn.set(pathname, known);
  return known;
}

test.each(languageCodes)(
  "every link of the public pages in %s leads somewhere, to its section too",
  async (language) => {
    const files = new Set(
      [...readdirSync(new URL("dist/client/", root)), "openapi.json", "llms.txt", "docs.md"].map(
        (name) => `/${name}`,
      ),
    );
    const texts = new Set(languageCodes.flatMap((each) => built.docsTexts.map((path) => `/${each}/${path}`)));
    const dead: string[] = [];
    let count = 0;
    for (const from of [...built.publicPages, "nowhere"].map((page) => `/${language}${page && `/${page}`}`)) {
      for (const [, href = ""] of (await draw(from)).matchAll(/<a\b[^>]*? href="([^"]+)"/g)) {
        if (/^(?:https?|mailto):/.test(href)) continue;
        count += 1;
        const { pathname, hash } = new URL(href.replaceAll("&amp;", "&"), `http://localhost${from}`);
        const isThere =
          pathname === from || built.isPage(pathname)
            ? hash === "" || (await draw(pathname)).includes(`id="${hash.slice(1)}"`)
            : files.has(pathname) || texts.has(pathname);
        if (!isThere) dead.push(`${from} → ${href}`);
      }
    }
    expect(dead).toEqual([]);
    expect(count).toBeGreaterThan(100);
  },
);

test("the name of a call, and of a page in the singular, lead to where they are described", async () => {
  expect(await built.movedTo("ar", "/ar/docs/order")).toBe("/ar/docs#order");
  expect(await built.movedTo("en", "/en/docs/user-webhooks-add")).toBe("/en/docs/webhooks#user-webhooks-add");
  expect(await built.movedTo("hi", "/hi/docs/payment")).toBe("/hi/docs/payments");
  expect(await built.movedTo("en", "/en/docs/start")).toBe("/en/docs");
  for (const pathname of ["/en/docs/webhooks", "/en/docs/nowhere", "/en/order", "/en/docs"])
    expect(await built.movedTo("en", pathname), pathname).toBeUndefined();
});

/** Kilobytes of scripts that a page loads in any language; the aims are 100, 140 and 180 (decision 77). */
const weights = [
  { page: "home", parts: [], texts: "", most: 100 },
  {
    page: "the documentation",
    // The largest page has the second beside.
    parts: ["src/web/docs/Docs.tsx", "src/web/docs/guides/WebhookChecks.tsx"],
    texts: "docs",
    most: 148,
  },
  { page: "the dashboard", parts: ["src/web/dashboard/Dashboard.tsx"], texts: "app", most: 180 },
] as const;

test.each(weights.flatMap((weight) => languageCodes.map((language) => ({ ...weight, language }))))(
  "$page in $language loads less than $most KB of scripts",
  ({ parts, texts, most, language }) => {
    const client = new URL("dist/client/", root);
    const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", client), "utf8")) as Record<
      string,
      { file: string; imports?: string[] }
    >;
    const loaded = new Set<string>();
    const load = (name: string) => {
      const { file, imports = [] } = manifest[name] ?? { file: "" };
      if (loaded.has(file)) return;
      loaded.add(file);
      imports.forEach(load);
    };
    for (const name of ["index.html", `i18n/${language}.json`]) load(name);
    if (parts.length > 0) for (const name of [...parts, `i18n/${texts}/${language}.json`]) load(name);
    const scripts = [...loaded].filter((file) => file.endsWith(".js"));
    expect(scripts.length).toBeGreaterThan(1);
    const bytes = scripts.map((file) => gzipSync(readFileSync(new URL(file, client))).length);
    const kilobytes = bytes.reduce((sum, each) => sum + each, 0) / 1024;
    expect(kilobytes).toBeLessThan(most);
    // Less than the half: it did not find the files.
    expect(kilobytes).toBeGreaterThan(most / 2);
  },
);

const families: Record<Language, string[]> = {
  en: [],
  es: [],
  ru: [],
  zh: ["Postern Chinese"],
  ar: ["Postern Arabic"],
  hi: ["Postern Devanagari"],
};

test("there is a letter in our fonts for every letter of every catalogue", () => {
  const assets = fileURLToPath(new URL("dist/client/assets/", root));
  const styles = readdirSync(assets)
    .filter((name) => name.endsWith(".css"))
    .map((name) => readFileSync(assets + name, "utf8"))
    .join("");
  const rangesOf = (family: string) =>
    [...styles.matchAll(/@font-face\s*\{([^}]*)\}/g)]
      .map(([, face = ""]) => face)
      .filter((face) => face.match(/font-family:\s*"?([^;"]+)/)?.[1] === family)
      .flatMap((face) => (face.match(/unicode-range:([^;}]+)/)?.[1] ?? "").split(","))
      .map((range) => range.trim().slice(2))
      .map((range) => {
        const [from = "", to = from] = range.split("-");
        // U+4?? stands for U+400-4FF.
        return [
          Number.parseInt(from.replaceAll("?", "0"), 16),
          Number.parseInt(to.replaceAll("?", "F"), 16),
        ] as const;
      });
  for (const language of languageCodes) {
    const ranges = ["Geist Variable", ...families[language]].flatMap(rangesOf);
    const paths = [`i18n/{,app/,docs/}${language}.json`, `i18n/docs/${language}/*.md`];
    const said = globSync(paths, { cwd: fileURLToPath(root) })
      .map((path) => readFileSync(new URL(path, root), "utf8"))
      .join("");
    const letters = [...new Set(said.match(/[\p{L}\p{M}]/gu))];
    const missing = letters.filter((letter) => {
      const code = letter.codePointAt(0) ?? 0;
      return !ranges.some(([from, to]) => code >= from && code <= to);
    });
    expect(missing, language).toEqual([]);
  }
});

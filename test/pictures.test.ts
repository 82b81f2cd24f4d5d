import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { languageCodes } from "../src/i18n/languages.ts";
import { mark } from "../src/web/layout/mark.ts";

const root = new URL("../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root));
const textsOf = (language: string) =>
  JSON.parse(read(`i18n/${language}.json`).toString()) as Record<string, string>;

const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

test.each(languageCodes)(
  "the picture of a link shared in %s says what its catalogue says (else: node scripts/pictures.mjs)",
  (language) => {
    const texts = textsOf(language);
    const png = read(`public/share/${language}.png`);
    expect(sizeOf(png)).toEqual([1200, 630]);
    expect(png.includes(`${texts["meta.picture"]}\n${texts["meta.picture.promise"]}`)).toBe(true);
    expect(png.length).toBeLessThan(120_000);
  },
);

test("every icon has the size that its name says, and all show the mark of the header", () => {
  for (const side of [192, 512]) {
    expect(sizeOf(read(`public/icons/${side}.png`))).toEqual([side, side]);
    expect(sizeOf(read(`public/icons/maskable-${side}.png`))).toEqual([side, side]);
  }
  expect(sizeOf(read("public/apple-touch-icon.png"))).toEqual([180, 180]);
  for (const drawing of ["public/favicon.svg", "public/icons/monochrome.svg"]) {
    expect(read(drawing).toString()).toContain(`<path d="${mark.arch}"/><path d="${mark.gate}"/>`);
  }
  const ico = read("public/favicon.ico");
  expect([0, 1, 2].map((index) => ico[6 + 16 * index])).toEqual([16, 32, 48]);
});

test.each(languageCodes)("titles and descriptions in %s fit what search engines show", (language) => {
  const texts = textsOf(language);
  const width = (text: string) =>
    Array.from(text).reduce((sum, letter: string) => sum + (letter > "\u2e7f" ? 2 : 1), 0);
  for (const page of ["home", "docs"]) {
    const title = width(`${texts[`meta.${page}.title`]} · Postern`);
    expect(title, `title of ${page}`).toBeGreaterThanOrEqual(24);
    expect(title, `title of ${page}`).toBeLessThanOrEqual(62);
    const description = width(texts[`meta.${page}.description`] ?? "");
    expect(description, `description of ${page}`).toBeGreaterThanOrEqual(90);
    expect(description, `description of ${page}`).toBeLessThanOrEqual(162);
  }
});

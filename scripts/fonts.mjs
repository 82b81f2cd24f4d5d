// Build step, about a second: subsets of fonts into .cache/fonts.
// "Postern Chinese" holds exactly the characters of the Chinese catalogues; last in the font stack, it is fetched only
// where the system has no Chinese font. "Postern Names" holds the language names of the switcher, a few KB, so that
// the list of languages does not fetch the font of every script.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import subsetFont from "subset-font";

const root = new URL("../", import.meta.url);
const out = new URL(".cache/fonts/", root);

/** The faces of a font package: file and unicode ranges. */
function facesOf(name) {
  const base = new URL(`node_modules/@fontsource-variable/${name}/`, root);
  const css = readFileSync(new URL("index.css", base), "utf8");
  return [...css.matchAll(/@font-face\s*\{([^}]*)\}/g)].map(([, body]) => ({
    url: new URL(body.match(/url\(\.?\/?([^)]+?woff2)\)/)[1], base),
    ranges: body
      .match(/unicode-range:\s*([^;]+)/)[1]
      .split(",")
      .map((range) => range.trim().slice(2).split("-"))
      .map(([from, to]) => [Number.parseInt(from, 16), Number.parseInt(to ?? from, 16)]),
  }));
}

/** Writes the faces that hold the characters of a text; answers their CSS. */
async function subset({ family, file, source, text, weight }) {
  const rules = [];
  for (const { url, ranges } of facesOf(source)) {
    const within = (code) => ranges.some(([from, to]) => code >= from && code <= to);
    const letters = [...new Set(text)].filter((letter) => within(letter.codePointAt(0)));
    if (letters.length === 0) continue;
    const font = await subsetFont(readFileSync(url), letters.join(""), {
      targetFormat: "woff2",
      variationAxes: { wght: weight },
    });
    const name = `${file}-${rules.length}.woff2`;
    writeFileSync(new URL(name, out), font);
    const weights = typeof weight === "number" ? weight : `${weight.min} ${weight.max}`;
    const codes = letters.map((letter) => `U+${letter.codePointAt(0).toString(16)}`).join(",");
    rules.push(
      `@font-face{font-family:"${family}";font-weight:${weights};font-display:swap;src:url(./${name}) format("woff2");unicode-range:${codes}}`,
    );
  }
  return rules.join("\n");
}

mkdirSync(out, { recursive: true });
const chinese = ["i18n/zh.json", "i18n/app/zh.json"]
  .map((file) => readFileSync(new URL(file, root), "utf8"))
  .join("");
const names = [
  ["names-zh", "noto-sans-sc", "中文"],
  ["names-ar", "vazirmatn", "العربية"],
  ["names-hi", "noto-sans-devanagari", "हिन्दी"],
  ["names-ru", "geist", "Русский"],
];
const rules = [
  await subset({
    family: "Postern Chinese",
    file: "chinese",
    source: "noto-sans-sc",
    text: [...chinese].filter((letter) => letter > "\u2e7f").join(""),
    weight: { min: 400, max: 700 },
  }),
];
for (const [file, source, text] of names) {
  rules.push(await subset({ family: "Postern Names", file, source, text, weight: 400 }));
}
writeFileSync(new URL("subsets.css", out), `${rules.join("\n")}\n`);

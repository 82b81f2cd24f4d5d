// Build step: subsets of fonts into .cache/fonts.
// "Postern Arabic" and "Postern Devanagari" hold the alphabet and the catalogues, a third of the whole fonts, which
// remain as fallback. "Postern Chinese" holds the characters of the Chinese catalogues and is fetched only without
// a system font. "Postern Names" holds the names in the language switcher.
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";

const root = new URL("../", import.meta.url);
const out = new URL(".cache/fonts/", root);

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

/** Cutting is slow: skipped when it was done before. */
async function cut(url, letters, weight, target) {
  const source = readFileSync(url);
  const made = createHash("sha256")
    .update(source)
    .update(letters)
    .update(JSON.stringify(weight))
    .digest("hex");
  const note = new URL(`${target.href}.made`);
  if (existsSync(target) && existsSync(note) && readFileSync(note, "utf8") === made) return;
  const font = await subsetFont(source, letters, {
    targetFormat: "woff2",
    variationAxes: { wght: weight },
  });
  writeFileSync(target, font);
  writeFileSync(note, made);
}

function between(first, last) {
  const [from, to] = [first.codePointAt(0), last.codePointAt(0)];
  return Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join("");
}

function said(language) {
  const wanted = [`i18n/{,app/,docs/,office/}${language}.json`, `i18n/docs/${language}/*.md`];
  return globSync(wanted, { cwd: fileURLToPath(root) })
    .map((path) => readFileSync(new URL(path, root), "utf8"))
    .join("");
}

async function subset({ family, file, source, text, weight }) {
  const rules = [];
  const wanted = new Set(text);
  for (const { url, ranges } of facesOf(source)) {
    const within = (code) => ranges.some(([from, to]) => code >= from && code <= to);
    const letters = [...wanted].filter((letter) => within(letter.codePointAt(0)));
    if (letters.length === 0) continue;
    // Faces overlap: the first that has a letter wins.
    for (const letter of letters) wanted.delete(letter);
    const name = `${file}-${rules.length}.woff2`;
    await cut(url, letters.join(""), weight, new URL(name, out));
    const weights = typeof weight === "number" ? weight : `${weight.min} ${weight.max}`;
    const codes = letters.map((letter) => `U+${letter.codePointAt(0).toString(16)}`).join(",");
    rules.push(
      `@font-face{font-family:"${family}";font-weight:${weights};font-display:swap;src:url(./${name}) format("woff2");unicode-range:${codes}}`,
    );
  }
  return rules.join("\n");
}

mkdirSync(out, { recursive: true });
const weight = { min: 400, max: 700 };
// Letters, vowel signs, digits and punctuation of the languages.
const arabic = `${between("ء", "غ")}${between("ف", "ْ")}ٰ،؛؟ـ`;
const devanagari = `${between("ँ", "ः")}${between("अ", "ऋ")}${between("ऍ", "ऑ")}${between("ओ", "न")}${between("प", "ह")}़${between("ा", "ृ")}${between("ॅ", "्")}ॐक़ख़ग़ज़ड़ढ़फ़य़।॥${between("०", "९")}₹\u200c\u200d`;
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
    text: [...said("zh")].filter((letter) => letter > "\u2e7f").join(""),
    weight,
  }),
  await subset({
    family: "Postern Arabic",
    file: "arabic",
    source: "vazirmatn",
    text: arabic + said("ar").replaceAll(/[^\u0600-\u06ff]/g, ""),
    weight,
  }),
  await subset({
    family: "Postern Devanagari",
    file: "devanagari",
    source: "noto-sans-devanagari",
    text: devanagari + said("hi").replaceAll(/[^\u0900-\u097f]/g, ""),
    weight,
  }),
];
for (const [file, source, text] of names) {
  rules.push(await subset({ family: "Postern Names", file, source, text, weight: 400 }));
}
writeFileSync(new URL("subsets.css", out), `${rules.join("\n")}\n`);

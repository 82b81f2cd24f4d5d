// Draws favicons, icons and the pictures of shared links from src/web/layout/mark.ts into public/: node scripts/pictures.mjs
// Run it after a change of the mark, or of the texts meta.picture and meta.picture.promise.
// The results are committed: drawing needs a browser, which a build has not.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { chromium } from "@playwright/test";
import { languageCodes, languages } from "../src/i18n/languages.ts";
import { mark } from "../src/web/layout/mark.ts";

const root = new URL("../", import.meta.url);
const out = new URL("public/", root);
const sheet = new URL(".cache/picture.html", root);
const [light, dark, ground] = ["#2f3fd9", "#97a5ff", "#2f3fd9"];

const shapes = `<path d="${mark.arch}"/><path d="${mark.gate}"/>`;
const rounded = `stroke-width="${mark.stroke}" stroke-linejoin="round"`;

/** The mark in the middle, `share` of the width; transparent without a colour. */
function icon({ pixels, share, colour, onto, round = 0 }) {
  const side = mark.size / share;
  const edge = (side - mark.size) / 2;
  const back =
    onto === undefined
      ? ""
      : `<rect x="${-edge}" y="${-edge}" width="${side}" height="${side}" rx="${round * side}" fill="${onto}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="${-edge} ${-edge} ${side} ${side}">${back}<g fill="${colour}" stroke="${colour}" ${rounded}>${shapes}</g></svg>`;
}

/** Follows the light or dark theme of the browser. */
function favicon() {
  const style = `path{fill:${light};stroke:${light}}@media(prefers-color-scheme:dark){path{fill:${dark};stroke:${dark}}}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${mark.size} ${mark.size}"><style>${style}</style><g ${rounded}>${shapes}</g></svg>\n`;
}

/** The picture of a shared link: name, sentence, promise, mark. */
function shared(language) {
  const texts = JSON.parse(readFileSync(new URL(`i18n/${language}.json`, root), "utf8"));
  const fonts = ["geist", "vazirmatn", "noto-sans-devanagari", "noto-sans-sc"]
    .map((name) => `<link rel="stylesheet" href="../node_modules/@fontsource-variable/${name}/index.css">`)
    .join("");
  const style = `
    * { margin: 0; box-sizing: border-box }
    html { width: 1200px; overflow: hidden }
    body { position: relative; overflow: hidden; width: 1200px; height: 630px; padding: 72px 80px;
      display: grid; grid-template-rows: auto 1fr auto; background: ${ground}; color: #fff;
      font-family: "Geist Variable", "Vazirmatn Variable", "Noto Sans Devanagari Variable", "Noto Sans SC Variable" }
    .name { display: flex; align-items: center; gap: 16px; font-size: 40px; font-weight: 650; letter-spacing: -.03em }
    [dir=rtl] .name { flex-direction: row-reverse; justify-content: flex-end }
    h1 { align-self: center; max-width: 740px; font-size: 84px; font-weight: 650; line-height: 1.1; text-wrap: balance }
    :is([lang=en], [lang=ru], [lang=es]) h1 { letter-spacing: -.035em }
    :is([lang=ru], [lang=es]) h1 { font-size: 72px }
    :is([lang=ar], [lang=hi]) h1 { line-height: 1.35 }
    p { font-size: 36px; font-weight: 500; color: #d9deff }
    .gate { position: absolute; inset-block-start: 54px; inset-inline-end: -168px; fill: #5264f0; stroke: #5264f0 }`;
  const name = `<div class="name">${icon({ pixels: 52, share: 1, colour: "#fff" })}Postern</div>`;
  const gate = `<svg class="gate" width="680" height="680" viewBox="0 0 32 32" ${rounded}>${shapes}</svg>`;
  return {
    said: `${texts["meta.picture"]}\n${texts["meta.picture.promise"]}`,
    html: `<!doctype html><html lang="${language}" dir="${languages[language].direction}"><meta charset="utf-8">${fonts}<style>${style}</style>${gate}${name}<h1>${texts["meta.picture"]}</h1><p>${texts["meta.picture.promise"]}</p></html>`,
  };
}

function ico(pictures) {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, { pixels, png }] of pictures.entries()) {
    const at = 6 + 16 * index;
    head.writeUInt8(pixels, at);
    head.writeUInt8(pixels, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
}

/** Notes the texts in a PNG (an iTXt chunk after the header), so that a test sees outdated ones. */
function noted(png, text) {
  const body = Buffer.from(`iTXtDescription\0\0\0\0\0${text}`);
  const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(body.length - 4);
  check.writeUInt32BE(crc32(body));
  const headerEnd = 33;
  return Buffer.concat([png.subarray(0, headerEnd), size, body, check, png.subarray(headerEnd)]);
}

const browser = await chromium.launch({
  executablePath: readFileSync(new URL(".cache/browser/path", root), "utf8"),
  args: ["--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"],
});
const page = await browser.newPage();

async function picture(html, width, height) {
  await page.setViewportSize({ width, height });
  writeFileSync(sheet, html);
  await page.goto(sheet.href);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  return page.screenshot({ omitBackground: true });
}

const drawn = (parts) =>
  picture(
    `<!doctype html><style>body{margin:0}svg{display:block}</style>${icon(parts)}`,
    parts.pixels,
    parts.pixels,
  );
const save = (path, content) => writeFileSync(new URL(path, out), content);

mkdirSync(new URL("icons/", out), { recursive: true });
mkdirSync(new URL("share/", out), { recursive: true });
save("favicon.svg", favicon());
const small = [];
for (const pixels of [16, 32, 48]) {
  small.push({ pixels, png: await drawn({ pixels, share: 1, colour: light }) });
}
save("favicon.ico", ico(small));
const tile = { colour: "#fff", onto: ground };
for (const pixels of [192, 512]) {
  save(`icons/${pixels}.png`, await drawn({ ...tile, pixels, share: 0.58, round: 0.225 }));
  save(`icons/maskable-${pixels}.png`, await drawn({ ...tile, pixels, share: 0.5 }));
}
save("icons/monochrome.svg", `${icon({ pixels: 512, share: 0.62, colour: "#000" })}\n`);
save("apple-touch-icon.png", await drawn({ ...tile, pixels: 180, share: 0.56 }));
for (const language of languageCodes) {
  const { html, said } = shared(language);
  save(`share/${language}.png`, noted(await picture(html, 1200, 630), said));
}
await browser.close();
rmSync(sheet);

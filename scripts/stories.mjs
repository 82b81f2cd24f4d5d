import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import sharp from "sharp";

const folder = fileURLToPath(new URL("../src/server/stories/demo/", import.meta.url));

const sky = (from, to) =>
  `<defs><linearGradient id="sky" x1="0" y1="0" x2="0.4" y2="1"><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs><rect width="1080" height="1920" fill="url(#sky)"/>`;
const envelope = (x, y, size, turn = 0) =>
  `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${size / 300})" stroke-linejoin="round" stroke-linecap="round">
    <rect x="-150" y="-100" width="300" height="200" rx="22" fill="#fffdf8" stroke="#123b3a" stroke-width="10"/>
    <path d="M-140 -84 L0 24 L140 -84" fill="none" stroke="#123b3a" stroke-width="10"/>
  </g>`;
const sign = (x, y, radius, colour, path) =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colour}"/><path transform="translate(${x} ${y}) scale(${radius / 60})" d="${path}" fill="none" stroke="#fffdf8" stroke-width="14" stroke-linecap="round" stroke-linejoin="round"/>`;
const tick = "M-26 2 L-8 22 L28 -20";

const door = `${sky("#0f766e", "#134e4a")}
  <path d="M290 1400 V890 a250 250 0 0 1 500 0 V1400 Z" fill="#0b3b38"/>
  <path d="M330 1400 V890 a210 210 0 0 1 420 0 V1400 Z" fill="#f2b24c"/>
  <rect x="430" y="1020" width="220" height="46" rx="23" fill="#123b3a"/>
  <circle cx="690" cy="1130" r="22" fill="#123b3a"/>
  <rect x="210" y="1390" width="660" height="50" rx="25" fill="#0b3b38"/>
  ${envelope(540, 960, 190)}
  ${envelope(230, 560, 210, -14)}
  ${envelope(850, 620, 170, 16)}`;

const castle = `${sky("#2563a8", "#12315c")}
  <circle cx="820" cy="520" r="110" fill="#f7d488"/>
  <path d="M0 1330 Q270 1240 540 1330 T1080 1320 V1920 H0 Z" fill="#d9a860"/>
  <g fill="#f0cd8b" stroke="#8a5f24" stroke-width="10" stroke-linejoin="round">
    <path d="M430 1090 V820 h50 v40 h40 v-40 h40 v40 h40 v-40 h50 V1090 Z"/>
    <path d="M300 1360 V1000 h60 v50 h60 v-50 h60 v50 h120 v-50 h60 v50 h60 v-50 h60 V1360 Z"/>
  </g>
  <path d="M490 1360 V1240 a50 50 0 0 1 100 0 V1360 Z" fill="#8a5f24"/>
  <path d="M540 820 V600" stroke="#fffdf8" stroke-width="14" stroke-linecap="round"/>
  ${envelope(650, 650, 210, -4)}
  ${sign(760, 560, 52, "#0f766e", tick)}`;

const coin = (x, y, radius) =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="#f2b24c" stroke="#7a4d0c" stroke-width="10"/><circle cx="${x}" cy="${y}" r="${radius * 0.62}" fill="none" stroke="#7a4d0c" stroke-width="8"/>`;
const person = (x, y, size, colour) =>
  `<g transform="translate(${x} ${y}) scale(${size / 100})"><circle r="100" fill="#fffdf8"/><circle cy="-26" r="34" fill="${colour}"/><path d="M-58 66 a58 52 0 0 1 116 0 Z" fill="${colour}"/></g>`;

const partners = `${sky("#6d4aa8", "#35215c")}
  <g stroke="#c9b6ee" stroke-width="12" stroke-linecap="round" stroke-dasharray="4 34">
    <path d="M540 1180 L250 780"/><path d="M540 1180 L540 660"/><path d="M540 1180 L830 780"/>
  </g>
  ${person(250, 760, 110, "#0f766e")}${person(540, 640, 120, "#b4536e")}${person(830, 760, 110, "#2563a8")}
  ${person(540, 1190, 170, "#6d4aa8")}
  ${coin(380, 985, 46)}${coin(540, 905, 46)}${coin(700, 985, 46)}
  ${coin(700, 1370, 60)}${coin(380, 1370, 60)}${coin(540, 1430, 60)}`;

await mkdir(folder, { recursive: true });
for (const [name, drawing] of Object.entries({ door, castle, partners })) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1080" height="1920" viewBox="0 0 1080 1920">${drawing}</svg>`;
  await sharp(Buffer.from(svg)).webp({ quality: 80, effort: 6 }).toFile(`${folder}${name}.webp`);
}

// What a letter hides is not its code, and what it shows is: styles, comments, and directions of writing.
import { expect, test } from "vitest";
import { parseLetter } from "../mime/mime.ts";
import { codeOf } from "./codes.ts";

/** The code of a letter of HTML where it is sure. */
function sureOf(html: string): string {
  const { value, confidence } = codeOf(
    parseLetter(Buffer.from(`Subject: Hello\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}`)),
  );
  return confidence === "sure" && value !== undefined ? value : `${String(value)}, ${String(confidence)}`;
}

const hiding = [
  "display:none",
  "display: none !important",
  "visibility:hidden",
  "visibility:collapse",
  "opacity:0",
  "opacity:0.01",
  "font-size:0",
  "font-size:0px",
  "mso-hide:all",
  "max-height:0;overflow:hidden",
  "height:0; overflow:hidden",
  "width:0;overflow:hidden",
  "position:absolute;left:-9999px",
  "position:absolute; top:-10000px",
  "position:fixed;right:-999em",
  "margin-left:-9999px",
  "text-indent:-9999px",
  "transform:scale(0)",
  "transform:translateX(-9999px)",
  "position:absolute;clip:rect(0,0,0,0)",
  "clip: rect(1px, 1px, 1px, 1px)",
  "clip-path:inset(50%)",
  "color:transparent",
  "color:#fff;background:#FFFFFF",
  "background-color:white;color:#fff",
];
const shown = (sheet: string, attributes: string, behind = "") =>
  `<html><head>${sheet}</head><body><p ${attributes}>Your code is 999111</p><p>Your code is 482913</p>${behind}</body></html>`;

test.each(hiding)("a decoy that %s hides is not the code", (style) => {
  const letters = {
    inline: shown("", `style="${style}"`),
    class: shown(`<style>body{margin:0}.a,.x{${style}}</style>`, 'class="b x"'),
    "class of a tag": shown(
      `<style type="text/css"><!-- p.x { color:red; ${style}; } --></style>`,
      "class=x",
    ),
    id: shown(`<style>@media print{#y{color:red}}\n#x{${style}}</style>`, 'id="x"'),
    "a rule below": shown("", 'class="x"', `<style>/* } */ .x{${style}}</style>`),
    "a screen's rule": shown(`<style media="screen">@import url(a.css);.x{${style}}</style>`, 'class="x"'),
    tag: `<style>s{${style}}</style><p>Your code is <s>999111</s></p><p>Your code is 482913</p>`,
  };
  for (const [way, html] of Object.entries(letters)) expect(sureOf(html), way).toBe("482913");
});

test.each([
  ["only on small screens", "<style>@media (max-width:600px){.x{display:none}}</style>", 'class="x"'],
  ["only in print", '<style media="print">.x{display:none}</style>', 'class="x"'],
  ["only in Outlook", "<!--[if mso]><style>.x{display:none}</style><![endif]-->", 'class="x"'],
  ["only another class", "<style>.y{display:none}.xx{display:none}</style>", 'class="x"'],
  ["only within another", "<style>.y .x{display:none}</style>", 'class="x"'],
  ["and a later rule shows it", "<style>.x{display:none}.x{display:block}</style>", 'class="x"'],
  ["and its own style shows it", "<style>.x{display:none}</style>", 'class="x" style="display:block"'],
  ["a size that others have within", "<style>.x{font-size:0}.x p{font-size:16px}</style>", 'class="x"'],
  ["a height without a cut", "<style>.x{height:0}</style>", 'class="x"'],
  ["a colour on another colour", "", 'style="color:#fff;background:#0b57d0"'],
  ["a small step aside", "", 'style="position:relative;left:-20px;margin-top:-12px"'],
  ["half seen", "", 'style="opacity:0.5"'],
])("text is not hidden by what hides it %s", (_name, sheet, attributes) => {
  expect(
    sureOf(
      `<html><head>${sheet}</head><body><div ${attributes}><p>Your code is 482913</p></div></body></html>`,
    ),
  ).toBe("482913");
});

// Public reports of mail programs, rebuilt: roundcubemail#9948, #6333, zammad#3255, sublime-rules#3338, keybase/client#7344.
test.each([
  [
    "a comment in a style",
    '<p style="margin:0;;\n/* a */ display:/**/none;;">Your code is 999111</p><p>Your code is 482913</p>',
  ],
  ["a comment that ends at once", "<p>Hi</p><!--><p>Your code is 482913</p><!-- a --><p>Bye</p>"],
  ["a comment that ends with its third dash", "<p>Hi</p><!---><p>Your code is 482913</p>"],
  ["a comment that ends with a shout", "<p>Hi</p><!-- a --!><p>Your code is 482913</p>"],
  ["an arrow in a comment", "<p>Hi</p><!-- a => Your code is 999111 > --><p>Your code is 482913</p>"],
  [
    "comments of an office program",
    "<style><!--\n@font-face {font-family:a;}\n--></style><!--[if gte mso 9]><xml><o:x/></xml><![endif]-->\n<div>Your code is 482913</div>",
  ],
  ["digits that a tag turns round", '<p>Your code is <bdo dir="rtl">319284</bdo></p>'],
  [
    "digits that a style turns round",
    '<p>Your code is <b style="unicode-bidi: bidi-override; direction: rtl">319 284</b></p>',
  ],
  ["digits between marks that turn them round", "<p>Your code is \u202e319284\u202c.</p>"],
  ["a name with a mark that nothing closes", "<p>Hi Chip\u202e, your code is 482913</p>"],
  ["right-to-left text around digits", '<p dir="rtl">رمز التحقق <span dir="ltr">482913</span></p>'],
])("what a reader sees of %s", (_name, html) => {
  expect(sureOf(html)).toBe("482913");
});

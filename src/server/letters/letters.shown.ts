// How a letter is shown. Three walls stand before what its sender may have written: the HTML is cleaned (letters.clean.ts), a
// policy lets nothing run, load or be sent, and a sandbox without scripts, forms or our origin keeps what is left. Each is
// tested alone with hostile letters in a browser (test/e2e/letter.spec.ts).
import { cleanHtml, cleanText, type Clean, type Pictures } from "./letters.clean.ts";

export type { Pictures } from "./letters.clean.ts";

/** A letter as it is shown: its HTML, or its text where it has none; neither when it is no longer kept. */
export interface Shown {
  /** A letter with an id is remembered once it is cleaned: lists are polled every few seconds, and letters never change. */
  readonly letterId?: bigint;
  readonly html: string | null;
  readonly text: string | null;
}

interface Remembered {
  readonly source: string;
  readonly shown: Clean;
}

const remembered = new Map<string, Remembered>();
const rememberedLengthMax = 16_000_000;
const letterLengthMax = 1_000_000;
let rememberedLength = 0;

/** Cleaned HTML, or the plain text escaped and preformatted (api.md); "" when the letter is no longer kept. */
export function showLetter(letter: Shown, pictures: Pictures): Clean {
  const source = letter.html ?? letter.text;
  if (source === null) return { html: "", remotePictures: 0 };
  if (letter.letterId === undefined) return clean(letter, source, pictures);
  const name = `${letter.letterId} ${pictures}`;
  const known = remembered.get(name);
  // Compared too, so that no mistake with ids could ever show one buyer the letter of another.
  if (known?.source === source) return known.shown;
  const shown = clean(letter, source, pictures);
  remember(name, { source, shown });
  return shown;
}

function clean(letter: Shown, source: string, pictures: Pictures): Clean {
  return letter.html === null ? { html: cleanText(source), remotePictures: 0 } : cleanHtml(source, pictures);
}

const lengthOf = ({ source, shown }: Remembered) => source.length + shown.html.length;

function remember(name: string, letter: Remembered): void {
  if (lengthOf(letter) > letterLengthMax) return;
  forget(name);
  remembered.set(name, letter);
  rememberedLength += lengthOf(letter);
  for (const oldest of remembered.keys()) {
    if (rememberedLength <= rememberedLengthMax) return;
    forget(oldest);
  }
}

function forget(name: string): void {
  const letter = remembered.get(name);
  if (!letter) return;
  rememberedLength -= lengthOf(letter);
  remembered.delete(name);
}

/** A letter as a document, and the policy that must go with it. */
export interface LetterDocument {
  readonly html: string;
  readonly policy: string;
}

/** What `preview=1` answers: a document that begins with exactly `<!DOCTYPE html>`, as clients look for (api.md). */
export function showDocument(letter: Shown, pictures: Pictures): LetterDocument {
  const { html } = showLetter(letter, pictures);
  const policy = policyOf(pictures);
  return { policy, html: documentOf(html === "" ? "<p>This letter is no longer kept.</p>" : html, policy) };
}

/** Nothing is fetched but, when asked for, pictures; nothing runs; only the letter's own styles are drawn. */
function policyOf(pictures: Pictures): string {
  const from = pictures === "all" ? "data: https: http:" : "data:";
  return `default-src 'none'; img-src ${from}; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'`;
}

const look = `
:root { color-scheme: light; }
body { margin: 16px; background: #fff; color: #1b1c22; font: 15px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
img { max-width: 100%; height: auto; }
pre { margin: 0; font: inherit; }
`;

// The policy stands before anything that the letter says. Looking up the names of its links would tell their owners of the
// reader, even before he clicks.
function documentOf(body: string, policy: string): string {
  return `<!DOCTYPE html>
<html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta http-equiv="x-dns-prefetch-control" content="off"><meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1"><title></title><style>${look}</style></head>
<body dir="auto">${body}</body></html>
`;
}

// Three barriers before a hostile letter: cleaned HTML, a policy that lets nothing run, load or be sent, and a sandbox
// (test/e2e/letter.hostile.spec.ts).
import { letterDocument, letterPolicy } from "../../../contract/mail/letter-document.ts";
import { cleanHtml, cleanText, type Clean, type Pictures } from "./showing.clean.ts";

export type { Pictures } from "./showing.clean.ts";

export interface Shown {
  /** With an id the cleaned letter is cached: lists poll every few seconds, and letters never change. */
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

/** Cleaned HTML, or the plain text escaped and preformatted; "" when the letter is no longer kept. */
export function showLetter(letter: Shown, pictures: Pictures): Clean {
  const source = letter.html ?? letter.text;
  if (source === null) return { html: "", remotePictures: 0 };
  if (letter.letterId === undefined) return clean(letter, source, pictures);
  const name = `${letter.letterId} ${pictures}`;
  const known = remembered.get(name);
  // Compares the source too, so that a wrong id never shows one buyer the letter of another.
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

export interface LetterDocument {
  readonly html: string;
  readonly policy: string;
}

/** What `preview=1` answers. */
export function showDocument(letter: Shown, pictures: Pictures): LetterDocument {
  const { html } = showLetter(letter, pictures);
  const remote = pictures === "all";
  return {
    html: letterDocument(html === "" ? "<p>This letter is no longer stored.</p>" : html, remote),
    policy: letterPolicy(remote),
  };
}

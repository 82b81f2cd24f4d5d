import { cleanHtml, cleanText, page, type CleanOptions } from "./letters.clean.ts";

/** A letter as it is shown: its HTML, or its text where it has none. */
export interface Shown {
  /** A letter with an id is remembered once it is cleaned: lists are polled every few seconds, and letters never change. */
  readonly letterId?: bigint;
  readonly html: string | null;
  readonly text: string | null;
}

const cleaned = new Map<string, { source: string; shown: string }>();
const cleanedMax = 500;
const cleanedLengthMax = 100_000;

/** What `message` is on the wire: cleaned HTML, or the plain text escaped and preformatted (api.md). */
export function showMessage(letter: Shown, options: CleanOptions = { remoteImages: false }): string {
  const source = letter.html ?? letter.text ?? "";
  const name = `${letter.letterId} ${options.remoteImages}`;
  const known = letter.letterId === undefined ? undefined : cleaned.get(name);
  // Compared too, so that no mistake with ids could ever show one buyer the letter of another.
  if (known?.source === source) return known.shown;
  const shown = letter.html === null ? cleanText(source) : cleanHtml(source, options);
  if (letter.letterId === undefined || source.length > cleanedLengthMax) return shown;
  const [oldest] = cleaned.keys();
  if (cleaned.size >= cleanedMax && oldest !== undefined) cleaned.delete(oldest);
  cleaned.set(name, { source, shown });
  return shown;
}

/** What `preview=1` answers: a document beginning with exactly `<!DOCTYPE html>`. */
export function showDocument(letter: Shown, options: CleanOptions = { remoteImages: false }): string {
  return page(showMessage(letter, options), options);
}

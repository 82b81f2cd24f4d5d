import { letterDocument } from "../../../contract/letter-document.ts";

/** The document for the frame of a letter. The server has cleaned the HTML already; its policy is the second wall. */
export function frameOf(message: string): string {
  return letterDocument(isHtml(message) ? message : `<pre dir="auto">${escaped(message)}</pre>`, false);
}

/** Does it hold a tag? Plain text is escaped and shown preformatted (spec B §8). */
export function isHtml(message: string): boolean {
  return /<(?:!doctype|!--|\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>)/i.test(message);
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => entities[character] ?? character);
}

import { letterDocument } from "../../../contract/mail/letter-document.ts";

/** The frame's document. The server has sanitised the HTML; this policy is the second defence. */
export function frameOf(message: string): string {
  return letterDocument(isHtml(message) ? message : `<pre dir="auto">${escaped(message)}</pre>`, false);
}

/** Whether it contains a tag; plain text is escaped and preformatted (spec B §8). */
export function isHtml(message: string): boolean {
  return /<(?:!doctype|!--|\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>)/i.test(message);
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => entities[character] ?? character);
}

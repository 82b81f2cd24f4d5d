/**
 * The policy inside the frame of a letter: nothing is fetched from anywhere (a fetched picture tells its sender that
 * the letter was read), nothing runs; only the letter's own styles and embedded pictures are drawn.
 */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'";

const look = `
  :root { color-scheme: light; }
  body { margin: 16px; background: #fff; color: #1b1c22; font: 15px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
  img { max-width: 100%; height: auto; }
  pre { white-space: pre-wrap; font: inherit; margin: 0; }
`;

/** A whole document for the sandboxed frame. The server has cleaned the HTML already; this is the second wall. */
export function letterDocument(message: string): string {
  return [
    '<!doctype html><html><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="referrer" content="no-referrer"><base target="_blank">',
    `<style>${look}</style></head><body dir="auto">`,
    isHtml(message) ? message : `<pre dir="auto">${escaped(message)}</pre>`,
    "</body></html>",
  ].join("");
}

/** Does it hold a tag? Plain text is escaped and shown preformatted (spec B §8). */
export function isHtml(message: string): boolean {
  return /<(?:!doctype|!--|\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>)/i.test(message);
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => entities[character] ?? character);
}

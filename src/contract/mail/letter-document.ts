/**
 * The Content-Security-Policy of a letter, for the server and for the page's frame: no scripts, no forms,
 * only the letter's own styles, and pictures only if asked for.
 */
export function letterPolicy(remotePictures: boolean): string {
  const from = remotePictures ? "data: https:" : "data:";
  return `default-src 'none'; img-src ${from}; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'`;
}

// Letters are made for white paper, mostly 600 pixels wide; on a phone their tables may be narrower.
const look = `
:root { color-scheme: light; }
body { margin: 16px; background: #fff; color: #1b1c22; font: 15px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: #2440d8; }
body:has(> div:only-child[style*="background"]) { margin: 0; }
body > div:only-child[style*="background"] { box-sizing: border-box; min-height: 100vh; padding: 16px; }
img { max-width: 100%; height: auto; }
img:not([src]) { min-width: 1em; outline: 1px dashed #c4c6cf; outline-offset: -1px; color: #5d606b; font-size: 13px; }
img:not([src])[alt=""], img:not([src]):not([alt]) { display: none !important; }
pre { margin: 0; font: inherit; white-space: pre-wrap; }
@media (max-width: 640px) {
  table[width]:not([width$="%"]), td[width]:not([width$="%"]) { width: auto !important; min-width: 0 !important; max-width: 100%; }
  img:not([src]) { width: auto !important; }
}
`;

/**
 * A document around sanitized HTML. The policy comes before the letter; no DNS prefetch, which would reveal the reader.
 * Clients look for exactly this beginning.
 */
export function letterDocument(html: string, remotePictures: boolean): string {
  return `<!DOCTYPE html>
<html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${letterPolicy(remotePictures)}">
<meta http-equiv="x-dns-prefetch-control" content="off"><meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1"><base target="_blank"><title></title><style>${look}</style></head>
<body dir="auto">${html}</body></html>
`;
}

const blocks = new Set(
  "ADDRESS ARTICLE BLOCKQUOTE CENTER DIV DL DT DD FOOTER H1 H2 H3 H4 H5 H6 HEADER HR LI OL P PRE SECTION TABLE TR UL".split(
    " ",
  ),
);
const unread = new Set(["HEAD", "SCRIPT", "STYLE", "TITLE"]);

/** A letter as a person reads it, of the HTML that can do no harm. A document made so loads and runs nothing. */
export function textOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  // A plain text came preformatted.
  if (body.children.length === 1 && body.firstElementChild?.tagName === "PRE") return body.textContent;
  const lines = readIn(body)
    .split("\n")
    .map((line) => line.replaceAll(/[^\S\n]+/g, " ").trim());
  return lines
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

function readIn(node: Node): string {
  if (node instanceof Text) return node.data.replaceAll(/\s+/g, " ");
  if (!(node instanceof Element) || unread.has(node.tagName)) return "";
  if (node.tagName === "BR") return "\n";
  const inside = Array.from(node.childNodes, readIn).join("");
  if (blocks.has(node.tagName)) return `\n${inside}\n`;
  return node.tagName === "TD" || node.tagName === "TH" ? `${inside} ` : inside;
}

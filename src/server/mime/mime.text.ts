/** RFC 3676: lines that end in a space continue in the next one. */
export function unflow(text: string, isSpaceDeleted: boolean): string {
  const lines: string[] = [];
  let open: string[] | undefined;
  for (const raw of text.split(/\r?\n/)) {
    const depth = /^>*/.exec(raw)?.[0].length ?? 0;
    const line = depth === 0 && raw.startsWith(" ") ? raw.slice(1) : raw;
    const isSoft = line.endsWith(" ") && line !== "-- ";
    const text = isSoft && isSpaceDeleted ? line.slice(0, -1) : line;
    if (open) open.push(text);
    else open = [text];
    if (isSoft) continue;
    lines.push(open.join(""));
    open = undefined;
  }
  if (open) lines.push(open.join(""));
  return lines.join("\n");
}

/** RFC 1896: converts enriched text to plain text. */
export function readEnriched(text: string): string {
  return text
    .replaceAll(/<param>[^<]*<\/param>/gi, "")
    .replaceAll(/\r?\n(?:\r?\n)*/g, (run) => "\n".repeat(Math.max(0, run.split("\n").length - 2)) || " ")
    .replaceAll(/<<|<[^<>]{0,100}>/g, (tag) => (tag === "<<" ? "<" : /^<(?:nl|np)>$/i.test(tag) ? "\n" : ""));
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function plainToHtml(text: string): string {
  const escaped = text.trim().replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign);
  const paragraphs = escaped.split(/\r?\n(?:[ \t]*\r?\n)+/);
  return paragraphs.map((paragraph) => `<p>${paragraph.replaceAll(/\r?\n/g, "<br>\n")}</p>`).join("\n");
}

/** Sites that many people ask for; the same as the home page offers (spec B §2). */
export const suggestedSites: readonly string[] = [
  "google.com",
  "instagram.com",
  "discord.com",
  "zoom.us",
  "x.com",
  "reddit.com",
  "facebook.com",
];

/** Does a site mean the same as a suggested one? The server takes its first word for it as well: instagram is instagram.com. */
const isSame = (site: string, suggested: string): boolean =>
  site === suggested || site === suggested.split(".")[0];

/** The sites to choose from: the last one first, under its whole name if it is a suggested one, and none twice. */
export function sitesToChoose(last: string): { last: string; others: readonly string[] } {
  const suggested = suggestedSites.find((site) => isSame(last, site));
  return { last: suggested ?? last, others: suggestedSites.filter((site) => site !== suggested) };
}

/** A typed or pasted site as the shop takes it: lower case, without scheme, www and path. */
export function cleanSite(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, "")
    .replace(/^www\./, "")
    .replace(/[/?#\s].*$/s, "");
}

/** What the address of the dashboard may ask for (spec B §2 "Query parameters on entry"). */
export interface Entry {
  site: string;
  /** The wanted mail type as it was written; empty without one. */
  type: string;
}

/** Reads `from` and `to`; undefined when neither is there. Nobody asks for `any`: it means instagram. */
export function entryOf(search: string): Entry | undefined {
  const query = new URLSearchParams(search);
  if (!query.has("from") && !query.has("to")) return undefined;
  const site = cleanSite(query.get("from") ?? "");
  return { site: site === "any" ? "instagram" : site, type: (query.get("to") ?? "").trim() };
}

/** The query without what was read from it. */
export function withoutEntry(search: string): string {
  const query = new URLSearchParams(search);
  query.delete("from");
  query.delete("to");
  return query.size > 0 ? `?${query}` : "";
}

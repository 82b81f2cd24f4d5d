/** The well-known sites of the home page (spec B §2). */
export const suggestedSites: readonly string[] = [
  "google.com",
  "instagram.com",
  "discord.com",
  "zoom.us",
  "x.com",
  "reddit.com",
  "facebook.com",
];

/** Whether a site is a suggested one. The server accepts a first word: instagram is instagram.com. */
export const isSame = (site: string, suggested: string): boolean =>
  site === suggested || site === suggested.split(".")[0];

/** The last site first, under its full name if suggested, and no duplicates. */
export function sitesToChoose(last: string): { last: string; others: readonly string[] } {
  const suggested = suggestedSites.find((site) => isSame(last, site));
  return { last: suggested ?? last, others: suggestedSites.filter((site) => site !== suggested) };
}

/** A site as the shop takes it: lower case, without scheme, www and path. */
export function cleanSite(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, "")
    .replace(/^www\./, "")
    .replace(/[/?#\s].*$/s, "");
}

/** The request in the address of the dashboard (spec B §2 "Query parameters on entry"). */
export interface Entry {
  site: string;
  type: string;
}

/** Reads `from` and `to`; undefined without both. `any` means instagram here. */
export function entryOf(search: string): Entry | undefined {
  const query = new URLSearchParams(search);
  if (!query.has("from") && !query.has("to")) return undefined;
  const site = cleanSite(query.get("from") ?? "");
  return { site: site === "any" ? "instagram" : site, type: (query.get("to") ?? "").trim() };
}

export function withoutEntry(search: string): string {
  const query = new URLSearchParams(search);
  query.delete("from");
  query.delete("to");
  return query.size > 0 ? `?${query}` : "";
}

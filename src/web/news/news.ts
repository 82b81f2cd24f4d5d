/** One announcement of the home page (spec B §3). */
export interface NewsItem {
  id: number;
  title: string;
  /** HTML, made safe by the server before it was stored. */
  lines: string[];
  /** YYYY-MM-DD. */
  date: string;
  importance: "normal" | "important" | "critical";
}

/** An item without a title and without any line says nothing and is hidden (spec B §2). */
export function isShown(item: NewsItem): boolean {
  return item.title.trim() !== "" || item.lines.some((line) => line.trim() !== "");
}

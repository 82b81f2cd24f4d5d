import { expect, test } from "vitest";
import type { NewsItem } from "../serverData.tsx";
import { isShown } from "./useNews.ts";

const item = (title: string, lines: string[]): NewsItem => ({
  id: "1",
  priority: 100,
  title,
  lines,
  date: "2026-11-20",
  importance: "normal",
});

test("an announcement with neither title nor text is hidden", () => {
  expect(isShown(item(" ", ["", "  "]))).toBe(false);
  expect(isShown(item("New domain", []))).toBe(true);
  expect(isShown(item("", ["<b>0.0035</b>"]))).toBe(true);
});

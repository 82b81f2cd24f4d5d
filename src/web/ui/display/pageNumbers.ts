export type PageMark = number | "gap";

/** Page numbers: first, last, two on each side of the current one, gaps between (spec B §2). */
export function pageMarks(page: number, pages: number, side = 2): PageMark[] {
  const shown = new Set([1, pages]);
  for (let number = page - side; number <= page + side; number++) {
    if (number >= 1 && number <= pages) shown.add(number);
  }
  const sorted = [...shown].toSorted((a, b) => a - b);
  return sorted.flatMap((number, index) => {
    const before = sorted[index - 1] ?? 0;
    return number - before > 1 ? ["gap" as const, number] : [number];
  });
}

/** At most `shown` page numbers around the current one. */
export function pagesAround(page: number, pages: number, shown: number): number[] {
  const count = Math.min(shown, pages);
  const first = Math.max(1, Math.min(page - Math.floor(shown / 2), pages - count + 1));
  return Array.from({ length: count }, (_, index) => first + index);
}

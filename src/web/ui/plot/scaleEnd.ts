/** The upper end of a scale: the next 1, 2 or 5 times a power of ten. */
export function scaleEnd(highest: number): number {
  if (highest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 5, 10].find((one) => one * power >= highest) ?? 10;
  return Number((step * power).toPrecision(1));
}

/** The word that is nearest to `word`, if `changes` letters at most tell them apart; without it a third of its letters. */
export function nearest(
  word: string,
  words: Iterable<string>,
  changes = Math.max(1, Math.floor(word.length / 3)),
): string | undefined {
  let best: string | undefined;
  let bestDistance = changes + 1;
  for (const candidate of words) {
    const distance = editDistance(word, candidate, bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Changed, missing, surplus and swapped letters (optimal string alignment), or `limit` as soon as there cannot be fewer. */
function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let before: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swapped = isSwapped ? (before[column - 2] ?? limit) + 1 : limit;
      current.push(Math.min(replaced, swapped, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    if (Math.min(...current) >= limit && Math.min(...above) >= limit) return limit;
    [before, above] = [above, current];
  }
  return above[to.length] ?? limit;
}

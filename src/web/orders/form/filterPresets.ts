/** Subject words that fit many sites (spec B §2). */
export const builtInSubjects: readonly string[] = ["verification", "welcome", "reset", "auth", "promo"];

const customSubjectsMax = 5;
const regexPresetsMax = 3;

/** Of a subject only the first word counts (spec B §5). */
export function firstWord(text: string): string {
  return text.trimStart().split(/\s/u, 1)[0] ?? "";
}

/** The user's own words with this one first, at most five; the built-in ones are offered anyway. */
export function rememberSubject(words: readonly string[], word: string): string[] {
  if (word === "" || builtInSubjects.includes(word)) return [...words];
  return [word, ...words.filter((known) => known !== word)].slice(0, customSubjectsMax);
}

/** What is wrong with a pattern, by the engine that the server uses; "" when nothing is. It is loaded when one is typed. */
export async function patternError(pattern: string): Promise<string> {
  const { readPattern } = await import("../../../contract/pattern.ts");
  const read = readPattern(pattern);
  return "wrong" in read ? read.wrong : "";
}

/** The remembered patterns with this one first, at most three. A pattern that was typed on replaces its beginning. */
export function rememberPattern(patterns: readonly string[], pattern: string): string[] {
  const [latest] = patterns;
  const kept = latest !== undefined && pattern.startsWith(latest) ? patterns.slice(1) : patterns;
  return [pattern, ...kept.filter((known) => known !== pattern)].slice(0, regexPresetsMax);
}

/** Subject words for many sites (spec B §2). */
export const builtInSubjects: readonly string[] = ["verification", "welcome", "reset", "auth", "promo"];

const customSubjectsMax = 5;
const regexPresetsMax = 3;

/** Only the first word of a subject counts (spec B §5). */
export function firstWord(text: string): string {
  return text.trimStart().split(/\s/u, 1)[0] ?? "";
}

/** The user's words, newest first, at most five, without the built-in ones. */
export function rememberSubject(words: readonly string[], word: string): string[] {
  if (word === "" || builtInSubjects.includes(word)) return [...words];
  return [word, ...words.filter((known) => known !== word)].slice(0, customSubjectsMax);
}

/** The error of a pattern by the server's engine, loaded on demand; "" without an error. */
export async function patternError(pattern: string): Promise<string> {
  const { readPattern } = await import("../../../contract/pattern.ts");
  const read = readPattern(pattern);
  return "wrong" in read ? read.wrong : "";
}

/** The patterns, newest first, at most three. A longer pattern replaces its own beginning. */
export function rememberPattern(patterns: readonly string[], pattern: string): string[] {
  const [latest] = patterns;
  const kept = latest !== undefined && pattern.startsWith(latest) ? patterns.slice(1) : patterns;
  return [pattern, ...kept.filter((known) => known !== pattern)].slice(0, regexPresetsMax);
}

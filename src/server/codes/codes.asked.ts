// Letters that have no word for "code": "Use 482913 to verify your account", or a number alone below "Type this number where you signed up".
import { Lexicon } from "./codes.lexicon.ts";
import type { Line } from "./codes.lines.ts";
import type { Candidate } from "./codes.numbers.ts";
import { askWords, digitWords, purposeWords, secretWords } from "./codes.words.ts";

const lexicon = new Lexicon({
  ask: askWords,
  purpose: purposeWords,
  digits: digitWords,
  secret: secretWords,
});

type Kind = "ask" | "purpose" | "digits" | "secret";

interface Word {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
}

/** In lines. */
const reachAbove = 4;
const reachBelow = 2;
const secretReach = 8;
/** In characters, between a verb and its number. */
const verbReach = 40;

/** What the words of one letter tell about its numbers. Each line is searched once, when it is first asked for. */
export class Asked {
  readonly #lines: readonly Line[];
  readonly #words: (readonly Word[] | undefined)[];

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
    this.#words = Array.from({ length: lines.length });
  }

  /** How much speaks for a number as a code, beside its form; 0 when nothing asks for it. */
  evidence(index: number, { start, end }: Candidate, isAlone: boolean): number {
    const line = this.#lines[index];
    if (!line) return 0;
    const words = this.#at(index);
    const verb = words.some((word) => word.kind === "ask" && isAskedOf(line.text, word, start, end));
    const isPurposeHere = has(words, "purpose");
    const near = this.#near(index);
    const isPurposeNear = near.has("purpose") || has(this.#at(0), "purpose");
    const isAskedFor = isAlone && (isPurposeNear || has(words, "secret"));
    const isDigitsHere = has(words, "digits") && (isPurposeHere || isPurposeNear);
    if (!(verb && (isPurposeHere || isPurposeNear)) && !isAskedFor && !isDigitsHere) return 0;
    return (
      (verb ? 4 : 0) +
      (isPurposeHere ? 2 : 0) +
      (isPurposeNear ? 1 : 0) +
      (near.has("ask") || near.has("digits") || isDigitsHere ? 2 : 0) +
      (this.isKeptSecret(index) ? 2 : 0)
    );
  }

  /** Whether no line has a word of any of the lists: then the letter is in another language. */
  knowsNoWord(): boolean {
    return this.#lines.every((line, index) => line.names.length === 0 && this.#at(index).length === 0);
  }

  #near(index: number): ReadonlySet<Kind> {
    const kinds = new Set<Kind>();
    for (let other = Math.max(1, index - reachAbove); other <= index + reachBelow; other++)
      if (other !== index) for (const { kind } of this.#at(other)) kinds.add(kind);
    return kinds;
  }

  /** Whether it is said near that the number expires, or that nobody else may know it. */
  isKeptSecret(index: number): boolean {
    for (let other = Math.max(1, index - secretReach); other <= index + secretReach; other++)
      if (has(this.#at(other), "secret")) return true;
    return false;
  }

  #at(index: number): readonly Word[] {
    const line = this.#lines[index];
    return line ? (this.#words[index] ??= wordsOf(line.lower)) : [];
  }
}

const has = (words: readonly Word[], kind: Kind) => words.some((word) => word.kind === kind);

/** Latin and Cyrillic words begin where no letter is before; the other scripts write on without a space. */
function wordsOf(lower: string): readonly Word[] {
  const words: Word[] = [];
  lexicon.scan(lower, ({ word, kind }, start) => {
    if (
      /[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(word.charAt(0)) &&
      /[\p{L}\p{N}]/u.test(lower.charAt(start - 1))
    )
      return false;
    words.push({ kind, start, end: start + word.length });
    return true;
  });
  return words;
}

/** Whether a verb and a number are in one sentence and close: the verb before ("Use N"), or behind as in Hindi, Japanese and Korean. */
function isAskedOf(text: string, verb: Word, start: number, end: number): boolean {
  const [from, to] = verb.end <= start ? [verb.end, start] : [end, verb.start];
  return to >= from && to - from <= verbReach && !/[.!?]\s|[。！？।;]/.test(text.slice(from, to));
}

export interface Entry<Kind extends string> {
  readonly word: string;
  readonly kind: Kind;
}

const bits = 0x10000;

/** Searches many words in one pass over a text. At most places the first three characters show that no word begins there. */
export class Lexicon<Kind extends string> {
  readonly #begins = new Uint8Array(bits);
  readonly #byStart = new Map<number, Entry<Kind>[]>();

  /** Words are lower case and at least two characters long. */
  constructor(words: Readonly<Record<Kind, readonly string[]>>) {
    const entries = (Object.keys(words) as Kind[]).flatMap((kind) =>
      words[kind].map((word) => ({ word, kind })),
    );
    for (const entry of entries.toSorted((one, other) => other.word.length - one.word.length)) {
      const { word } = entry;
      const [first, second] = [word.charCodeAt(0), word.charCodeAt(1)];
      const start = first * bits + second;
      this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), entry]);
      if (word.length > 2) this.#begins[hash(first, second, word.charCodeAt(2))] = 1;
      else this.#begins[hash(first, second, 0)] = 1;
    }
  }

  /** Calls `take` for each word of a lower-case text, the longest first where several begin, until it takes one. */
  scan(lower: string, take: (entry: Entry<Kind>, start: number) => boolean): void {
    const begins = this.#begins;
    let first = 0;
    let second = lower.charCodeAt(0);
    let third = lower.charCodeAt(1);
    for (let at = 0; at + 1 < lower.length; at++) {
      first = second;
      second = third;
      third = lower.charCodeAt(at + 2);
      if (begins[hash(first, second, third)] === 0 && begins[hash(first, second, 0)] === 0) continue;
      for (const entry of this.#byStart.get(first * bits + second) ?? [])
        if (lower.startsWith(entry.word, at) && take(entry, at)) break;
    }
  }

  kindsIn(lower: string): ReadonlySet<Kind> {
    const kinds = new Set<Kind>();
    this.scan(lower, ({ kind }) => {
      kinds.add(kind);
      return false;
    });
    return kinds;
  }
}

const hash = (first: number, second: number, third: number) =>
  (first * 961 + second * 31 + third) & (bits - 1);

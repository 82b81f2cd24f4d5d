import {
  boxOf,
  encodingBytes,
  encodingOf,
  hasOtherColumns,
  isOtherFile,
  readLogin,
} from "../../contract/login.ts";

export interface Counted {
  /** Lines that are not empty. */
  readonly lines: number;
  readonly malformed: number;
  readonly malformedAt: readonly number[];
  readonly duplicates: number;
  /** Distinct mailboxes. */
  readonly usable: number;
  readonly domains: readonly { name: string; count: number }[];
  /** It is no list of login:password. */
  readonly isOther: boolean;
}

const malformedShown = 10;

/** Counts the lines of a text in chunks, by the server's rule (src/contract/login.ts). */
export class LineCount {
  #rest = "";
  #number = 0;
  #lines = 0;
  #malformed = 0;
  #duplicates = 0;
  #otherColumns = 0;
  readonly #malformedAt: number[] = [];
  readonly #domains = new Map<string, number>();
  readonly #seen = new Seen();

  add(text: string): void {
    const whole = this.#rest + text;
    // A trailing carriage return may be half of a line end.
    const end = Math.max(whole.lastIndexOf("\n"), whole.lastIndexOf("\r", whole.length - 2)) + 1;
    this.#rest = whole.slice(end);
    if (end > 0) for (const line of linesOf(whole.slice(0, end))) this.#count(line);
  }

  end(): Counted {
    if (this.#rest !== "") for (const line of linesOf(this.#rest)) this.#count(line);
    this.#rest = "";
    return {
      lines: this.#lines,
      malformed: this.#malformed,
      malformedAt: this.#malformedAt,
      duplicates: this.#duplicates,
      usable: this.#lines - this.#malformed - this.#duplicates,
      domains: [...this.#domains]
        .map(([name, count]) => ({ name, count }))
        .toSorted((one, other) => other.count - one.count || one.name.localeCompare(other.name, "en")),
      isOther: isOtherFile({ lines: this.#lines, otherColumns: this.#otherColumns }),
    };
  }

  #count(line: string): void {
    this.#number++;
    const login = readLogin(line);
    if (login === undefined) return;
    this.#lines++;
    if (hasOtherColumns(line)) this.#otherColumns++;
    if (login === "malformed" || login.domain === undefined) {
      this.#malformed++;
      if (this.#malformedAt.length < malformedShown) this.#malformedAt.push(this.#number);
    } else if (this.#seen.add(`${boxOf(login.part)}@${login.domain}`)) {
      this.#domains.set(login.domain, (this.#domains.get(login.domain) ?? 0) + 1);
    } else this.#duplicates++;
  }
}

/** The lines of a text that ends with a line end. */
const linesOf = (text: string) => text.replace(/(\r\n|\n|\r)$/, "").split(/\r\n|\n|\r/);

/** A set of 64-bit hashes: a set of ten million texts would need gigabytes. One such file in a million has a collision. */
class Seen {
  #bits = 10;
  #size = 0;
  #high = new Uint32Array(1 << this.#bits);
  #low = new Uint32Array(1 << this.#bits);

  add(text: string): boolean {
    let [high, low] = [0x811c9dc5, 0x9747b28c];
    for (let at = 0; at < text.length; at++) {
      const sign = text.charCodeAt(at);
      high = Math.imul(high ^ sign, 0x01000193);
      low = Math.imul(low ^ sign, 0x5bd1e995);
      low ^= low >>> 13;
    }
    // 0 and 0 marks an empty slot.
    if (!this.#put(high >>> 0, low >>> 0 || 1)) return false;
    this.#size++;
    if (this.#size > 0.7 * this.#low.length) this.#grow();
    return true;
  }

  #put(high: number, low: number): boolean {
    const mask = this.#low.length - 1;
    let at = (high ^ (low >>> 7)) & mask;
    for (; this.#low[at] !== 0; at = (at + 1) & mask)
      if (this.#low[at] === low && this.#high[at] === high) return false;
    this.#high[at] = high;
    this.#low[at] = low;
    return true;
  }

  #grow(): void {
    const [highs, lows] = [this.#high, this.#low];
    this.#bits++;
    this.#high = new Uint32Array(2 ** this.#bits);
    this.#low = new Uint32Array(2 ** this.#bits);
    for (const [at, low] of lows.entries()) if (low !== 0) this.#put(highs[at] ?? 0, low);
  }
}

const pieceBytes = 4 * 1024 * 1024;

/** Counts the lines of a file; reports progress from 0 to 1. Throws when the file cannot be read. */
export async function countFile(file: Blob, onProgress: (done: number) => void): Promise<Counted> {
  const count = new LineCount();
  const decoder = new TextDecoder(
    encodingOf(new Uint8Array(await file.slice(0, encodingBytes).arrayBuffer())),
  );
  for (let start = 0; start < file.size; start += pieceBytes) {
    const bytes = await file.slice(start, start + pieceBytes).arrayBuffer();
    count.add(decoder.decode(bytes, { stream: true }));
    onProgress(Math.min(1, (start + pieceBytes) / file.size));
  }
  count.add(decoder.decode());
  return count.end();
}

import { isLockTimeout, type Db } from "../../platform/db/db.ts";
import { Batcher } from "../../platform/db/batcher.ts";
import type { Unmatched } from "../letters.sql.ts";
import type { Read } from "../parsing/parsing.letter.ts";
import { parserThreads } from "../parsing/parsing.ts";
import type { Amount } from "./matching.admission.ts";
import {
  buyersOf,
  deliverMatches,
  type LettersOptions,
  type MatchedLetter,
  matchLetters,
  read,
} from "./matching.ts";

/** Parses, matches and delivers letters. The steps run in parallel: the parser threads have the next before the database has the last. */
export class MatchPipeline {
  readonly #options: LettersOptions;
  readonly #parsing: Batcher<Unmatched, Read>;
  readonly #matching: Batcher<Read, MatchedLetter>;
  readonly #delivering: Batcher<MatchedLetter, undefined>;
  readonly #held = new Set<Unmatched>();
  #bytes = 0;

  /** At most `lettersMax` are held at once. */
  constructor(db: Db, options: LettersOptions, lettersMax: number) {
    this.#options = options;
    const queueMax = 2 * lettersMax;
    const open = (letters: Unmatched[]) => read(options, letters);
    this.#parsing = new Batcher(open, {
      concurrency: parserThreads + 1,
      batchMax: 16,
      batchMin: 8,
      queueMax,
    });
    const batches = { concurrency: 2, batchMax: 64, batchMin: 16, queueMax };
    this.#matching = new Batcher((letters: Read[]) => matchLetters(db, options, letters), batches);
    const give = async (matched: MatchedLetter[]) => {
      await deliverMatches(db, options, matched);
      return matched.map(() => undefined);
    };
    // Letters of one buyer lock the same rows: a second transaction would only wait.
    this.#delivering = new Batcher(give, { ...batches, keysOf: buyersOf, isHeldUp: isLockTimeout });
  }

  get amount(): Amount {
    return { letters: this.#held.size, bytes: this.#bytes };
  }

  /** When those that are held arrived. */
  arrivals(): Date[] {
    return [...this.#held].map(({ arrivedAt }) => arrivedAt);
  }

  /** Resolves when the letter is matched and delivered. A fault is logged: the job that matches the backlog tries again. */
  async match(letter: Unmatched): Promise<void> {
    this.#held.add(letter);
    this.#bytes += letter.raw.length;
    try {
      const opened = await this.#parsing.submit(letter);
      await this.#delivering.submit(await this.#matching.submit(opened));
    } catch (fault) {
      this.#options.log.error({ err: fault, letter: String(letter.id) }, "a letter was not matched");
    } finally {
      this.#held.delete(letter);
      this.#bytes -= letter.raw.length;
    }
  }

  async drain(): Promise<void> {
    await this.#parsing.drain();
    await this.#matching.drain();
    await this.#delivering.drain();
  }
}

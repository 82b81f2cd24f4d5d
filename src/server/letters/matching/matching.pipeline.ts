import { isDuplicate, isLockTimeout, wasLost, type Db } from "../../platform/db/db.ts";
import { Batcher } from "../../platform/db/batcher.ts";
import type { Incoming } from "../letters.incoming.ts";
import type { Unmatched } from "../letters.sql.ts";
import type { ParsedLetter, Read } from "../parsing/parsing.letter.ts";
import { parserThreads } from "../parsing/parsing.ts";
import type { Amount } from "./matching.admission.ts";
import {
  type Arrived,
  buyersOf,
  type LettersOptions,
  type MatchedLetter,
  matchLetters,
  parse,
} from "./matching.ts";
import { deliverMatches } from "./matching.deliver.ts";

type Held = Unmatched | Incoming;

/** Runs work that stores letters of these times (`withPartitions`). */
export type Placed = <Answer>(
  arrivals: readonly (Date | undefined)[],
  work: () => Promise<Answer>,
) => Promise<Answer>;

/** Parses, matches and delivers letters. The steps run in parallel: the parser threads have the next before the database has the last. */
export class MatchPipeline {
  readonly #options: LettersOptions;
  readonly #parsing: Batcher<{ readonly raw: Uint8Array; readonly id?: bigint }, ParsedLetter>;
  readonly #matching: Batcher<Read | Arrived, MatchedLetter>;
  readonly #delivering: Batcher<MatchedLetter, undefined>;
  readonly #held = new Set<Held>();
  #bytes = 0;

  /** At most `lettersMax` are held at once. */
  constructor(db: Db, options: LettersOptions, lettersMax: number, placed: Placed) {
    this.#options = options;
    const queueMax = 2 * lettersMax;
    this.#parsing = new Batcher((letters) => parse(options, letters), {
      concurrency: parserThreads + 1,
      batchMax: 16,
      batchMin: 8,
      queueMax,
    });
    const batches = { concurrency: 2, batchMax: 64, batchMin: 16, queueMax };
    this.#matching = new Batcher((letters) => matchLetters(db, options, letters), batches);
    const give = async (matched: MatchedLetter[]) => {
      const fresh = matched.flatMap(({ letter }) => (letter.incoming ? [letter.arrivedAt] : []));
      await placed(fresh, () => deliverMatches(db, options, matched));
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
    return [...this.#held].flatMap(({ arrivedAt }) => arrivedAt ?? []);
  }

  /**
   * Stores, matches and delivers a letter in one commit; resolves when it is durable. One that takes longer to be parsed and
   * matched, or cannot be delivered now, is stored by `store` and delivered later. Throws what storing throws.
   */
  receive(letter: Incoming, store: () => Promise<Unmatched>, readyMs: number): Promise<void> {
    return this.#holding(letter, async () => {
      const parsing = this.#parsing.submit(letter);
      const matching = parsing.then((parsed) => this.#matching.submit({ ...parsed, incoming: letter }));
      const matched = await unlessLate(matching, readyMs);
      if (matched && (await this.#isDelivered(matched))) return;
      void this.match(await store(), parsing);
    });
  }

  /** Resolves when the stored letter is matched and delivered. A fault is logged: the job that matches the backlog tries again. */
  match(letter: Unmatched, parsing = this.#parsing.submit(letter)): Promise<void> {
    return this.#holding(letter, async () => {
      try {
        await this.#delivering.submit(await this.#matching.submit({ ...letter, ...(await parsing) }));
      } catch (fault) {
        this.#options.log.error({ err: fault, letter: String(letter.id) }, "a letter was not matched");
      }
    });
  }

  /** Answers whether the letter is durable now; throws when that is not known. */
  async #isDelivered(letter: MatchedLetter, tries = 2): Promise<boolean> {
    try {
      await this.#delivering.submit(letter);
      return true;
    } catch (fault) {
      if (isDuplicate(fault, "letter")) return true;
      if (!wasLost(fault)) return false;
      // Perhaps it was kept, and only the answer was lost: then another try finds its own id.
      if (tries > 1) return this.#isDelivered(letter, tries - 1);
      throw fault;
    }
  }

  async #holding(letter: Held, work: () => Promise<void>): Promise<void> {
    this.#held.add(letter);
    this.#bytes += letter.raw.length;
    try {
      await work();
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

/** Undefined when the work takes longer, or fails: the letter is stored then, and what fails again is logged by `match`. */
async function unlessLate<Answer>(work: Promise<Answer>, ms: number): Promise<Answer | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), ms);
  return Promise.race([work, late.promise])
    .catch(() => undefined)
    .finally(() => clearTimeout(timer));
}

// Letters on their way from the disk to their orders. What fits into memory is judged from memory at once; what came too fast for
// that is read again when there is room. Reception is never kept waiting: a rush costs delay, never letters.
import { setTimeout as delay } from "node:timers/promises";
import { secondsAfter } from "../kit/clock.ts";
import type { Db } from "../kit/db.ts";
import { Lane } from "../kit/lane.ts";
import { judge, judgeBacklog, type LettersOptions } from "./letters.judge.ts";
import { closeOpeners } from "./letters.openers.ts";
import { readUnjudged, type Unjudged } from "./letters.sql.ts";

/** A letter for which there was no room. */
interface Left {
  readonly id: bigint;
  readonly arrivedAt: Date;
  readonly bytes: number;
}

const bytesMax = 64 * 1024 * 1024;
const lettersMax = 10_000;
/** What arrives beyond that is left to the backlog. */
const leftMax = 200_000;
/** What came first goes first again when it has waited so long: a rush that does not end must not keep it for ever. */
const patienceSeconds = 20;
/** While more are being stored, letters gather for so long: one large batch costs far less than many small ones. */
const gatherMilliseconds = 12;
const refillLetters = 64;
const refillBytes = 4 * 1024 * 1024;

/** Judges the letters of one process. */
export class Judging {
  readonly #db: Db;
  readonly #options: LettersOptions;
  readonly #isStoring: () => boolean;
  readonly #memoryBytes: number;
  readonly #lane: Lane<Unjudged, undefined>;
  readonly #held = new Set<Unjudged>();
  readonly #left: Left[] = [];
  #bytes = 0;
  #gathering: Promise<void> | undefined;
  #refilling: Promise<void> | undefined;

  /** `isStoring`: whether letters are being made durable right now. */
  constructor(db: Db, options: LettersOptions, isStoring = () => false, memoryBytes = bytesMax) {
    this.#isStoring = isStoring;
    this.#db = db;
    this.#options = options;
    this.#memoryBytes = memoryBytes;
    const run = async (letters: Unjudged[]) => {
      await judge(db, options, letters);
      return letters.map(() => undefined);
    };
    this.#lane = new Lane(run, { lanes: 2, cap: 64, least: 16, waiting: 2 * lettersMax });
  }

  /** Judges a letter that was made durable, without being waited for. */
  soon(letter: Unjudged): void {
    const isFull = this.#bytes + letter.raw.length > this.#memoryBytes || this.#held.size >= lettersMax;
    const isLate =
      this.#left[0] && this.#left[0].arrivedAt < secondsAfter(letter.arrivedAt, -patienceSeconds);
    if ((!isFull && !isLate) || this.#held.size === 0) void this.#hold(letter);
    else if (this.#left.length < leftMax)
      this.#left.push({ id: letter.id, arrivedAt: letter.arrivedAt, bytes: letter.raw.length });
  }

  /** Judges what arrived before `until` and is older than anything that this process has yet to judge; answers how many. */
  backlog(until: Date, signal?: AbortSignal): Promise<number> {
    let oldest = Math.min(Number(until), Number(this.#left[0]?.arrivedAt ?? until));
    for (const { arrivedAt } of this.#held) oldest = Math.min(oldest, Number(arrivedAt));
    return judgeBacklog(this.#db, this.#options, new Date(oldest), signal);
  }

  /** Resolves when every letter that came here is judged. */
  async drain(): Promise<void> {
    do {
      await this.#gathering;
      await this.#lane.drain();
      await this.#refilling;
    } while (this.#refilling !== undefined || this.#held.size > 0);
  }

  /** Judges what is in memory, leaves the rest to the next process, and ends the threads that open letters. */
  async close(): Promise<void> {
    this.#left.length = 0;
    await this.#refilling;
    await this.#gathering;
    await this.#lane.drain();
    await closeOpeners();
  }

  async #hold(letter: Unjudged): Promise<void> {
    this.#held.add(letter);
    this.#bytes += letter.raw.length;
    try {
      await this.#gathered();
      await this.#lane.submit(letter);
    } catch (fault) {
      // The letter is durable; the backlog tries again.
      this.#options.log.error({ err: fault, letter: String(letter.id) }, "a letter was not judged");
    } finally {
      this.#held.delete(letter);
      this.#bytes -= letter.raw.length;
      if (this.#hasWorkLeft()) this.#refilling ??= this.#refill();
    }
  }

  #gathered(): Promise<void> | undefined {
    if (!this.#isStoring()) return undefined;
    return (this.#gathering ??= delay(gatherMilliseconds).then(() => {
      this.#gathering = undefined;
    }));
  }

  #hasWorkLeft(): boolean {
    const hasRoom = this.#bytes <= this.#memoryBytes / 2 && this.#held.size <= lettersMax / 2;
    return hasRoom && this.#left.length > 0;
  }

  // The rush is over, or pauses: what was left is judged now, by the same way as what comes in beside it.
  async #refill(): Promise<void> {
    try {
      while (this.#hasWorkLeft()) {
        const letters = await readUnjudged(this.#db, take(this.#left));
        for (const letter of letters) void this.#hold(letter);
      }
    } catch (fault) {
      // They are durable; the backlog finds them.
      this.#options.log.error({ err: fault }, "letters that were left could not be read");
    } finally {
      this.#refilling = undefined;
    }
  }
}

/** Takes the oldest of those that were left, as many as are read at once. */
function take(left: Left[]): bigint[] {
  let bytes = 0;
  let count = 0;
  for (const letter of left.slice(0, refillLetters)) {
    bytes += letter.bytes;
    if (count > 0 && bytes > refillBytes) break;
    count += 1;
  }
  return left.splice(0, count).map(({ id }) => id);
}

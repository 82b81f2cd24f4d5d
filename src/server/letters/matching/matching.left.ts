import type { Unmatched } from "../letters.sql.ts";
import type { Amount } from "./matching.admission.ts";

type Left = Pick<Unmatched, "id" | "arrivedAt"> & { readonly bytes: number };

/** More is left to the job that matches the backlog. */
const leftMax = 200_000;
const nextMax: Amount = { letters: 64, bytes: 4 * 1024 * 1024 };

/** Durable letters for which memory has no room, oldest first: their ids, by which they are read again. */
export class LeftLetters {
  readonly #letters: Left[] = [];
  #bytes = 0;

  get amount(): Amount {
    return { letters: this.#letters.length, bytes: this.#bytes };
  }

  get oldestArrivedAt(): Date | undefined {
    return this.#letters[0]?.arrivedAt;
  }

  add({ id, arrivedAt, raw }: Unmatched): void {
    if (this.#letters.length >= leftMax) return;
    this.#letters.push({ id, arrivedAt, bytes: raw.length });
    this.#bytes += raw.length;
  }

  /** Takes the ids of the oldest: as many as are read at once. */
  take(): bigint[] {
    let bytes = 0;
    let count = 0;
    for (const letter of this.#letters.slice(0, nextMax.letters)) {
      if (count > 0 && bytes + letter.bytes > nextMax.bytes) break;
      bytes += letter.bytes;
      count += 1;
    }
    this.#bytes -= bytes;
    return this.#letters.splice(0, count).map(({ id }) => id);
  }

  /** Leaves all of them to the backlog. */
  forget(): void {
    this.#letters.length = 0;
    this.#bytes = 0;
  }
}

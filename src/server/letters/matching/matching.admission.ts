import { waitingLine } from "../../platform/waiting-line.ts";

/** Letters, and the bytes of them. */
export interface Amount {
  readonly letters: number;
  readonly bytes: number;
}

/** Thrown for a letter that could not be taken in time; nothing of it is kept. */
export class Late extends Error {
  override name = "Late";
}

/** Lets a letter in while the process is not far behind: in a rush letters are seconds late, not minutes. The others wait in line. */
export class Admission {
  readonly #max: Amount;
  readonly #unmatched: () => Amount;
  #coming: Amount = { letters: 0, bytes: 0 };
  readonly #line = waitingLine((bytes: number) => this.#admits(bytes));

  /** `unmatched`: what the process has still to match of what was let in and made durable. */
  constructor(max: Amount, unmatched: () => Amount) {
    this.#max = max;
    this.#unmatched = unmatched;
  }

  /** Throws Late when the signal of `until` aborts first. Each letter that was let in is told once to `stored`. */
  async enter(bytes: number, until: () => AbortSignal): Promise<void> {
    if (this.#admits(bytes) || (await this.#line.wait(bytes, until()))) return;
    throw new Late("too much waits to be matched");
  }

  /** The letter is durable, or failed to be. */
  stored(bytes: number): void {
    this.#come(-1, -bytes);
    this.#line.move();
  }

  /** Call it when something was matched. */
  letIn(): void {
    this.#line.move();
  }

  #admits(bytes: number): boolean {
    const unmatched = this.#unmatched();
    if (unmatched.letters + this.#coming.letters >= this.#max.letters) return false;
    if (unmatched.bytes + this.#coming.bytes >= this.#max.bytes) return false;
    this.#come(1, bytes);
    return true;
  }

  #come(letters: number, bytes: number): void {
    this.#coming = { letters: this.#coming.letters + letters, bytes: this.#coming.bytes + bytes };
  }
}

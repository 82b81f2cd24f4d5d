import { setClock } from "./life.sql.ts";
import { now } from "./platform/clock.ts";
import type { Db } from "./platform/db/db.ts";

type Act = () => Promise<unknown>;

/** What happens at which time, and the clock of who lives it. */
export class Timeline {
  readonly #db: Db;
  readonly #waiting: { readonly at: Date; readonly act: Act }[] = [];
  #behindMs = 0;

  /** The database connection lives by the database's clock of life.sql.ts. */
  constructor(db: Db) {
    this.#db = db;
  }

  readonly clock = (): Date => new Date(now().getTime() - this.#behindMs);

  add(at: Date, act: Act): void {
    this.#waiting.push({ at, act });
  }

  /** Does all in the order of time, also what is added by it. `passed` hears of each. */
  async run(passed: (at: Date) => void): Promise<void> {
    for (;;) {
      const next = this.#takeFirst();
      if (!next) return;
      await this.goTo(next.at);
      await next.act();
      passed(next.at);
    }
  }

  async goTo(at: Date): Promise<void> {
    await setClock(this.#db, at);
    this.#behindMs = now().getTime() - at.getTime();
  }

  #takeFirst() {
    let first = 0;
    for (const [place, { at }] of this.#waiting.entries())
      if (at < (this.#waiting[first]?.at ?? at)) first = place;
    return this.#waiting.splice(first, 1)[0];
  }
}

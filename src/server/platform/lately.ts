const keptMinutes = 5;
const badMin = 5;

/** What this process saw in the last five minutes, by the rule of the alerts (docs/alerts.yml). */
export class Lately {
  readonly #minutes = new Map<number, { all: number; bad: number }>();

  add(isBad: boolean): void {
    const minute = minuteNow();
    for (const old of this.#minutes.keys()) if (old <= minute - keptMinutes) this.#minutes.delete(old);
    const { all, bad } = this.#minutes.get(minute) ?? { all: 0, bad: 0 };
    this.#minutes.set(minute, { all: all + 1, bad: bad + Number(isBad) });
  }

  /** Whether more than five were bad, and more than this part of all. */
  isBeyond(part: number): boolean {
    const since = minuteNow() - keptMinutes;
    const [all, bad] = [...this.#minutes].reduce(
      ([ofAll, ofBad], [minute, seen]) =>
        minute > since ? [ofAll + seen.all, ofBad + seen.bad] : [ofAll, ofBad],
      [0, 0],
    );
    return bad > badMin && bad > part * all;
  }
}

const minuteNow = () => Math.floor(performance.now() / 60_000);

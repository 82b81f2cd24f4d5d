/** What becomes of work that is tried again and again. */
export interface Repeats {
  /** It failed: says the fault, unless it is the one that was said last, not long ago. */
  readonly failed: (fault: unknown) => void;
  /** It went well: the next fault is news. */
  readonly passed: () => void;
}

const againSeconds = 10 * 60;

/** Has each fault said once while it lasts: with the database away every work fails each second, and what else is said would be buried. */
export function sayOnce(say: (fault: unknown) => void): Repeats {
  let told: { text: string; at: number } | undefined;
  return {
    failed: (fault) => {
      const text = String(fault);
      if (told?.text === text && performance.now() - told.at < againSeconds * 1000) return;
      told = { text, at: performance.now() };
      say(fault);
    },
    passed: () => (told = undefined),
  };
}

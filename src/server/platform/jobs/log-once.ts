/** Logs a repeated failure once per ten minutes. */
export interface LogOnce {
  /** It failed: logs the fault, unless it is the one that was logged last, not long ago. */
  readonly failed: (fault: unknown) => void;
  /** It went well: the next fault is news. */
  readonly passed: () => void;
}

const againSeconds = 10 * 60;

/** Logs each fault once while it lasts: with the database away every work fails each second, and what else is said would be buried. */
export function logOnce(log: (fault: unknown) => void): LogOnce {
  let last: { text: string; at: number } | undefined;
  return {
    failed: (fault) => {
      const text = String(fault);
      if (last?.text === text && performance.now() - last.at < againSeconds * 1000) return;
      last = { text, at: performance.now() };
      log(fault);
    },
    passed: () => (last = undefined),
  };
}

export interface WaitingLine<Asked> {
  readonly length: number;
  /** Waits until it is admitted; false when `signal` aborts first. */
  wait(asked: Asked, signal: AbortSignal): Promise<boolean>;
  /** Lets those in front in while they are admitted. Call it whenever there is more room. */
  move(): void;
}

/** First come, first served, whatever is asked. `admits` takes the room of one caller, or answers false. */
export function waitingLine<Asked>(admits: (asked: Asked) => boolean): WaitingLine<Asked> {
  const line = new Set<{ asked: Asked; go: () => void }>();

  const move = () => {
    for (const waiting of line) {
      if (!admits(waiting.asked)) return;
      line.delete(waiting);
      waiting.go();
    }
  };

  return {
    get length() {
      return line.size;
    },
    wait(asked, signal) {
      if (signal.aborted) return Promise.resolve(false);
      return new Promise((resolve) => {
        const leave = () => {
          line.delete(waiting);
          resolve(false);
          move();
        };
        const go = () => {
          signal.removeEventListener("abort", leave);
          resolve(true);
        };
        const waiting = { asked, go };
        signal.addEventListener("abort", leave, { once: true });
        line.add(waiting);
        move();
      });
    },
    move,
  };
}

/** How many bytes of a kind may be in memory at once; all connections share it. */
export interface MemoryBudget {
  /** Takes so many bytes if they are free now and nobody waits for some. */
  take(bytes: number): boolean;
  /** Waits in line for so many bytes; false when `signal` was first. */
  wait(bytes: number, signal: AbortSignal): Promise<boolean>;
  /** Gives bytes back. */
  give(bytes: number): void;
}

interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
}

/** Makes a budget of so many bytes. Those that wait are served in the order in which they came, however much they want. */
export function memoryBudget(bytesMax: number): MemoryBudget {
  let free = bytesMax;
  const line = new Set<Waiting>();

  const admit = () => {
    for (const waiting of line) {
      if (waiting.bytes > free) return;
      free -= waiting.bytes;
      line.delete(waiting);
      waiting.go();
    }
  };

  return {
    take(bytes) {
      if (bytes > free || line.size > 0) return false;
      free -= bytes;
      return true;
    },
    wait(bytes, signal) {
      if (bytes > bytesMax) throw new Error(`${bytes} bytes can never be free where ${bytesMax} are all`);
      if (signal.aborted) return Promise.resolve(false);
      return new Promise((resolve) => {
        const leave = () => {
          line.delete(waiting);
          resolve(false);
          // Those behind may want less.
          admit();
        };
        const go = () => {
          signal.removeEventListener("abort", leave);
          resolve(true);
        };
        const waiting: Waiting = { bytes, go };
        signal.addEventListener("abort", leave, { once: true });
        line.add(waiting);
        admit();
      });
    },
    give(bytes) {
      free += bytes;
      admit();
    },
  };
}

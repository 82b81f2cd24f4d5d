/** Limits the bytes of one kind in memory, across all connections. */
export interface MemoryBudget {
  /** Takes the bytes if they are free and no call waits. */
  take(bytes: number): boolean;
  /** Waits in line; false when `signal` aborts first. */
  wait(bytes: number, signal: AbortSignal): Promise<boolean>;
  give(bytes: number): void;
}

interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
}

/** First come, first served, whatever the size. */
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

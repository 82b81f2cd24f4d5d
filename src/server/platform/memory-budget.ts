import { waitingLine } from "./waiting-line.ts";

/** Limits the bytes of one kind in memory, across all connections. */
export interface MemoryBudget {
  /** Takes the bytes if they are free and no call waits. */
  take(bytes: number): boolean;
  /** Waits in line; false when `signal` aborts first. */
  wait(bytes: number, signal: AbortSignal): Promise<boolean>;
  give(bytes: number): void;
}

/** First come, first served, whatever the size. */
export function memoryBudget(bytesMax: number): MemoryBudget {
  let free = bytesMax;
  const takes = (bytes: number) => {
    if (bytes > free) return false;
    free -= bytes;
    return true;
  };
  const line = waitingLine(takes);
  return {
    take: (bytes) => line.length === 0 && takes(bytes),
    wait(bytes, signal) {
      if (bytes > bytesMax) throw new Error(`${bytes} bytes can never be free where ${bytesMax} are all`);
      return line.wait(bytes, signal);
    },
    give(bytes) {
      free += bytes;
      line.move();
    },
  };
}

import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

/** Beside orders a file is read so fast and no faster: the longest takes half a minute, and its last transaction another. */
const pacedBytesPerSecond = 4_600_000;
/** From this part of its time on, the thread that serves buyers has much to do. */
const busyPart = 0.5;

/** What a pace goes by. */
interface Time {
  /** Milliseconds, from wherever. */
  readonly clock: () => number;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  /** Which part of its time the thread was busy since this was asked before, from 0 to 1. */
  readonly busy: () => number;
}

/** The time of this thread, from now on. */
function threadTime(): Time {
  let before = performance.eventLoopUtilization();
  return {
    clock: () => performance.now(),
    pause: (milliseconds) => sleep(milliseconds),
    busy: () => {
      const load = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(load, before);
      before = load;
      return utilization;
    },
  };
}

/** A file that comes slower is given up: it would keep a place, and others who bring files waiting. */
const leastBytesPerSecond = 32 * 1024;
/** So long a line may take to come to speed. */
const slowMs = 20_000;

/** Thrown for a file that comes too slowly. */
export class TooSlow extends Error {
  override name = "TooSlow";
}

/** Hands a file on. Throws TooSlow when the time that was spent waiting for its sender is too long for what came. */
export async function* notTooSlow(
  file: AsyncIterable<Uint8Array>,
  clock: Time["clock"] = () => performance.now(),
): AsyncGenerator<Uint8Array> {
  let waitedMs = 0;
  let bytes = 0;
  let asked = clock();
  for await (const chunk of file) {
    waitedMs += clock() - asked;
    bytes += chunk.length;
    if (waitedMs > slowMs && bytes < (waitedMs / 1000) * leastBytesPerSecond)
      throw new TooSlow(`${bytes} bytes in ${Math.round(waitedMs / 1000)} seconds`);
    yield chunk;
    asked = clock();
  }
}

/** Has a file wait while buyers have much to ask. */
export class Pace {
  readonly #time: Time;
  readonly #start: number;
  #bytes = 0;

  constructor(time: Time = threadTime()) {
    this.#time = time;
    this.#start = time.clock();
  }

  /** Waits after so many more bytes of the file, if they came too fast beside buyers. */
  async keep(bytes: number): Promise<void> {
    this.#bytes += bytes;
    const ahead = (this.#bytes / pacedBytesPerSecond) * 1000 - (this.#time.clock() - this.#start);
    if (this.#time.busy() > busyPart && ahead > 0) await this.#time.pause(ahead);
  }
}

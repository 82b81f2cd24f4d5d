import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

/** The rate beside orders: the longest file takes half a minute, and its last transaction another. */
const pacedBytesPerSecond = 4_600_000;
/** From this utilization on the thread that serves buyers is busy. */
const busyPart = 0.5;

interface Time {
  /** Milliseconds, from any origin. */
  readonly clock: () => number;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  /** The utilization of the thread since the last call, from 0 to 1. */
  readonly busy: () => number;
}

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

/** A slower file is given up: it would keep others from uploading. */
const leastBytesPerSecond = 32 * 1024;
/** A connection may take so long to reach that speed. */
const slowMs = 20_000;

export class TooSlow extends Error {
  override name = "TooSlow";
}

/** Passes a file on. Throws TooSlow when the sender was too slow for the bytes that came. */
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

/** Delays a file while buyers keep the thread busy. */
export class Pace {
  readonly #time: Time;
  readonly #start: number;
  #bytes = 0;

  constructor(time: Time = threadTime()) {
    this.#time = time;
    this.#start = time.clock();
  }

  async keep(bytes: number): Promise<void> {
    this.#bytes += bytes;
    const ahead = (this.#bytes / pacedBytesPerSecond) * 1000 - (this.#time.clock() - this.#start);
    if (this.#time.busy() > busyPart && ahead > 0) await this.#time.pause(ahead);
  }
}

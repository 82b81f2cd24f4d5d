// A child process without secrets draws one picture at a time: decoders are memory-unsafe, and uploads hostile.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import * as z from "zod/mini";
import { Batcher } from "../platform/db/batcher.ts";

const bytes = z.instanceof(Uint8Array);
const Drawn = z.object({ whole: bytes, thumb: bytes, width: z.int(), height: z.int() });
export type Drawn = z.infer<typeof Drawn>;
const Failed = z.object({ failed: z.string() });

export type Outcome = Drawn | { readonly failed: string };

export interface DrawOptions {
  readonly file: URL;
  /** For one picture, with the start of the process. */
  readonly secondsMax: number;
}

const defaults: DrawOptions = {
  file: new URL("stories.draw.worker.ts", import.meta.url),
  secondsMax: 30,
};

/** With so many waiting, more are refused. */
const waitingMax = 4;

export class Drawing {
  readonly #options: DrawOptions;
  readonly #batcher: Batcher<Uint8Array, Outcome>;
  #child: ChildProcess | undefined;

  constructor(options: Partial<DrawOptions> = {}) {
    this.#options = { ...defaults, ...options };
    const run = (files: Uint8Array[]) => Promise.all(files.map((file) => this.#run(file)));
    this.#batcher = new Batcher(run, { concurrency: 1, batchMax: 1, queueMax: waitingMax });
  }

  /** Redraws a picture, or says why it is none. Throws `BatcherFull` when too many wait. */
  draw(file: Uint8Array): Promise<Outcome> {
    return this.#batcher.submit(file);
  }

  close(): void {
    this.#child?.kill("SIGKILL");
  }

  async #run(file: Uint8Array): Promise<Outcome> {
    const child = fork(fileURLToPath(this.#options.file), {
      // Neither keys nor the address of the database.
      env: {},
      execArgv: [],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#child = child;
    const over = AbortSignal.timeout(this.#options.secondsMax * 1_000);
    const gone = new AbortController();
    child.on("error", (fault) => gone.abort(fault));
    child.once("exit", (code, signal) => gone.abort(new Error(`its process ended: ${signal ?? code}`)));
    try {
      child.send(file, (fault) => fault && gone.abort(fault));
      const [answer] = (await once(child, "message", { signal: AbortSignal.any([over, gone.signal]) })) as [
        unknown,
      ];
      return z.union([Drawn, Failed]).parse(answer);
    } catch (fault) {
      const cause = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault;
      return { failed: String(cause) };
    } finally {
      child.kill("SIGKILL");
    }
  }
}

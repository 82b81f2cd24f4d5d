import type { FastifyReply, FastifyRequest } from "fastify";
import type { RequestFacts } from "./answer.ts";

/** A call that is under way. */
export interface Call {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly open: OpenRequests;
  /** Of the file that the call takes. */
  readonly types: readonly string[];
}

/** Looked up only when a handler asks: most want none of it. */
export class Facts implements RequestFacts {
  readonly #call: Call;
  readonly isValid: () => Promise<boolean>;
  #gone: AbortSignal | undefined;
  constructor(call: Call, isValid: () => Promise<boolean>) {
    this.#call = call;
    this.isValid = isValid;
  }
  get address(): string {
    return this.#call.request.ip;
  }
  get idempotencyKey(): string | undefined {
    return this.#header("idempotency-key");
  }
  get file(): AsyncIterable<Uint8Array> | undefined {
    const { request, reply, types } = this.#call;
    const { headers, raw } = request;
    const type = /^[^;\s]*/.exec(headers["content-type"] ?? "")?.[0].toLowerCase();
    // A compressed one is of another type: unpacked it could be of any size, and as it comes it would be noise.
    const isPacked = (headers["content-encoding"] ?? "identity").toLowerCase() !== "identity";
    if (type === undefined || !types.includes(type) || isPacked) return undefined;
    // After the answer the rest is passed by (takeFile): a connection that breaks then takes the answer with it.
    this.gone.addEventListener("abort", () => {
      if (!reply.raw.writableFinished) raw.destroy();
    });
    // Whoever reads no further still wants to answer.
    return raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  }
  get lastEventId(): string | undefined {
    return this.#header("last-event-id");
  }
  cookie(name: string): string | undefined {
    return this.#call.request.cookies[name];
  }
  get gone(): AbortSignal {
    return (this.#gone ??= this.#call.open.goneOf(this.#call.reply));
  }
  #header(name: string): string | undefined {
    const text = this.#call.request.headers[name];
    return typeof text === "string" ? text : undefined;
  }
}

/** Requests whose handlers want to know when nobody waits for the answer any more. */
export class OpenRequests {
  readonly #waiting = new Set<AbortController>();
  isEnding = false;

  goneOf({ raw }: FastifyReply): AbortSignal {
    const gone = new AbortController();
    if (raw.destroyed || this.isEnding) gone.abort();
    this.#waiting.add(gone);
    // The response's and not the socket's, on which one request follows another: it comes after each answer.
    raw.once("close", () => {
      this.#waiting.delete(gone);
      gone.abort();
    });
    return gone.signal;
  }

  end(): void {
    this.isEnding = true;
    for (const gone of this.#waiting) gone.abort();
  }
}

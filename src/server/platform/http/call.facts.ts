import type { FastifyReply, FastifyRequest } from "fastify";
import type { RequestFacts } from "./answer.ts";
import { addressOf, isByUntrustedProxy } from "./client-address.ts";

export interface Call {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly open: OpenRequests;
  readonly types: readonly string[];
}

export class Facts implements RequestFacts {
  readonly #call: Call;
  readonly isValid: () => Promise<boolean>;
  #gone: AbortSignal | undefined;
  constructor(call: Call, isValid: () => Promise<boolean>) {
    this.#call = call;
    this.isValid = isValid;
  }
  get address(): string {
    return addressOf(this.#call.request);
  }
  get isByUntrustedProxy(): boolean {
    return isByUntrustedProxy(this.#call.request);
  }
  get idempotencyKey(): string | undefined {
    return this.#header("idempotency-key");
  }
  get file(): AsyncIterable<Uint8Array> | undefined {
    const { request, reply, types } = this.#call;
    const { headers, raw } = request;
    const type = /^[^;\s]*/.exec(headers["content-type"] ?? "")?.[0].toLowerCase();
    // Refuses a compressed body, which may unpack to any size.
    const isPacked = (headers["content-encoding"] ?? "identity").toLowerCase() !== "identity";
    if (type === undefined || !types.includes(type) || isPacked) return undefined;
    // A lost connection ends the file until the answer is sent; takeFile drains the rest.
    this.gone.addEventListener("abort", () => {
      if (!reply.raw.writableFinished) raw.destroy();
    });
    // A handler that stops reading must still answer.
    return raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  }
  get userAgent(): string | undefined {
    return this.#header("user-agent");
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

/** Signals handlers when their client disconnects or the server stops. */
export class OpenRequests {
  readonly #waiting = new Set<AbortController>();
  isEnding = false;

  goneOf({ raw }: FastifyReply): AbortSignal {
    const gone = new AbortController();
    if (raw.destroyed || this.isEnding) gone.abort();
    this.#waiting.add(gone);
    // The response's event: a socket carries several requests.
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

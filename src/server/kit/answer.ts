import type { Asked, Endpoint, RefusalOf, Reply } from "../../contract/endpoint.ts";
import { type commonRefusals, type Refusal, refusals, type TryAgain } from "../../contract/refusals.ts";

/** Who calls, found by the token. */
export interface Caller {
  readonly userId: bigint;
  readonly active: boolean;
  readonly admin: boolean;
  readonly investor: boolean;
  readonly token: string;
}

/** What a handler may know of the request beside its parameters. */
export interface RequestFacts {
  /** The client's network address, as far as TRUST_PROXY lets it be believed. */
  readonly address: string;
  /** The Idempotency-Key header, unchecked. */
  readonly idempotencyKey: string | undefined;
}

/** Extra fields that show the way out of a refusal (api.md): alternatives, missing, did_you_mean, retry_after. */
export type WayOut = Readonly<Record<string, unknown>>;

/** An expected no, with the fields that show the way out. */
export class Refused {
  readonly value: Refusal | TryAgain;
  readonly extras: WayOut;
  constructor(value: Refusal | TryAgain, extras: WayOut = {}) {
    this.value = value;
    this.extras = extras;
  }
}

/** "Too often": answered with HTTP 429 and Retry-After. */
export class Limited {
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number) {
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterSeconds));
  }
}

/** A whole HTML document instead of the envelope (`preview=1`). */
export class Html {
  readonly document: string;
  constructor(document: string) {
    this.document = document;
  }
}

export type Outcome<E extends Endpoint> = Reply<E> | Refused | Limited | Html;

interface Given<E extends Endpoint> {
  readonly asked: Asked<E>;
  readonly caller: E["access"] extends "anyone" ? undefined : Caller;
  readonly request: RequestFacts;
  /** Says no with one of the call's own values; return what it gives. */
  readonly refuse: (
    value: RefusalOf<E> | (typeof commonRefusals)[number] | TryAgain,
    extras?: WayOut,
  ) => Refused;
}

/** A call of the contract with the function that answers it. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly handle: (
    asked: Record<string, unknown>,
    caller: Caller | undefined,
    request: RequestFacts,
  ) => Promise<unknown>;
}

/** Binds a call of the contract to its handler; the types of both must agree. */
export function answer<E extends Endpoint>(
  endpoint: E,
  handler: (given: Given<E>) => Promise<Outcome<E>> | Outcome<E>,
): Route {
  const refuse: Given<E>["refuse"] = (value, extras) => new Refused(value, extras);
  return {
    endpoint,
    handle: async (asked, caller, request) =>
      // The mount has parsed `asked` by this endpoint's schemas and found the caller by its access.
      handler({ asked, caller, request, refuse } as Given<E>),
  };
}

/** What a client reads: `value` byte for byte, and beside it a sentence for the person who can act on it. */
export function errorBody(refused: Refused, path: string): Record<string, unknown> {
  const { value, extras } = refused;
  const known = (refusals as Record<string, string>)[value];
  const hint = known ?? "A code was sent a moment ago: wait before asking for another.";
  // The account calls answer in `message` too (spec B §7).
  const message = path.startsWith("/user/") ? { message: value } : {};
  return { status: "error", value, ...message, hint, ...extras };
}

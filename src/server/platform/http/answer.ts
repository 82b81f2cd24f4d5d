import type { ServerResponse } from "node:http";
import type { Asked, Endpoint, RefusalOf, Reply } from "../../../contract/endpoint.ts";
import {
  type commonRefusals,
  type Refusal,
  refusals,
  type TokenLimit,
  type TryAgain,
} from "../../../contract/refusals.ts";

/** Who calls, found by the token. */
export interface Caller {
  readonly userId: bigint;
  readonly active: boolean;
  readonly admin: boolean;
  readonly investor: boolean;
  /** Whether a messaging account has confirmed the account. */
  readonly confirmed?: boolean | undefined;
  readonly token: string;
  /** What a limited token may do; undefined for the account's own token, which may do everything. */
  readonly limits?: TokenLimits | undefined;
  /** When the token ends by itself; undefined for one that does not. */
  readonly expiresAt?: Date | undefined;
}

/** A token that an account made for one program. Its daily budget is kept by the database. */
export interface TokenLimits {
  readonly tokenId: bigint;
  /** Sites that it may order for; undefined for every site. */
  readonly siteIds: ReadonlySet<number> | undefined;
  /** The highest price of one order; undefined for any. */
  readonly priceMax: bigint | undefined;
}

/** Whether a token may order for a site, and so read and cancel what was ordered for it. */
export const mayUse = ({ limits }: Caller, siteId: number): boolean => limits?.siteIds?.has(siteId) ?? true;

/** The refusal of a token that is for other sites. */
export const otherSite = (): Refused =>
  new Refused("token limit", { exceeded: "sites" satisfies TokenLimit });

/** What a handler may know of the request beside its parameters. */
export interface RequestFacts {
  /** The client's network address, as far as TRUST_PROXY lets it be believed. */
  readonly address: string;
  /** The Idempotency-Key header, unchecked. */
  readonly idempotencyKey: string | undefined;
  /** A cookie by its name, unchecked. */
  readonly cookie: (name: string) => string | undefined;
  /** The Last-Event-ID header, unchecked. */
  readonly lastEventId: string | undefined;
  /** The body of a call that takes a file, not yet read; undefined when it is of another type. */
  readonly file: AsyncIterable<Uint8Array> | undefined;
  /** Whether the token still opens what it did when the call came: for whoever has waited since. */
  readonly isValid: () => Promise<boolean>;
  /** Aborts when the client goes away or the server stops: what waits for it may end. */
  readonly gone: AbortSignal;
}

/** Extra fields that show the way out of a refusal: parameter, alternatives, missing, did_you_mean, retry_after. */
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

/** A whole HTML document instead of the envelope (`preview=1`), with its content security policy. */
export class Html {
  readonly document: string;
  readonly policy: string;
  constructor(document: string, policy: string) {
    this.document = document;
    this.policy = policy;
  }
}

/** An answer that is written while it is made: a file of any length, or a stream of events. */
export class Streamed {
  readonly headers: Readonly<Record<string, string>>;
  readonly write: (response: ServerResponse) => Promise<void>;
  /** `write` sends the body and ends the response; a fault cuts the connection, so that half a file never looks whole. */
  constructor(headers: Record<string, string>, write: (response: ServerResponse) => Promise<void>) {
    this.headers = headers;
    this.write = write;
  }
}

export type Outcome<E extends Endpoint> = Reply<E> | Refused | Limited | Html | Streamed;

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
  readonly version:
    | ((asked: Record<string, unknown>, caller: Caller) => Promise<string>)
    | "digest"
    | undefined;
}

interface Options<E extends Endpoint> {
  /**
   * Names what the caller would be answered now; while it is what he has (If-None-Match), the handler is not asked: 304.
   * `digest`: nothing tells beforehand; the handler is asked each time, and its answer is named by what it says.
   */
  readonly version?: ((asked: Asked<E>, caller: Caller) => Promise<string>) | "digest";
}

/** Binds a call of the contract to its handler; the types of both must agree. */
export function answer<E extends Endpoint>(
  endpoint: E,
  handler: (given: Given<E>) => Promise<Outcome<E>> | Outcome<E>,
  { version }: Options<E> = {},
): Route {
  const refuse: Given<E>["refuse"] = (value, extras) => new Refused(value, extras);
  return {
    endpoint,
    version: version as Route["version"],
    handle: async (asked, caller, request) =>
      // The caller has parsed `asked` by this endpoint's schemas and found the caller by its access.
      handler({ asked, caller, request, refuse } as Given<E>),
  };
}

/** What a client reads: `value` byte for byte, and beside it a sentence for the person who can act on it. */
export function errorBody(refused: Refused, path: string): Record<string, unknown> {
  const { value, extras } = refused;
  const known = (refusals as Record<string, string>)[value];
  const hint = known ?? "A code was sent a moment ago: wait before asking for another.";
  return { status: "error", value, ...saidAgain(path, value), hint, ...extras };
}

/** The account calls answer in `message` too (spec B §7), those of the back office and the announcements in `error` (O §7). */
function saidAgain(path: string, value: string): Record<string, string> {
  if (path.startsWith("/user/")) return { message: value };
  return /^\/api\/(?:admin|newsmain)\//.test(path) ? { error: value } : {};
}

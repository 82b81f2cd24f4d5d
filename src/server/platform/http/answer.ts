import type { ServerResponse } from "node:http";
import type { Asked, Endpoint, OfficeRole, RefusalOf, Reply } from "../../../contract/endpoint.ts";
import {
  type commonRefusals,
  type Refusal,
  refusals,
  type TokenLimit,
  type TryAgain,
} from "../../../contract/refusals.ts";

export interface Caller {
  readonly userId: bigint;
  readonly active: boolean;
  readonly admin: boolean;
  /** Of an administrator; undefined: owner. */
  readonly role?: OfficeRole | undefined;
  readonly investor: boolean;
  /** By a messaging account. */
  readonly confirmed?: boolean | undefined;
  /** A partner earns by the orders. */
  readonly referred?: boolean | undefined;
  /** No token of programs adds or changes limited tokens and webhooks. */
  readonly closed?: boolean | undefined;
  readonly token: string;
  /** Of an administrator: whether it has a second factor. */
  readonly factor?: boolean | undefined;
  /** Of a limited token. */
  readonly limits?: TokenLimits | undefined;
  /** Of a person who signed in; undefined for tokens, which programs have. */
  readonly session?: CallerSession | undefined;
  readonly expiresAt?: Date | undefined;
}

export interface CallerSession {
  readonly id: bigint;
  /** When the person last proved who it is. */
  readonly provedAt: Date;
}

/** The database keeps the daily budget. */
export interface TokenLimits {
  readonly tokenId: bigint;
  /** Undefined: every site. */
  readonly siteIds: ReadonlySet<number> | undefined;
  /** Undefined: any. */
  readonly priceMax: bigint | undefined;
}

/** Whether a token may order, read and cancel for a site. */
export const mayUse = ({ limits }: Caller, siteId: number): boolean => limits?.siteIds?.has(siteId) ?? true;

export const otherSite = (): Refused =>
  new Refused("token limit", { exceeded: "sites" satisfies TokenLimit });

export interface RequestFacts {
  /** As far as TRUST_PROXY allows. */
  readonly address: string;
  /** A proxy that TRUST_PROXY does not name passed the call on. */
  readonly isByUntrustedProxy: boolean;
  /** Unchecked. */
  readonly idempotencyKey: string | undefined;
  /** Unchecked. */
  readonly userAgent: string | undefined;
  /** Unchecked. */
  readonly cookie: (name: string) => string | undefined;
  /** The unread body of a call that takes a file; undefined when its type differs. */
  readonly file: AsyncIterable<Uint8Array> | undefined;
  /** Whether the token still has its rights, for long requests. */
  readonly isValid: () => Promise<boolean>;
  /** Aborts when the client disconnects or the server stops. */
  readonly gone: AbortSignal;
}

/** Extra fields of a refusal: parameter, alternatives, missing, did_you_mean, retry_after. A bigint is an id; undefined is left out. */
export type RefusalExtras = Readonly<Record<string, unknown>>;

export class Refused {
  readonly value: Refusal | TryAgain;
  readonly extras: RefusalExtras;
  constructor(value: Refusal | TryAgain, extras: RefusalExtras = {}) {
    this.value = value;
    this.extras = extras;
  }
}

/** Answered with HTTP 429 and Retry-After. */
export class Limited {
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number) {
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterSeconds));
  }
}

/** A document instead of the envelope (`preview=1`). */
export class Html {
  readonly document: string;
  readonly policy: string;
  constructor(document: string, policy: string) {
    this.document = document;
    this.policy = policy;
  }
}

export class Streamed {
  readonly headers: Readonly<Record<string, string>>;
  readonly write: (response: ServerResponse) => Promise<void>;
  /** A fault of `write` cuts the connection, so that half a file never looks whole. */
  constructor(headers: Record<string, string>, write: (response: ServerResponse) => Promise<void>) {
    this.headers = headers;
    this.write = write;
  }
}

export type Outcome<E extends Endpoint> = Reply<E> | Refused | Limited | Html | Streamed;

interface HandlerInput<E extends Endpoint> {
  readonly asked: Asked<E>;
  readonly caller: E["access"] extends "anyone" ? undefined : Caller;
  readonly request: RequestFacts;
  /** Makes a refusal of the call, for the handler to return. */
  readonly refuse: (
    value: RefusalOf<E> | (typeof commonRefusals)[number] | TryAgain,
    extras?: RefusalExtras,
  ) => Refused;
}

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
  /** Names the state of the answer: 304 if it matches If-None-Match. `digest`: by a hash of the handler's answer. */
  readonly version?: ((asked: Asked<E>, caller: Caller) => Promise<string>) | "digest";
}

export function answer<E extends Endpoint>(
  endpoint: E,
  handler: (input: HandlerInput<E>) => Promise<Outcome<E>> | Outcome<E>,
  { version }: Options<E> = {},
): Route {
  const refuse: HandlerInput<E>["refuse"] = (value, extras) => new Refused(value, extras);
  return {
    endpoint,
    version: version as Route["version"],
    handle: async (asked, caller, request) =>
      // The caller has parsed `asked` by this endpoint's schemas and checked the access.
      handler({ asked, caller, request, refuse } as HandlerInput<E>),
  };
}

/** `value` byte for byte, with a sentence for people. */
export function errorBody(refused: Refused, path: string): Record<string, unknown> {
  const { value, extras } = refused;
  const known = (refusals as Record<string, string>)[value];
  const hint = known ?? "A code was sent a moment ago: wait before asking for another.";
  return { status: "error", value, ...repeatedValue(path, value), hint, ...extras };
}

/** Account calls repeat the value in `message` (spec B §7), back office and announcements in `error` (O §7). */
function repeatedValue(path: string, value: string): Record<string, string> {
  if (path.startsWith("/user/")) return { message: value };
  return /^\/api\/(?:admin|newsmain)\//.test(path) ? { error: value } : {};
}

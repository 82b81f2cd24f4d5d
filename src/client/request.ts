import type { Call, CallName } from "./call.ts";
import type { Calls, CommonRefusal, Refusal, TokenLimit, TryAgain } from "./wire.ts";

/** A mail domain with its price in dollars and how many addresses it has. */
export interface Alternative {
  domain: string;
  price: number;
  count: number;
}

/** Details that a refusal may carry. */
export interface WayOut {
  hint?: string;
  parameter?: string;
  /** With `limit`: in seconds. */
  retry_after?: number;
  exceeded?: TokenLimit;
  /** With `no balance`: the missing dollars. */
  missing?: string;
  /** With `price too high`: the price now, in dollars. */
  price?: number;
  /** With `site` and `domain`: a likely correction. */
  did_you_mean?: string;
  /** With `no emails`: mail domains with stock for the site. */
  alternatives?: Alternative[];
  /** With `no emails`: the mail domains that were passed over, as `skips` has them. */
  skipped?: string[];
  /** With `email already registered`, after the right password of an account that is not activated: its token. */
  token?: string;
  /** With `second factor`: goes back with a code, within five minutes. */
  ticket?: string;
  /** With `second factor`: what the account has. */
  kinds?: ("passkey" | "app" | "recovery")[];
  /** With `second factor`, where the account has a passkey: options for navigator.credentials.get(). */
  passkey?: { challenge: string };
  /** With `regex`: what is wrong with the pattern. */
  reason?: string;
}

export interface Refused<Value extends string> {
  ok: false;
  value: Value | TryAgain | CommonRefusal | "connection";
  more: WayOut;
}

export type Answer<Name extends CallName> =
  | { ok: true; data: Calls[Name]["reply"] }
  | Refused<Calls[Name]["refusal"]>;

/** The answer to a call that is known only at run time. */
export type AnyAnswer = { ok: true; data: unknown } | AnyRefused;
export type AnyRefused = Refused<Refusal>;

/** By their names on the wire; undefined and empty ones are left out. */
export type Parameters = Record<string, unknown>;

export interface Sender {
  url?: string | undefined;
  token?: string | undefined;
  signal?: AbortSignal | undefined;
}

export type Request = [address: string, init: RequestInit & { headers: Headers }];

/** Parameters whose header has another name. */
const headerNames: Readonly<Record<string, string>> = { client_order_id: "idempotency-key" };

/** Headers are ASCII: site names go in their DNS form; anything else is sent so that the server refuses it. */
const inHeader = (value: unknown): string => String(value).split(",").map(asAscii).join(",");

function asAscii(name: string): string {
  if (!/[^\x20-\x7e]/.test(name)) return name;
  const address = `http://${name.trim()}`;
  return URL.canParse(address) ? new URL(address).hostname : encodeURIComponent(name);
}

export function requestOf(call: Call, ask: Parameters, { url = "", token = "", signal }: Sender): Request {
  const given = Object.entries(ask).filter(([, value]) => value !== undefined && value !== "");
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(ask[name])));
  const signals = [signal, call.timeoutSeconds && AbortSignal.timeout(call.timeoutSeconds * 1000)];
  const init = {
    headers: new Headers(token === "" ? {} : { authorization: `Bearer ${token}` }),
    signal: AbortSignal.any(signals.filter((one) => one instanceof AbortSignal)),
  };
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  if (!call.send) return [query.size > 0 ? `${url}${path}?${query}` : url + path, init];
  const { method = "POST" } = call;
  if (call.send === "file") {
    const { file, ...rest } = Object.fromEntries(given);
    for (const [name, value] of Object.entries(rest))
      init.headers.set(headerNames[name] ?? name, inHeader(value));
    return [url + path, { ...init, method, body: file as Blob }];
  }
  if (call.send === "json") {
    init.headers.set("content-type", "application/json");
    return [url + path, { ...init, method, body: JSON.stringify(Object.fromEntries(given)) }];
  }
  const body = call.send === "form" ? query : new FormData();
  if (body instanceof FormData) for (const [name, value] of query) body.append(name, value);
  return [url + path, { ...init, method, body }];
}

/** Removes the envelope: `status`, and on error `value`. */
export function answerOf(body: unknown): AnyAnswer {
  if (typeof body !== "object" || body === null) return { ok: false, value: "server", more: {} };
  if (!("status" in body) || body.status !== "error") return { ok: true, data: body };
  const { status: _, value, ...more } = body as unknown as Refusing;
  return { ok: false, value, more };
}

type Refusing = { status: "error"; value: Refusal } & WayOut;

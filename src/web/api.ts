import type { EndpointName, Endpoints } from "../contract/api.ts";
import type { Access, Asking, Endpoint, RefusalOf, Reply } from "../contract/endpoint.ts";
import { registrationTimeoutSeconds } from "../contract/limits.ts";
import type { commonRefusals, TryAgain } from "../contract/refusals.ts";
import { signOut } from "./session.ts";
import { stored } from "./stored.ts";

// Only types come from the contract: its schemas stay out of the pages. A test compares this list with it.
interface Call {
  path: string;
  access: Access;
  /** `form`: parameters go in a POST body, so that no secret stands in an address. Absent: in the query of a GET. */
  send?: "form" | "multipart";
  timeoutSeconds?: number;
}

export const calls: Record<EndpointName, Call> = {
  balance: { path: "/user/balance", access: "user" },
  quantity: { path: "/email/quantity", access: "active" },
  orderEmail: { path: "/email/order", access: "active", send: "form" },
  getMessage: { path: "/email/getmessage", access: "user", send: "form" },
  reorderEmail: { path: "/email/reorder", access: "active", send: "form" },
  cancelEmail: { path: "/email/cancel", access: "user", send: "form" },
  timeline: { path: "/email/timeline", access: "user" },
  releaseLetter: { path: "/email/release", access: "user", send: "form" },
  aggregators: { path: "/email/aggregators", access: "anyone" },
  history: { path: "/email/history", access: "user" },
  activations: { path: "/user/activations", access: "user" },
  events: { path: "/user/events", access: "user" },
  authorize: { path: "/user/authorize", access: "anyone", send: "form" },
  registration: {
    path: "/user/registration",
    access: "anyone",
    send: "multipart",
    timeoutSeconds: registrationTimeoutSeconds,
  },
  activate: { path: "/user/activate", access: "user", send: "form" },
  sendNewCode: { path: "/user/sendnewcode", access: "user", send: "form" },
  sendCodeReset: { path: "/user/sendCodeReset", access: "anyone", send: "form" },
  changePassword: { path: "/user/changepassword", access: "anyone", send: "form" },
  information: { path: "/user/information", access: "user" },
  replaceToken: { path: "/user/replacetoken", access: "user", send: "form" },
  statement: { path: "/user/statement", access: "user" },
  statementFile: { path: "/user/statement.csv", access: "user" },
  tokens: { path: "/user/tokens", access: "user" },
  addToken: { path: "/user/tokens/add", access: "active", send: "form" },
  removeToken: { path: "/user/tokens/remove", access: "user", send: "form" },
  webhooks: { path: "/user/webhooks", access: "user" },
  addWebhook: { path: "/user/webhooks/add", access: "active", send: "form" },
  changeWebhook: { path: "/user/webhooks/change", access: "active", send: "form" },
  replaceWebhookSecret: { path: "/user/webhooks/secret", access: "active", send: "form" },
  testWebhook: { path: "/user/webhooks/test", access: "active", send: "form" },
  removeWebhook: { path: "/user/webhooks/remove", access: "user", send: "form" },
  webhookDeliveries: { path: "/user/webhooks/deliveries", access: "user" },
  redeliver: { path: "/user/webhooks/redeliver", access: "active", send: "form" },
  createPayment: { path: "/payments/create", access: "user", send: "form" },
  paymentStatus: { path: "/payments/status", access: "user" },
  captchaChallenge: { path: "/api/captcha", access: "anyone" },
  confirmPayment: { path: "/api/admin/payments/confirm/{id}", access: "admin", send: "form" },
};

/** The way out that a refusal may carry (api.md "extra fields"). */
export interface WayOut {
  hint?: string;
  retry_after?: number;
  missing?: string;
  did_you_mean?: string;
  alternatives?: { domain: string; price: number; count: number }[];
}

/** A no: the server's value, or `connection` when no answer came. */
export interface Refused<Value extends string> {
  ok: false;
  value: Value | TryAgain | (typeof commonRefusals)[number] | "connection";
  more: WayOut;
}

export type Answer<E extends Endpoint> = { ok: true; data: Reply<E> } | Refused<RefusalOf<E>>;

export interface Options {
  signal?: AbortSignal;
  /** Instead of the session's token; a refusal then does not end the session. */
  token?: string;
}

type Api = {
  [Name in EndpointName]: (
    ask: Asking<Endpoints[Name]>,
    options?: Options,
  ) => Promise<Answer<Endpoints[Name]>>;
};

/**
 * The typed client of the pages: `await api.orderEmail({ site, domain })`. Never throws but when its own `signal`
 * was aborted. A `token` refusal of a call that needs nothing but a session ends the session.
 */
export const api = Object.fromEntries(
  Object.entries(calls).map(([name, call]) => [
    name,
    (ask: Ask, options: Options = {}) => askServer(call, ask, options),
  ]),
) as unknown as Api;

type Ask = Record<string, unknown>;

async function askServer(call: Call, ask: Ask, options: Options): Promise<Answer<Endpoint>> {
  const token = call.access === "anyone" ? "" : (options.token ?? stored.authToken.read());
  const answer = await send(call, ask, token, options.signal);
  const ended = !answer.ok && answer.value === "token" && call.access !== "active";
  // The answer of a session that was replaced meanwhile must not end the new one.
  if (ended && options.token === undefined && token !== "" && token === stored.authToken.read()) signOut();
  return answer;
}

async function send(call: Call, ask: Ask, token: string, signal?: AbortSignal): Promise<Answer<Endpoint>> {
  try {
    return read(await bodyOf(...request(call, ask, token, signal)));
  } catch (cause) {
    if (signal?.aborted) throw cause;
    return { ok: false, value: "connection", more: {} };
  }
}

/** A call that answers a file. The header with the token is why it is fetched and not simply linked. */
export async function fetchFile(
  name: "statementFile",
  ask: Asking<Endpoints["statementFile"]>,
): Promise<{ ok: true; file: Blob } | Refused<string>> {
  try {
    const response = await fetch(...request(calls[name], ask, stored.authToken.read()));
    const isFile = response.ok && response.headers.get("content-type")?.startsWith("text/csv");
    if (isFile) return { ok: true, file: await response.blob() };
    const refused = read(await response.json());
    return refused.ok ? { ok: false, value: "server", more: {} } : refused;
  } catch {
    return { ok: false, value: "connection", more: {} };
  }
}

/**
 * Lets a frame of the page, named so, show what a call answers. Posted as a form: the token stands in no address, and what
 * is answered keeps its own policy.
 */
export function showInFrame(frame: string, name: "getMessage", ask: Asking<Endpoints["getMessage"]>): void {
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: calls[name].path, target: frame, hidden: true });
  for (const [field, value] of Object.entries({ ...ask, token: stored.authToken.read() })) {
    const input = Object.assign(document.createElement("input"), { name: field, value: String(value) });
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}

/** What was answered last and may still be so, by who asked what. */
const versions = new Map<string, { version: string; body: unknown }>();
const versionsMax = 50;

/** Asks whether an answer has changed since, and takes the old one if not: browsers keep none that is `no-store`. */
async function bodyOf(address: string, init: RequestInit & { headers: Headers }): Promise<unknown> {
  const key = `${init.headers.get("authorization")} ${address}`;
  const known = init.method === "POST" ? undefined : versions.get(key);
  if (known) init.headers.set("if-none-match", known.version);
  const response = await fetch(address, init);
  if (known && response.status === 304) return known.body;
  const body: unknown = await response.json();
  const version = response.headers.get("etag");
  versions.delete(key);
  if (version !== null) versions.set(key, { version, body });
  for (const oldest of versions.keys()) if (versions.size > versionsMax) versions.delete(oldest);
  return body;
}

function request(
  call: Call,
  ask: Ask,
  token: string,
  signal?: AbortSignal,
): [string, RequestInit & { headers: Headers }] {
  const given = Object.entries(ask).filter(([, value]) => value !== undefined && value !== "");
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(ask[name])));
  const signals = [signal, call.timeoutSeconds && AbortSignal.timeout(call.timeoutSeconds * 1000)];
  const init = {
    headers: new Headers(token === "" ? {} : { authorization: `Bearer ${token}` }),
    signal: AbortSignal.any(signals.filter((one) => one instanceof AbortSignal)),
  };
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  if (!call.send) return [query.size > 0 ? `${path}?${query}` : path, init];
  const body = call.send === "form" ? query : new FormData();
  if (body instanceof FormData) for (const [name, value] of query) body.append(name, value);
  return [path, { ...init, method: "POST", body }];
}

/** Takes the envelope off (api.md): `status`, and on error `value`. */
function read(body: unknown): Answer<Endpoint> {
  if (typeof body !== "object" || body === null) return { ok: false, value: "server", more: {} };
  if (!("status" in body) || body.status !== "error") return { ok: true, data: body };
  const {
    status: _,
    value,
    ...more
  } = body as unknown as { status: "error"; value: Refused<never>["value"] } & WayOut;
  return { ok: false, value, more };
}

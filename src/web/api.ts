import type { Call, CallName } from "../client/call.ts";
import { calls } from "../client/calls.ts";
import {
  type Answer,
  type AnyAnswer,
  answerOf,
  type Parameters,
  type Refused,
  requestOf,
} from "../client/request.ts";
import type { Calls } from "../client/wire.ts";
import { endSession } from "./session.ts";
import { stored } from "./stored.ts";

export type { Answer, Refused };

export interface Options {
  signal?: AbortSignal;
  /** Instead of the session's token; a refusal then does not end the session. */
  token?: string;
}

type Api = {
  [Name in CallName]: (ask: Calls[Name]["ask"], options?: Options) => Promise<Answer<Name>>;
};

/**
 * The client with the session of the browser: `await api.orderEmail({ site, domain })`. Never throws but when its own `signal`
 * was aborted. A `token` refusal of a call that needs nothing but a session ends the session.
 */
export const api = Object.fromEntries(
  Object.entries(calls).map(([name, call]) => [
    name,
    (ask: Parameters, options: Options = {}) => askServer(call, ask, options),
  ]),
) as unknown as Api;

async function askServer(call: Call, ask: Parameters, options: Options): Promise<AnyAnswer> {
  const token = call.access === "anyone" ? "" : (options.token ?? stored.authToken.read());
  const answer = await send(call, ask, token, options.signal);
  const ended = !answer.ok && answer.value === "token" && call.access !== "active";
  // The answer of a session that was replaced meanwhile must not end the new one.
  if (ended && options.token === undefined && token !== "" && token === stored.authToken.read()) endSession();
  return answer;
}

/** A read without an answer for so long is given up: what hangs would leave its page grey for ever, and it may be asked again. */
const readMilliseconds = 30_000;

async function send(call: Call, ask: Parameters, token: string, signal?: AbortSignal): Promise<AnyAnswer> {
  const limit = call.repeat === "read" ? [AbortSignal.timeout(readMilliseconds)] : [];
  const either = AbortSignal.any(signal ? [signal, ...limit] : limit);
  try {
    return answerOf(await bodyOf(...requestOf(call, ask, { token, signal: either })));
  } catch (cause) {
    if (signal?.aborted) throw cause;
    return { ok: false, value: "connection", more: {} };
  }
}

/**
 * A call that answers a file, given up when no more of it comes for as long as a read may take: a long one over a slow line is
 * fine. The header with the token is why it is fetched and not simply linked.
 */
export async function fetchFile<Name extends "statementFile" | "officeFile">(
  name: Name,
  ask: Calls[Name]["ask"],
): Promise<{ ok: true; file: Blob } | Refused<string>> {
  const stalled = new AbortController();
  const giveUp = () => stalled.abort();
  let limit = setTimeout(giveUp, readMilliseconds);
  const onward = () => {
    clearTimeout(limit);
    limit = setTimeout(giveUp, readMilliseconds);
  };
  try {
    const token = stored.authToken.read();
    const response = await fetch(...requestOf(calls[name], ask, { token, signal: stalled.signal }));
    const isFile = response.ok && response.headers.get("content-type")?.startsWith("text/csv");
    if (isFile) return { ok: true, file: await fileOf(response, onward) };
    const refused = answerOf(await response.json());
    return refused.ok ? { ok: false, value: "server", more: {} } : refused;
  } catch {
    return { ok: false, value: "connection", more: {} };
  } finally {
    clearTimeout(limit);
  }
}

/** What an answer brings; says when a piece of it has come. */
async function fileOf({ body, headers }: Response, onPiece: () => void): Promise<Blob> {
  const pieces = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (piece, onward) => {
      onPiece();
      onward.enqueue(piece);
    },
  });
  return new Response(body?.pipeThrough(pieces) ?? null, { headers }).blob();
}

/**
 * Lets a frame of the page, named so, show what a call answers. Posted as a form: the token stands in no address, and what
 * is answered keeps its own policy.
 */
export function showInFrame(frame: string, name: "getMessage", ask: Calls["getMessage"]["ask"]): void {
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

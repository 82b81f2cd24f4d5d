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
import { askProof } from "./auth/proof.ts";
import { endSession, followOtherTabs } from "./session.ts";
import { stored } from "./stored.ts";
import { hearClock } from "./ui/display/clock.ts";

export type { Answer, Refused };

export interface Options {
  signal?: AbortSignal;
  /** Replaces the session's token; its refusal does not end the session. */
  token?: string;
  /** The call goes on when the page is left. */
  keepalive?: boolean;
}

type Api = {
  [Name in CallName]: (ask: Calls[Name]["ask"], options?: Options) => Promise<Answer<Name>>;
};

/** The API client of the session. Throws only when `signal` aborts; a `token` refusal of a session call ends the session. */
export const api = Object.fromEntries(
  Object.entries(calls).map(([name, call]) => [
    name,
    (ask: Parameters, options: Options = {}) => askServer(call, ask, options),
  ]),
) as unknown as Api;

async function askServer(call: Call, ask: Parameters, options: Options): Promise<AnyAnswer> {
  const isSession = call.access !== "anyone" && options.token === undefined;
  // Pressed for an account that another tab has replaced, which the page has not heard yet.
  if (isSession && followOtherTabs()) return { ok: false, value: "token", more: {} };
  const token = call.access === "anyone" ? "" : (options.token ?? stored.authToken.read());
  const answer = await send(call, ask, token, options);
  if (isSession && !answer.ok && (await provesNow(call, answer.value))) return askServer(call, ask, options);
  const ended = !answer.ok && answer.value === "token" && call.access !== "active";
  // An answer to a replaced session must not end the new one.
  if (ended && isSession && token !== "" && !followOtherTabs() && token === stored.authToken.read())
    endSession();
  return answer;
}

/** What only a person may do: whether the person has proved now who it is, so that the call goes on. What reads shows why it cannot. */
const provesNow = async ({ repeat }: Call, value: string): Promise<boolean> =>
  (value === "proof" || (value === "session" && repeat !== "read")) && askProof(value);

/** Aborts a read without an answer; the caller may retry. */
const readMilliseconds = 30_000;

async function send(
  call: Call,
  ask: Parameters,
  token: string,
  { signal, keepalive = false }: Options,
): Promise<AnyAnswer> {
  try {
    const limit = call.repeat === "read" ? [AbortSignal.timeout(readMilliseconds)] : [];
    const either = AbortSignal.any(signal ? [signal, ...limit] : limit);
    const [address, init] = requestOf(call, ask, { token, signal: either });
    return answerOf(await bodyOf(address, { ...init, keepalive }));
  } catch (cause) {
    if (signal?.aborted) throw cause;
    return { ok: false, value: "connection", more: {} };
  }
}

/** Fetches a file; the token goes in a header. Throws when no data comes for `readMilliseconds`; a slow download goes on. */
export async function fetchFile<
  Name extends "statementFile" | "historyFile" | "letterSource" | "officeFile" | "ownData",
>(name: Name, ask: Calls[Name]["ask"]): Promise<{ ok: true; file: Blob } | Refused<string>> {
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
    const isFile = response.ok && response.headers.has("content-disposition");
    if (isFile) return { ok: true, file: await fileOf(response, onward) };
    const refused = answerOf(await response.json());
    return refused.ok ? { ok: false, value: "server", more: {} } : refused;
  } catch {
    return { ok: false, value: "connection", more: {} };
  } finally {
    clearTimeout(limit);
  }
}

async function fileOf({ body, headers }: Response, onPiece: () => void): Promise<Blob> {
  const pieces = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (piece, onward) => {
      onPiece();
      onward.enqueue(piece);
    },
  });
  return new Response(body?.pipeThrough(pieces) ?? null, { headers }).blob();
}

/** Loads an answer into the named frame by a form POST: no token in the address, and the answer keeps its own policy. */
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

/** The last answer with its ETag, by caller and address. */
const versions = new Map<string, { version: string; body: unknown }>();
const versionsMax = 50;

/** Sends If-None-Match and reuses the old answer; browsers do not cache `no-store`. */
async function bodyOf(address: string, init: RequestInit & { headers: Headers }): Promise<unknown> {
  const key = `${init.headers.get("authorization")} ${address}`;
  const known = init.method === "POST" ? undefined : versions.get(key);
  if (known) init.headers.set("if-none-match", known.version);
  const askedAt = Date.now();
  const response = await fetch(address, init);
  hearClock(response.headers.get("date"), askedAt);
  if (known && response.status === 304) return known.body;
  const body: unknown = await response.json();
  const version = response.headers.get("etag");
  versions.delete(key);
  if (version !== null) versions.set(key, { version, body });
  for (const oldest of versions.keys()) if (versions.size > versionsMax) versions.delete(oldest);
  return body;
}

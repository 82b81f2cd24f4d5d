import { requestOf } from "../../client/request.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import { placed } from "./snippets/request.ts";

/** What came back, as it is read. */
export interface CallResult {
  httpStatus: number;
  milliseconds: number;
  /** `success`, or the value of a refusal; absent of what is no JSON. */
  outcome?: string;
  /** The answer itself: JSON laid out, anything else as it came. It is shown as text, whatever it is. */
  text: string;
  /** The rest is left out. */
  isCut: boolean;
  /** More may come. */
  isOpen: boolean;
  /** The body of a JSON answer. */
  body?: Record<string, unknown>;
}

/** What is sent: the parameters, and the file of a call that takes one. */
export interface CallInput {
  asked: Record<string, string>;
  file?: File | undefined;
}

const shownMax = 100_000;

/**
 * Makes a call for real and shows what comes back, a stream as it comes. The token goes in a header, and where the call takes a
 * form the parameters do too: nothing of it stands in an address. Throws when no answer came, or `signal` was aborted.
 */
export async function tryCall(
  endpoint: Endpoint,
  given: CallInput,
  token: string,
  signal: AbortSignal,
  show: (tried: CallResult) => void,
): Promise<void> {
  const begun = performance.now();
  const response = await fetch(...asked(endpoint, given, token, signal));
  const kind = response.headers.get("content-type") ?? "";
  const tried = (text: string, isOpen: boolean): CallResult => ({
    httpStatus: response.status,
    milliseconds: Math.round(performance.now() - begun),
    text: text.slice(0, shownMax),
    isCut: text.length > shownMax,
    isOpen,
  });
  if (kind.startsWith("application/json")) {
    const body = (await response.json()) as Record<string, unknown>;
    const refused = body["status"] === "error";
    const outcome = String(refused ? body["value"] : body["status"]);
    return show({ ...tried(JSON.stringify(body, null, 2), false), outcome, body });
  }
  const isStream = kind.startsWith("text/event-stream");
  const { milliseconds } = tried("", true);
  let text = "";
  for await (const part of chunksOf(response)) {
    text += part;
    if (text.length > shownMax) break;
    if (isStream) show({ ...tried(text, true), milliseconds });
  }
  show({ ...tried(text, false), ...(isStream ? { milliseconds } : {}) });
}

function asked(
  endpoint: Endpoint,
  { asked: given, file }: CallInput,
  token: string,
  signal: AbortSignal,
): [string, RequestInit] {
  if (endpoint.file) {
    // Under a type that the call takes, whatever the machine calls it.
    const type = endpoint.file.types.find((each) => each === file?.type) ?? endpoint.file.types[0] ?? "";
    const body = new Blob(file ? [file] : [], { type });
    return requestOf(
      { path: endpoint.path, access: endpoint.access, send: "file" },
      { ...given, file: body },
      { token, signal },
    );
  }
  const { path, rest } = placed(endpoint.path, given);
  const parameters = new URLSearchParams(Object.entries(rest).filter(([, value]) => value !== ""));
  const headers = token === "" ? {} : { authorization: `Bearer ${token}` };
  if (endpoint.method === "POST" || endpoint.alsoPost === true)
    return [path, { method: "POST", body: parameters, headers, signal }];
  return [parameters.size > 0 ? `${path}?${parameters}` : path, { headers, signal }];
}

/** The text of an answer in the pieces in which it comes. Not every browser iterates over a stream by itself. */
async function* chunksOf(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  } finally {
    await reader.cancel();
  }
}

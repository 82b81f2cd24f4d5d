import { requestOf } from "../../../client/request.ts";
import type { DocumentedCall } from "../calls.ts";
import { placed } from "../snippets/request.ts";

export interface CallResult {
  httpStatus: number;
  milliseconds: number;
  /** `success` or the refusal; absent for other content than JSON. */
  outcome?: string;
  /** Formatted JSON, or the raw text. Shown as text only. */
  text: string;
  isCut: boolean;
  isOpen: boolean;
  body?: Record<string, unknown>;
}

export interface CallInput {
  asked: Record<string, string>;
  file?: File | undefined;
}

const shownMax = 100_000;

/** Makes a real call, reporting a stream as it comes. No token in the address. Throws without an answer or on abort. */
export async function tryCall(
  endpoint: DocumentedCall,
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
  endpoint: DocumentedCall,
  { asked: given, file }: CallInput,
  token: string,
  signal: AbortSignal,
): [string, RequestInit] {
  if (endpoint.file) {
    // Uses a type that the call accepts, whatever the system reports.
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

/** The chunks of an answer as text. Some browsers cannot iterate over a stream. */
async function* chunksOf(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  } finally {
    await reader.cancel();
  }
}

import { calls } from "../client/calls.ts";
import { type AnyAnswer, answerOf, type Parameters, requestOf } from "../client/request.ts";

export interface UploadOptions {
  token?: string;
  headers?: Record<string, string>;
  signal: AbortSignal;
  /** Gets the sent fraction, from 0 to 1. */
  onSent: (part: number) => void;
}

/** Uploads a file by XMLHttpRequest, for progress. No answer is the refusal `connection`. Throws when `signal` aborts. */
export function uploadFile(
  name: "uploadBatch" | "addImage",
  ask: Parameters & { file: Blob },
  { token = "", headers = {}, signal, onSent }: UploadOptions,
): Promise<AnyAnswer> {
  const [address, init] = requestOf(calls[name], ask, { token });
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.upload.addEventListener("progress", ({ loaded, total }) =>
      onSent(total > 0 ? loaded / total : 0),
    );
    request.addEventListener("load", () => resolve(answerIn(request.responseText)));
    request.addEventListener("error", () => resolve({ ok: false, value: "connection", more: {} }));
    request.addEventListener("abort", () => reject(signal.reason as Error));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.open("POST", address);
    for (const [header, value] of [...init.headers, ...Object.entries(headers)])
      request.setRequestHeader(header, value);
    request.send(ask.file);
  });
}

function answerIn(body: string): AnyAnswer {
  try {
    return answerOf(JSON.parse(body));
  } catch {
    // A proxy's answer is not JSON.
    return { ok: false, value: "server", more: {} };
  }
}

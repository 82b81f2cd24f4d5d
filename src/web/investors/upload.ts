import { calls } from "../../client/calls.ts";
import { type AnyAnswer, answerOf, requestOf } from "../../client/request.ts";

export interface Sending {
  token: string;
  /** Domains as they are read, in any script. */
  services: readonly string[];
  /** The same for each try of one file: a repeat after a lost answer makes no second batch. */
  key: string;
  signal: AbortSignal;
  /** Is told how much has gone out, from 0 to 1. */
  onSent: (part: number) => void;
}

/**
 * Sends a file as it lies on the disk. Only XMLHttpRequest tells every browser how much of it has gone out. An answer that
 * never came is the refusal `connection`; that `signal` was aborted is thrown.
 */
export function sendBatch(file: File, { token, services, key, signal, onSent }: Sending): Promise<AnyAnswer> {
  const text = new Blob([file], { type: "text/plain" });
  const ask = { file: text, sites: services.join(","), client_order_id: key };
  const [address, { headers }] = requestOf(calls.uploadBatch, ask, {});
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
    request.setRequestHeader("Token", token);
    for (const [name, value] of headers) request.setRequestHeader(name, value);
    request.send(text);
  });
}

function answerIn(body: string): AnyAnswer {
  try {
    return answerOf(JSON.parse(body));
  } catch {
    // What stands between speaks no JSON.
    return { ok: false, value: "server", more: {} };
  }
}

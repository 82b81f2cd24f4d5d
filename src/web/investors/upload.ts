import { type AnyAnswer, answerOf } from "../../client/request.ts";

/** The one call whose body is a file: it is in no table of calls with parameters. */
const path = "/investor/upload";

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

/** Headers carry no other script: names go as they stand in the DNS. */
const ascii = (service: string): string => new URL(`http://${service}`).hostname;

/**
 * Sends a file as it lies on the disk. Only XMLHttpRequest tells every browser how much of it has gone out. An answer that
 * never came is the refusal `connection`; that `signal` was aborted is thrown.
 */
export function sendBatch(file: File, { token, services, key, signal, onSent }: Sending): Promise<AnyAnswer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.upload.addEventListener("progress", ({ loaded, total }) =>
      onSent(total > 0 ? loaded / total : 0),
    );
    request.addEventListener("load", () => resolve(answerIn(request.responseText)));
    request.addEventListener("error", () => resolve({ ok: false, value: "connection", more: {} }));
    request.addEventListener("abort", () => reject(signal.reason as Error));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.open("POST", path);
    request.setRequestHeader("Content-Type", "text/plain");
    request.setRequestHeader("Token", token);
    request.setRequestHeader("Idempotency-Key", key);
    if (services.length > 0) request.setRequestHeader("Sites", services.map(ascii).join(","));
    request.send(file);
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

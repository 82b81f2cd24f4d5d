import type { ShopEvent } from "./wire.ts";

/** A message of a webhook: `type` is the event's name. */
export type WebhookMessage = ShopEvent extends infer Each
  ? Each extends { name: infer Type; data: infer Data }
    ? { type: Type; timestamp: string; data: Data }
    : never
  : never;

/** The message is not from the shop, or too old. Answer it 401. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
}

type HeaderList = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookAsk {
  /** `whsec_…`, shown when the webhook was made. */
  secret: string;
  /** The headers of the request: those of fetch, or of Node.js with lower-case names. */
  headers: HeaderList;
  /** The body as it came, not parsed: the signature is over its bytes. */
  body: string;
  /** For tests: the current time. */
  now?: Date;
}

/** Limits the replay of a captured message. */
const toleranceSeconds = 300;

/** Verifies the signature of a message (Standard Webhooks) and answers its content. Throws a WebhookError. */
export async function verifyWebhook({
  secret,
  headers,
  body,
  now = new Date(),
}: WebhookAsk): Promise<WebhookMessage> {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    header(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures) throw new WebhookError("A header of the webhook is missing.");
  const ageSeconds = now.getTime() / 1000 - Number(timestamp);
  if (!(Math.abs(ageSeconds) <= toleranceSeconds))
    throw new WebhookError("The message is too old, or a clock is wrong.");
  const key = await keyOf(secret);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  // For a day after the secret was replaced there are two signatures.
  for (const signature of signatures.split(" ")) {
    const bytes = signature.startsWith("v1,") ? fromBase64(signature.slice(3)) : undefined;
    if (bytes && (await crypto.subtle.verify("HMAC", key, bytes, signed)))
      return JSON.parse(body) as WebhookMessage;
  }
  throw new WebhookError("The signature is not the shop's.");
}

function header(headers: HeaderList, name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === "string" ? value : undefined;
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ""));
  if (!bytes) throw new TypeError("The secret of a webhook is whsec_ and base64.");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

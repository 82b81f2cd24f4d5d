import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { Webhook } from "standardwebhooks";
import { sayFailure, type WebhookFailure } from "../../contract/webhook-failures.ts";
import { now, secondsAfter, unixSeconds } from "../platform/clock.ts";
import { type Guard, NotPublic } from "./webhooks.guard.ts";

export interface Message {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  /** Each signs; there are two after a replacement. */
  readonly secrets: readonly string[];
}

/** What was sent beside the body, and what came back; for the owner of the webhook. */
export interface Exchange {
  readonly headers: Readonly<Record<string, string>>;
  /** Missing when nothing answered. */
  readonly answer?: { readonly type: string; readonly text: string };
}

/** Accepted, or the reason of the failure as a sentence for the owner. */
export interface Outcome {
  readonly httpStatus?: number;
  readonly failure?: string;
  readonly notBefore?: Date;
  /** Missing when nothing was sent. */
  readonly exchange?: Exchange;
}

export interface Sender {
  /** Sends a message once. Never throws: a failure is an outcome. */
  send(message: Message): Promise<Outcome>;
  close(): void;
}

interface Parts {
  readonly guard: Guard;
  readonly userAgent: string;
  /** For tests: an additional certificate authority. */
  readonly ca?: string;
  readonly timeoutSeconds?: number;
}

/** For name, connection, TLS and answer together. */
const usualTimeoutSeconds = 10;
/** The rest of an answer is not read. */
const answerBytesMax = 16 * 1024;
/** So much of an answer is shown to the owner. */
const shownBytesMax = 1024;
const idleMilliseconds = 15_000;

/** Sends messages signed by Standard Webhooks to allowed addresses; follows no redirects. */
export function openSender({ guard, userAgent, ca, timeoutSeconds = usualTimeoutSeconds }: Parts): Sender {
  const kept = { keepAlive: true, timeout: idleMilliseconds, lookup: guard.lookup };
  const http = new HttpAgent(kept);
  const https = new HttpsAgent(ca === undefined ? kept : { ...kept, ca });
  const open: Open = (url, options) =>
    url.protocol === "https:"
      ? httpsRequest(url, { ...options, agent: https })
      : httpRequest(url, { ...options, agent: http });
  return {
    async send(message) {
      // Checked at each try: the operator may have changed the settings.
      const url = guard.accepts(message.url);
      if (!url) return { failure: sayFailure("notPublic") };
      const headers = headersOf(message, userAgent);
      try {
        const signal = AbortSignal.timeout(timeoutSeconds * 1_000);
        const { response, text } = await post(open, url, { headers, signal }, message.body);
        const type = response.headers["content-type"] ?? "";
        return { ...outcomeOf(response), exchange: { headers, answer: { type, text } } };
      } catch (fault) {
        return { failure: sentenceOf(fault, timeoutSeconds), exchange: { headers } };
      }
    },
    close: () => {
      http.destroy();
      https.destroy();
    },
  };
}

function headersOf({ id, body, secrets }: Message, userAgent: string): Record<string, string> {
  const at = now();
  return {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "user-agent": userAgent,
    "webhook-id": id,
    "webhook-timestamp": String(unixSeconds(at)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
  };
}

type Options = { headers: Record<string, string>; signal: AbortSignal };
type Open = (url: URL, options: Options & { method: "POST" }) => ClientRequest;

interface Answered {
  readonly response: IncomingMessage;
  /** Its beginning. */
  readonly text: string;
}

async function post(open: Open, url: URL, options: Options, body: string): Promise<Answered> {
  const request = open(url, { ...options, method: "POST" });
  try {
    return await answerTo(request, body);
  } catch (fault) {
    // The receiver closed a kept connection as we used it: no failure of the message.
    if (!request.reusedSocket || codeOf(fault) !== "ECONNRESET") throw fault;
    return answerTo(open(url, { ...options, method: "POST" }), body);
  }
}

function answerTo(request: ClientRequest, body: string): Promise<Answered> {
  return new Promise((resolve, reject) => {
    let hasAnswered = false;
    // The status is enough: what breaks after it changes nothing.
    request.on("error", (fault) => {
      if (!hasAnswered) reject(fault);
    });
    request.once("response", (response) => {
      hasAnswered = true;
      void beginningOf(response).then((text) => resolve({ response, text }));
    });
    request.end(body);
  });
}

/** Reads on for a while after it has told the beginning, so that the connection can be used again. */
function beginningOf(response: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let [shown, left] = [Buffer.alloc(0), answerBytesMax];
    const tell = () => resolve(shown.toString("utf8"));
    response.on("error", tell);
    response.on("close", tell);
    response.on("data", (chunk: Buffer) => {
      left -= chunk.length;
      shown = Buffer.concat([shown, chunk.subarray(0, shownBytesMax - shown.length)]);
      if (shown.length === shownBytesMax) tell();
      if (left < 0) response.destroy();
    });
  });
}

function outcomeOf({ statusCode: httpStatus = 0, headers }: IncomingMessage): Outcome {
  if (httpStatus >= 200 && httpStatus < 300) return { httpStatus };
  if (httpStatus >= 300 && httpStatus < 400) return { httpStatus, failure: sayFailure("redirect") };
  const failure = sayFailure("status", { status: String(httpStatus) });
  const notBefore = asksToWait.has(httpStatus) ? timeOf(headers["retry-after"], now()) : undefined;
  return { httpStatus, failure, ...(notBefore && { notBefore }) };
}

/** Statuses with a Retry-After (RFC 9110 §10.2.3, RFC 6585 §4). */
const asksToWait = new Set([429, 503]);

function timeOf(retryAfter: string | undefined, at: Date): Date | undefined {
  const text = retryAfter?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return secondsAfter(at, Number(text));
  // Date.parse accepts more than dates of HTTP.
  const time = /^[A-Z][a-z]{2,8},? .+ GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time);
}

const connecting: Record<string, WebhookFailure> = {
  ECONNREFUSED: "refused",
  ECONNRESET: "cut",
  EPIPE: "cut",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  ETIMEDOUT: "unreachable",
};

/** Never quotes the fault, which may contain a URL with a secret. */
function sentenceOf(fault: unknown, timeoutSeconds: number): string {
  if (fault instanceof NotPublic) return sayFailure("notPublic");
  const code = codeOf(fault);
  if (code === "ABORT_ERR") return sayFailure("late", { seconds: String(timeoutSeconds) });
  if (/CERT|SIGNATURE|ISSUER|^ERR_(TLS|SSL)|^EPROTO/.test(code)) return sayFailure(tlsFailureOf(code));
  if (code.startsWith("HPE_")) return sayFailure("notHttp");
  return sayFailure(connecting[code] ?? "unsent");
}

/** Causes that the owner can fix; codes of the TLS library stay internal. */
function tlsFailureOf(code: string): WebhookFailure {
  if (/CERT_(?:HAS_EXPIRED|NOT_YET_VALID)/.test(code)) return "tlsExpired";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return "tlsName";
  return /SELF_SIGNED|ISSUER|UNABLE_TO_VERIFY|UNTRUSTED/.test(code) ? "tlsUntrusted" : "tls";
}

function codeOf(fault: unknown): string {
  const { code, errors } = fault as { code?: unknown; errors?: unknown[] };
  if (typeof code === "string") return code;
  return errors?.[0] === undefined ? "" : codeOf(errors[0]);
}

import type { OutgoingHttpHeaders } from "node:http";
import type { FastifyReply } from "fastify";
import type { Endpoint } from "../../../contract/endpoint.ts";
import { errorBody, Html, Limited, Refused, Streamed } from "./answer.ts";

/** Any page may call us: who calls is known by his token alone. */
export const corsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "etag, retry-after",
};

/** What the caller has already. */
export class Unchanged {
  readonly version: string;
  constructor(version: string) {
    this.version = version;
  }
}

/** An answer with the name of its state. */
export class Versioned {
  readonly version: string;
  readonly outcome: unknown;
  constructor(version: string, outcome: unknown) {
    this.version = version;
    this.outcome = outcome;
  }
}

/** Writes the outcome of a call as clients of such shops expect it: 200 for every business error. */
export function send(reply: FastifyReply, endpoint: Endpoint, outcome: unknown): FastifyReply {
  reply.headers(corsHeaders);
  if (outcome instanceof Unchanged)
    return reply.code(304).header("etag", outcome.version).header("cache-control", "no-store").send();
  if (outcome instanceof Versioned)
    return send(reply.header("etag", outcome.version), endpoint, outcome.outcome);
  if (outcome instanceof Limited) return sendLimited(reply, outcome);
  if (outcome instanceof Refused) return json(reply, errorBody(outcome, endpoint.path));
  if (outcome instanceof Html) return html(reply, outcome);
  if (outcome instanceof Streamed) return stream(reply, outcome);
  // Parsed on the way out as well: what the contract does not declare never leaves.
  const told = endpoint.reply.parse(outcome) as Record<string, unknown>;
  return json(reply, endpoint.carried === "bare" ? told : { status: "success", ...told });
}

/** Writes an envelope with a status other than a handler's own: limits, faults, unknown calls. */
export function sendError(reply: FastifyReply, httpStatus: number, refused: Refused): FastifyReply {
  return json(reply.code(httpStatus).headers(corsHeaders), errorBody(refused, reply.request.url));
}

/** Tells somebody who asks too often when to come again. */
export function sendLimited(reply: FastifyReply, { retryAfterSeconds: seconds }: Limited): FastifyReply {
  reply.header("retry-after", String(seconds));
  return sendError(reply, 429, new Refused("limit", { retry_after: seconds }));
}

/** Sent as bytes, because the framework would add a charset that some clients do not expect behind application/json. */
function json(reply: FastifyReply, body: Record<string, unknown>): FastifyReply {
  return reply
    .header("content-type", "application/json")
    .header("cache-control", "no-store")
    .send(Buffer.from(JSON.stringify(body)));
}

/** The framework steps aside: what is written goes straight to the socket, at the pace of the client. */
function stream(reply: FastifyReply, { headers, write }: Streamed): FastifyReply {
  const { raw, log } = reply;
  const said = reply.getHeaders() as OutgoingHttpHeaders;
  const all = { ...said, ...corsHeaders, "cache-control": "no-store", ...headers };
  reply.hijack();
  raw.writeHead(200, all);
  write(raw).catch((fault: unknown) => {
    // A client that went away is no fault of ours.
    if (!raw.closed) log.error({ err: fault }, "a streamed answer broke off");
    raw.destroy();
  });
  return reply;
}

/**
 * A document of somebody else, a letter, is hostile: the sandbox gives it an origin of its own, where no script runs and no form
 * is sent, wherever it is opened. Only its links lead out, each to a tab that is free of the sandbox and knows nothing
 * of where it was opened. Only our own pages may frame it.
 */
const documentHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "x-dns-prefetch-control": "off",
  "x-frame-options": "SAMEORIGIN",
};
const sandbox = "sandbox allow-popups allow-popups-to-escape-sandbox; frame-ancestors 'self'";

function html(reply: FastifyReply, { document, policy }: Html): FastifyReply {
  return reply
    .headers(documentHeaders)
    .header("content-security-policy", `${sandbox}; ${policy}`)
    .send(document);
}

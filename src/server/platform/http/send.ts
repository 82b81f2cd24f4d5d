import type { OutgoingHttpHeaders } from "node:http";
import type { FastifyReply } from "fastify";
import type { Endpoint } from "../../../contract/endpoint.ts";
import { plainIds } from "../ids.ts";
import { errorBody, Html, Limited, Refused, Streamed } from "./answer.ts";
import { showIds } from "./shown-ids.ts";

/** Any origin may call: only the token identifies the caller. An answer is no page: it loads nothing, and nobody frames it. */
export const corsHeaders = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "etag, retry-after, x-request-id",
};

/** The caller's If-None-Match is current. */
export class Unchanged {
  readonly version: string;
  constructor(version: string) {
    this.version = version;
  }
}

export class Versioned {
  readonly version: string;
  readonly outcome: unknown;
  constructor(version: string, outcome: unknown) {
    this.version = version;
    this.outcome = outcome;
  }
}

/** Business errors are HTTP 200, as clients expect. */
export function send(
  reply: FastifyReply,
  endpoint: Endpoint,
  outcome: unknown,
  ids = plainIds,
): FastifyReply {
  reply.headers(corsHeaders);
  if (outcome instanceof Unchanged)
    return reply.code(304).header("etag", outcome.version).header("cache-control", "no-store").send();
  if (outcome instanceof Versioned)
    return send(reply.header("etag", outcome.version), endpoint, outcome.outcome, ids);
  if (outcome instanceof Limited) return sendLimited(reply, outcome);
  if (outcome instanceof Refused) return refuse(reply, outcome, endpoint.path);
  if (outcome instanceof Html) return html(reply, outcome);
  if (outcome instanceof Streamed) return stream(reply, outcome);
  if (endpoint.clears) reply.header("clear-site-data", '"storage"');
  // Parsed again, so that undeclared fields never leave.
  const shown = showIds(endpoint.reply, endpoint.reply.parse(outcome) as Record<string, unknown>, ids);
  return json(reply, endpoint.carried === "bare" ? shown : { status: "success", ...shown });
}

export function sendError(reply: FastifyReply, httpStatus: number, refused: Refused): FastifyReply {
  return refuse(reply.code(httpStatus).headers(corsHeaders), refused, reply.request.url);
}

export function sendLimited(reply: FastifyReply, { retryAfterSeconds: seconds }: Limited): FastifyReply {
  reply.header("retry-after", String(seconds));
  return sendError(reply, 429, new Refused("limit", { retry_after: seconds }));
}

function refuse(reply: FastifyReply, refused: Refused, path: string): FastifyReply {
  reply.refusal = refused.value;
  return json(reply, errorBody(refused, path));
}

/** As bytes: the framework would add a charset that some clients reject. */
function json(reply: FastifyReply, body: Record<string, unknown>): FastifyReply {
  return reply
    .header("content-type", "application/json")
    .header("cache-control", "no-store")
    .send(Buffer.from(JSON.stringify(body)));
}

/** Writes straight to the socket, at the client's pace. */
function stream(reply: FastifyReply, { headers, write }: Streamed): FastifyReply {
  const { raw, log } = reply;
  const headersSoFar = reply.getHeaders() as OutgoingHttpHeaders;
  const all = { ...headersSoFar, ...corsHeaders, "cache-control": "no-store", ...headers };
  reply.hijack();
  raw.writeHead(200, all);
  write(raw).catch((fault: unknown) => {
    if (!raw.closed) log.error({ err: fault }, "a streamed answer broke off");
    raw.destroy();
  });
  return reply;
}

/** A letter is hostile: it gets an opaque origin without scripts or forms, and its links send no referrer. */
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

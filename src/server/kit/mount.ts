import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Endpoint } from "../../contract/endpoint.ts";
import { LaneFull } from "./lane.ts";
import { type Caller, errorBody, Html, Limited, Refused, type RequestFacts, type Route } from "./answer.ts";

/** What the mount needs from the rooms: who calls, and whether he calls too often. */
export interface Edge {
  /** Finds the caller of a token; undefined when it opens nothing. */
  readonly callerOf: (token: string) => Promise<Caller | undefined>;
  /** Counts a call of a token or address; answers the seconds to wait when it is one too many. */
  readonly admit: (key: string) => Promise<number | undefined>;
}

type Parameters = Readonly<Record<string, unknown>>;

const corsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "authorization, content-type, idempotency-key",
  "access-control-expose-headers": "retry-after",
  "access-control-max-age": "86400",
};

/**
 * Turns the calls of the contract into HTTP routes: reads and checks the parameters, finds the caller, runs the
 * handler and writes the answer as clients of such shops expect it (api.md): 200 for every business error.
 */
export function mount(app: FastifyInstance, routes: readonly Route[], edge: Edge): void {
  for (const route of routes) {
    const { endpoint } = route;
    const url = endpoint.path.replace(/\{(\w+)\}/g, ":$1");
    app.route({
      method: endpoint.alsoPost ? ["GET", "POST"] : endpoint.method,
      url,
      handler: async (request, reply) => send(reply, endpoint, await run(route, request, edge)),
    });
    app.options(url, (_request, reply) => reply.headers(corsHeaders).code(204).send());
  }
}

/** Writes an envelope with a status other than a handler's own: limits, faults, unknown calls. */
export function sendError(reply: FastifyReply, httpStatus: number, refused: Refused): FastifyReply {
  return json(reply.code(httpStatus), errorBody(refused, reply.request.url));
}

async function run(route: Route, request: FastifyRequest, edge: Edge): Promise<unknown> {
  const { endpoint } = route;
  const parameters = parametersOf(request);
  const token = tokenOf(request, parameters);
  const caller = typeof token === "string" ? await edge.callerOf(token) : undefined;
  const wait = await edge.admit(caller ? `user ${caller.userId}` : `address ${request.ip}`);
  if (wait !== undefined) return new Limited(wait);
  if (endpoint.access !== "anyone") {
    if (!caller || (endpoint.access === "active" && !caller.active)) return new Refused("token");
    if (endpoint.access === "admin" && !caller.admin) return new Refused("no access");
  }
  const asked = read(endpoint, parameters);
  if (asked instanceof Refused) return asked;
  try {
    return await route.handle(asked, endpoint.access === "anyone" ? undefined : caller, factsOf(request));
  } catch (fault) {
    // More is asked than the database takes: nothing was done, and a moment later there is room.
    if (fault instanceof LaneFull) return new Limited(1);
    throw fault;
  }
}

function parametersOf(request: FastifyRequest): Parameters {
  const body = typeof request.body === "object" && request.body !== null ? request.body : {};
  return { ...(request.query as Parameters), ...(body as Parameters), ...(request.params as Parameters) };
}

function tokenOf(request: FastifyRequest, parameters: Parameters): unknown {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "");
  return bearer?.[1] ?? parameters["token"];
}

function factsOf(request: FastifyRequest): RequestFacts {
  const key = request.headers["idempotency-key"];
  return { address: request.ip, idempotencyKey: typeof key === "string" ? key : undefined };
}

/** Reads every parameter by its schema, in the declared order; the first wrong one is the answer. */
function read(endpoint: Endpoint, parameters: Parameters): Record<string, unknown> | Refused {
  const asked: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(endpoint.ask)) {
    const given = parameters[name];
    const parsed = field.schema.safeParse(field.optional && given === "" ? undefined : given);
    if (!parsed.success) return new Refused(field.refusal);
    asked[name] = parsed.data;
  }
  return asked;
}

function send(reply: FastifyReply, endpoint: Endpoint, outcome: unknown): FastifyReply {
  reply.headers(corsHeaders);
  if (outcome instanceof Limited) {
    const seconds = outcome.retryAfterSeconds;
    reply.header("retry-after", String(seconds));
    return sendError(reply, 429, new Refused("limit", { retry_after: seconds }));
  }
  if (outcome instanceof Refused) return json(reply, errorBody(outcome, endpoint.path));
  if (outcome instanceof Html) return html(reply, outcome);
  // Parsed on the way out as well: what the contract does not declare never leaves.
  const told = endpoint.reply.parse(outcome) as Record<string, unknown>;
  return json(reply, endpoint.carried === "bare" ? told : { status: "success", ...told });
}

/** Sent as bytes, because the framework would add a charset that some clients do not expect behind application/json. */
function json(reply: FastifyReply, body: Record<string, unknown>): FastifyReply {
  return reply
    .header("content-type", "application/json")
    .header("cache-control", "no-store")
    .send(Buffer.from(JSON.stringify(body)));
}

/** A letter is hostile: the sandbox gives it an origin of its own, and nothing in it runs or loads (mail.md). */
function html(reply: FastifyReply, page: Html): FastifyReply {
  return reply
    .header("content-type", "text/html; charset=utf-8")
    .header("cache-control", "no-store")
    .header(
      "content-security-policy",
      "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    )
    .header("referrer-policy", "no-referrer")
    .header("x-content-type-options", "nosniff")
    .send(page.document);
}

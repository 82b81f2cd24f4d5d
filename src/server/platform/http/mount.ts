import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Endpoint, headerOf, methodsOf } from "../../../contract/endpoint.ts";
import type { TokenLimit } from "../../../contract/refusals.ts";
import { type Caller, Limited, Refused, type Route } from "./answer.ts";
import { BatcherFull } from "../db/batcher.ts";
import { type Call, Facts, OpenRequests } from "./mount.facts.ts";
import { release } from "./release.ts";
import { corsHeaders, send, sendError, Unchanged, Versioned } from "./send.ts";

/** What the mount needs from the services: who calls, and whether he calls too often. */
export interface Edge {
  /** Finds the caller of a token; undefined when it opens nothing. */
  readonly callerOf: (token: string, address: string) => Promise<Caller | undefined>;
  /** Counts a call of a token or address; answers the seconds to wait when it is one too many. */
  readonly admit: (key: string) => Promise<number | undefined>;
  /** Told of a caller whose call may have changed something, before it is answered: what he reads next is read anew. */
  readonly changed?: (userId: bigint) => void;
  /** Told of each call that is refused. */
  readonly refused?: (call: RefusedCall) => void;
}

/** A call that is refused, and to whom. */
export interface RefusedCall {
  readonly endpoint: Endpoint;
  readonly value: string;
  readonly caller: Caller | undefined;
  readonly address: string;
  /** Undefined where it was refused before it was read. */
  readonly asked?: Readonly<Record<string, unknown>> | undefined;
}

type Parameters = Readonly<Record<string, unknown>>;

/** What a browser asks before a call that is not a plain one; on the answer itself it would say nothing. */
const preflightHeaders = {
  ...corsHeaders,
  "access-control-allow-methods": "GET, POST, PUT",
  "access-control-allow-headers":
    "authorization, content-type, idempotency-key, if-none-match, last-event-id, sites, token",
  "access-control-max-age": "86400",
};

/**
 * Turns the calls of the contract into HTTP routes: reads and checks the parameters, finds the caller, runs the
 * handler and sends what comes of it.
 */
export function mount(
  app: FastifyInstance,
  routes: readonly Route[],
  edge: Edge,
  silenceSeconds = fileSilenceSeconds,
): void {
  const open = new OpenRequests();
  // Before the server closes its doors, which would wait for those who wait.
  app.addHook("preClose", async () => open.end());
  const taking = routes.filter(({ endpoint }) => endpoint.file !== undefined);
  mountAll(
    app,
    routes.filter((route) => !taking.includes(route)),
    edge,
    { open, silenceSeconds },
  );
  // A place of their own: elsewhere a body is read before it is known who sends it.
  void app.register(async (own) => {
    own.removeAllContentTypeParsers();
    own.addContentTypeParser("*", (_request, body, done) => done(null, body));
    mountAll(own, taking, edge, { open, silenceSeconds });
  });
  nameMethods(app, routes);
}

const urlOf = ({ path }: Endpoint) => path.replace(/\{(\w+)\}/g, ":$1");

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** Who makes a call by a method that it does not take is told those that it does (RFC 9110 §15.5.6). */
function nameMethods(app: FastifyInstance, routes: readonly Route[]): void {
  for (const [url, same] of Map.groupBy(routes, ({ endpoint }) => urlOf(endpoint))) {
    const taken = new Set<string>(same.flatMap(({ endpoint }) => methodsOf(endpoint)));
    const allow = [...taken, "OPTIONS"].join(", ");
    app.route({
      method: methods.filter((method) => !taken.has(method)),
      url,
      handler: (_request, reply) =>
        sendError(reply.header("allow", allow), 405, new Refused("method", { allow })),
    });
  }
}

function mountAll(
  app: FastifyInstance,
  routes: readonly Route[],
  edge: Edge,
  { open, silenceSeconds }: { open: OpenRequests; silenceSeconds: number },
): void {
  for (const route of routes) {
    const { endpoint } = route;
    const url = urlOf(endpoint);
    app.route({
      method: [...methodsOf(endpoint)],
      url,
      // It would call the handler, and a HEAD of a GET that orders would order.
      exposeHeadRoute: false,
      ...(endpoint.bodyBytesMax !== undefined && { bodyLimit: endpoint.bodyBytesMax }),
      handler: async (request, reply) => {
        if (endpoint.file && !takeFile(request, reply, { bytesMax: endpoint.file.bytesMax, silenceSeconds }))
          return reply;
        const outcome = await run(route, { request, reply, open, types: endpoint.file?.types ?? [] }, edge);
        // Otherwise the client keeps its connection, and the server waits for it to be let go.
        if (open.isEnding) reply.header("connection", "close");
        return send(reply, endpoint, outcome);
      },
    });
    // Two calls may share a path, each with a method of its own.
    if (app.hasRoute({ method: "OPTIONS", url })) continue;
    app.options(url, (_request, reply) => reply.headers(preflightHeaders).code(204).send());
  }
}

const lingerMs = 5_000;
/** After so much silence a file is given up. */
const fileSilenceSeconds = 60;

/**
 * Whoever sends a file hears the answer when he has sent all: what nobody reads is passed by, once the answer is there. One
 * that says beforehand that it is too long is refused at once: false. Longer ones end their connection.
 */
function takeFile(
  { raw, headers }: FastifyRequest,
  reply: FastifyReply,
  { bytesMax, silenceSeconds }: { bytesMax: number; silenceSeconds: number },
): boolean {
  // From the beginning: also the rest of a refused one, which nobody reads, must come.
  raw.setTimeout(silenceSeconds * 1_000, () => raw.destroy());
  reply.raw.once("finish", () => {
    if (reply.statusCode === 413) setTimeout(() => raw.destroy(), lingerMs).unref();
    raw.resume();
  });
  if (!(Number(headers["content-length"]) > bytesMax)) return true;
  void sendError(reply, 413, new Refused("size"));
  return false;
}

async function run(route: Route, call: Call, edge: Edge): Promise<unknown> {
  const { endpoint } = route;
  const { request } = call;
  const parameters = endpoint.file !== undefined ? headersOf(endpoint, request) : parametersOf(request);
  const token = tokenOf(request, parameters);
  const find = async () => (typeof token === "string" ? edge.callerOf(token, request.ip) : undefined);
  const caller = await find();
  const wait = await edge.admit(caller ? `user ${caller.userId}` : `address ${request.ip}`);
  if (wait !== undefined) return new Limited(wait);
  const tell = (value: string, asked?: RefusedCall["asked"]) =>
    edge.refused?.({ endpoint, value, caller, address: request.ip, asked });
  const barred = barredFrom(endpoint, caller);
  if (barred) {
    tell(barred.value);
    return barred;
  }
  const asked = readAsked(endpoint, parameters);
  if (asked instanceof Refused) return asked;
  return handling(endpoint, { caller, changed: edge.changed }, async () => {
    const { version: naming } = route;
    const foretold = caller && typeof naming === "function" ? await naming(asked, caller) : undefined;
    if (foretold !== undefined && isKnown(request, tagOf(foretold))) return new Unchanged(tagOf(foretold));
    const outcome = await route.handle(
      asked,
      endpoint.access === "anyone" ? undefined : caller,
      new Facts(call, async () => (await find())?.userId === caller?.userId),
    );
    if (outcome instanceof Refused) {
      tell(outcome.value, asked);
      return named(endpoint, outcome);
    }
    const version = naming === "digest" ? hash("sha256", JSON.stringify(outcome), "base64url") : foretold;
    if (version === undefined || outcome instanceof Limited) return outcome;
    return isKnown(request, tagOf(version))
      ? new Unchanged(tagOf(version))
      : new Versioned(tagOf(version), outcome);
  });
}

/** Why somebody may not make a call; undefined when he may. */
export function barredFrom({ access, limited }: Endpoint, caller: Caller | undefined): Refused | undefined {
  if (access === "anyone") return undefined;
  if (!caller || (access === "active" && !caller.active)) return new Refused("token");
  if (caller.limits && !limited)
    return new Refused("token limit", { exceeded: "calls" satisfies TokenLimit });
  // Who has not shown that the address is his own administrates nothing, whatever flag the account has.
  if (access === "admin" && !(caller.admin && caller.active)) return new Refused("no access");
  return undefined;
}

/** Does the work of a call, and says afterwards whose something it may have changed. */
export async function handling<Outcome>(
  endpoint: Endpoint,
  { caller, changed }: { caller: Caller | undefined; changed: Edge["changed"] | undefined },
  work: () => Promise<Outcome>,
): Promise<Outcome | Limited> {
  try {
    return await work();
  } catch (fault) {
    // More is asked than the database takes: nothing was done, and a moment later there is room.
    if (fault instanceof BatcherFull) return new Limited(1);
    throw fault;
  } finally {
    if (caller && mayChange(endpoint)) changed?.(caller.userId);
  }
}

/** The contract takes every call that changes something as POST or PUT, if only beside GET. */
const mayChange = ({ method, alsoPost, reads }: Endpoint) =>
  reads !== true && (method !== "GET" || alsoPost === true);

function parametersOf(request: FastifyRequest): Parameters {
  const body = typeof request.body === "object" && request.body !== null ? request.body : {};
  return { ...(request.query as Parameters), ...(body as Parameters), ...(request.params as Parameters) };
}

/** Of a call whose body is a file: what is asked stands in headers (spec O §7). */
function headersOf(endpoint: Endpoint, { headers }: FastifyRequest): Parameters {
  const named = Object.keys(endpoint.ask).map((name) => [
    name,
    asWritten(headers[headerOf(endpoint, name)?.toLowerCase() ?? name]),
  ]);
  return { token: headers["token"], ...(Object.fromEntries(named) as Parameters) };
}

/** A header as its sender wrote it: Node.js reads bytes as Latin-1, and programs write names of other scripts in UTF-8. */
function asWritten(header: string | string[] | undefined): string | string[] | undefined {
  if (typeof header !== "string") return header;
  const bytes = Buffer.from(header, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : header;
}

function tokenOf(request: FastifyRequest, parameters: Parameters): unknown {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "");
  return bearer?.[1] ?? parameters["token"];
}

const tagOf = (version: string) => `W/"${release}.${version}"`;

/** RFC 9110 §13.1.2: any of the listed tags, compared weakly. */
function isKnown(request: FastifyRequest, version: string): boolean {
  const known = request.headers["if-none-match"];
  const bare = version.slice(2);
  return known !== undefined && known.split(",").some((tag) => tag.trim().replace(/^W\//, "") === bare);
}

/** Who is refused is told by which parameter, where one alone is refused so: a captcha is called otherwise here and there. */
function named({ ask }: Endpoint, { value, extras }: Refused): Refused {
  const [parameter, ...others] = Object.keys(ask).filter((name) => ask[name]?.refusal === value);
  return new Refused(value, parameter && others.length === 0 ? { parameter, ...extras } : extras);
}

/** Reads every parameter by its schema, in the declared order; the first wrong one is the answer, which names it. */
export function readAsked(
  endpoint: Endpoint,
  parameters: Readonly<Record<string, unknown>>,
): Record<string, unknown> | Refused {
  const asked: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(endpoint.ask)) {
    const given = parameters[name];
    const parsed = field.schema.safeParse(field.optional && given === "" ? undefined : given);
    if (!parsed.success) return new Refused(field.refusal, { parameter: name });
    asked[name] = parsed.data;
  }
  return asked;
}

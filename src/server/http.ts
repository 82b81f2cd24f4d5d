import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import multipart from "@fastify/multipart";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { endpoints } from "../contract/api.ts";
import type { Refusal } from "../contract/refusals.ts";
import { errorBody, Refused, type Route } from "./platform/http/answer.ts";
import { type Config, lacksProxy } from "./platform/config/config.ts";
import { commonHeaders } from "./platform/http/headers.ts";
import type { Log } from "./platform/log.ts";
import { isKnown, tagOf } from "./platform/http/etag.ts";
import {
  type ConnectionLimits,
  countedWith,
  httpConnectionsMax,
  limitConnections,
} from "./platform/http/connections.ts";
import { isByUntrustedProxy } from "./platform/http/client-address.ts";
import type { CallHooks } from "./platform/http/call.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { registerRoutes } from "./platform/http/register.ts";
import { corsHeaders, sendError } from "./platform/http/send.ts";
import { openapi } from "./platform/http/openapi.ts";
import {
  apiPath,
  type CallMeters,
  callMeters,
  idHeader,
  logCalls,
  maskedUrl,
  namesOfCalls,
  tellCalls,
} from "./platform/http/told.ts";

/** Of an ordinary call; the batch upload streams and has its own limit. */
const bodyBytesMax = 64 * 1024;

/** For the first byte and the head of a request. */
const headSeconds = 15;
/** For the body of an ordinary call of 64 KB. */
const bodySeconds = 30;
/** For a file, whose silence is bounded besides (platform/http/register.ts): 150 MB over a slow line. */
const fileSeconds = 60 * 60;

/** From the begin of a stop, for the call of a connection that was made before. */
const lateSeconds = 1;

/** A network may have a thousand event streams open, and beside them what asks. */
const connectionLimits = { perProcess: httpConnectionsMax, perNetwork: 1_500, silentPerNetwork: 100 };

interface HttpParts {
  readonly config: Config;
  readonly log: Log;
  readonly routes: readonly Route[];
  readonly hooks: CallHooks;
  readonly meters?: CallMeters;
  /** For tests. */
  readonly patienceSeconds?: number;
  readonly connections?: Partial<ConnectionLimits>;
  readonly files?: { readonly silenceSeconds: number; readonly fileSeconds: number };
}

export async function createHttp(parts: HttpParts): Promise<FastifyInstance> {
  const { config, log, routes, hooks, files, patienceSeconds = bodySeconds, connections } = parts;
  const headers = commonHeaders(config);
  const underWay: UnderWay = new WeakMap();
  const app = Fastify({
    // Only the framework's warnings: requests are logged below, the ready line by main.ts.
    loggerInstance: log.child({}, { level: "warn" }) as FastifyBaseLogger,
    // A logger for each request would cost more than the few lines that need it.
    childLoggerFactory: (logger) => logger,
    trustProxy: config.trustProxy === true ? isConnected : config.trustProxy,
    genReqId: namesOfCalls(config.trustProxy),
    bodyLimit: bodyBytesMax,
    // The framework's default is no limit.
    requestTimeout: fileSeconds * 1_000,
    exposeHeadRoutes: false,
    // An invalid or too long address: the framework's own answer has no envelope.
    frameworkErrors: (_fault, { id }, reply) => {
      sendError(reply.headers({ ...headers, [idHeader]: id }), 404, new Refused("not found"));
    },
    clientErrorHandler: (fault, socket) => refuseBytes(fault, socket, { underWay, headers }),
    // Node.js would answer without an envelope: see sayAlways.
    http: { requireHostHeader: false, ...headTimes(patienceSeconds) },
    forceCloseConnections: "idle",
    // What was on its way when a stop began is answered like any other call.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true },
  });
  noteUnderWay(app, underWay);
  tellCalls(app, parts.meters ?? callMeters());
  logCalls(app, log, config.accessLog === "on");
  warnOfProxy(app, config, log);
  sayAlways(app, headers);
  await app.register(cookie);
  await app.register(formbody);
  await app.register(multipart, {
    attachFieldsToBody: "keyValues",
    limits: { fields: 20, parts: 20, files: 0, fieldSize: bodyBytesMax },
  });
  limitOpen(app, config, connections, Math.min(lateSeconds, patienceSeconds));
  hangUpOnSlowness(app, routes, { patienceSeconds, fileSeconds, ...files });
  const read = new WeakSet<FastifyRequest>();
  app.addHook("preHandler", async (request) => void (request.isMultipart() && read.add(request)));
  app.setErrorHandler((fault: FastifyError, request, reply) =>
    // The parser does not mark a broken form as the client's fault.
    fault.statusCode === undefined && request.isMultipart() && !read.has(request)
      ? sendError(reply, 200, new Refused("request"))
      : answerFault(fault, request, reply),
  );
  registerRoutes(app, routes, hooks, files?.silenceSeconds);
  describeCalls(app, routes, config.publicUrl);
  return app;
}

/** Documents the calls of `routes` (OpenAPI): those of programs, and those of the back office apart. */
function describeCalls(app: FastifyInstance, routes: readonly Route[], publicUrl: string): void {
  const versioned = new Set(routes.flatMap(({ endpoint, version }) => (version ? [endpoint] : [])));
  // What the back office calls is of no use to programs, and as large as the rest.
  const described = Object.values<Endpoint>(endpoints);
  const documents = {
    "/openapi.json": described.filter(({ access }) => access !== "admin"),
    "/openapi.operator.json": described.filter(({ access }) => access === "admin"),
  };
  for (const [path, calls] of Object.entries(documents)) {
    let document: Document | undefined;
    app.get(path, { exposeHeadRoute: true }, (request, reply) => {
      // Made when it is first asked for: a start need not wait for it.
      document ??= documentOf(openapi(calls, { publicUrl, versioned }));
      reply
        .headers(corsHeaders)
        .header("cache-control", "no-cache")
        .header("vary", "accept-encoding")
        .header("etag", document.etag);
      if (isKnown(request, document.etag)) return reply.code(304).send();
      reply.type("application/json; charset=utf-8");
      if (!/\bgzip\b/.test(String(request.headers["accept-encoding"] ?? "")))
        return reply.send(document.plain);
      return reply.header("content-encoding", "gzip").send(document.packed);
    });
  }
}

type Document = { readonly etag: string; readonly plain: Buffer; readonly packed: Buffer };

function documentOf(described: object): Document {
  const plain = Buffer.from(JSON.stringify(described));
  const hash = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
  return { etag: tagOf(hash), plain, packed: gzipSync(plain) };
}

function headTimes(patienceSeconds: number) {
  const headersTimeout = Math.min(headSeconds, patienceSeconds) * 1_000;
  return { headersTimeout, connectionsCheckingInterval: headersTimeout / 3 };
}

/** Trusts one proxy: its entry is the last in X-Forwarded-For. Clients can forge those before it, even the unlimited address of this machine. */
const isConnected = (_address: string, hop: number) => hop === 0;

/** Answers unknown paths: the envelope for programs, `page` for people. */
export function answerUnknown(
  app: FastifyInstance,
  page: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>,
): void {
  app.setNotFoundHandler((request, reply) =>
    apiPath.test(request.url) ? sendError(reply, 404, new Refused("not found")) : page(request, reply),
  );
}

/** Warns once of a proxy that TRUST_PROXY does not name: all its visitors are counted as one. */
function warnOfProxy(app: FastifyInstance, config: Pick<Config, "publicUrl" | "trustProxy">, log: Log): void {
  let isWarned = false;
  const say = (details: object, why: string) => {
    log.warn(
      { setting: "TRUST_PROXY", ...details },
      `${why}: set TRUST_PROXY, or all visitors are counted as one`,
    );
    isWarned = true;
  };
  if (lacksProxy(config)) say({}, "PUBLIC_URL is https, so a proxy is in front");
  app.addHook("onRequest", (request, _reply, next) => {
    if (!isWarned && isByUntrustedProxy(request))
      say({ proxy: request.ip }, "a proxy that is not trusted passes calls on");
    next();
  });
}

/** Sets these headers on every answer, and answers in the envelope what Node.js would answer itself. */
function sayAlways(app: FastifyInstance, headers: Record<string, string>): void {
  const refused = new WeakSet<Socket>();
  app.addHook("onRequest", async ({ raw, id }, reply) => {
    // RFC 9112 §9.6: what comes behind a request whose answer closes the connection is not heard.
    if (refused.has(raw.socket)) return reply.hijack();
    reply.headers(headers).header(idHeader, id);
    if (!isAmbiguous(raw)) return undefined;
    refused.add(raw.socket);
    return sendError(reply.header("connection", "close"), 400, new Refused("request"));
  });
  app.server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.stringify(errorBody(new Refused("request"), "/"));
    const length = Buffer.byteLength(body);
    response.writeHead(417, {
      ...headers,
      ...envelopeHeaders,
      "content-length": length,
      connection: "close",
    });
    response.end(body);
  });
}

/** A proxy may read it as another request: without a host or with two (RFC 9112 §3.2), or in chunks before HTTP/1.1 (§6.1). */
function isAmbiguous({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  if (httpVersion === "1.0" && headers["transfer-encoding"] !== undefined) return true;
  if (headers.host === undefined) return httpVersion === "1.1";
  return rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === "host").length > 1;
}

const envelopeHeaders = { ...corsHeaders, "content-type": "application/json", "cache-control": "no-store" };

type UnderWay = WeakMap<Socket, Set<ServerResponse>>;

function noteUnderWay(app: FastifyInstance, underWay: UnderWay): void {
  app.server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const answers = underWay.get(socket) ?? new Set();
    underWay.set(socket, answers.add(response));
    response.once("close", () => answers.delete(response));
  });
}

/** Finishes answers under way on the connection first, as their orders are placed, then writes the envelope for bytes that are no request. */
function refuseBytes(
  { code }: NodeJS.ErrnoException,
  socket: Socket,
  { underWay, headers }: { underWay: UnderWay; headers: Record<string, string> },
): void {
  if (code === "ECONNRESET" || socket.destroyed) return;
  // Without the rest of its body a request would wait for ever.
  const answers = [...(underWay.get(socket) ?? [])].filter(({ req }) => req.complete);
  if (answers.length > 0) {
    // Called for each unreadable chunk: the first time is enough.
    if (doomed.has(socket)) return;
    doomed.add(socket);
    const over = (answer: ServerResponse) => new Promise((resolve) => void answer.once("close", resolve));
    void Promise.all(answers.map(over)).then(() => socket.destroySoon());
    return;
  }
  const [status, value] = unreadable[code ?? ""] ?? (["400 Bad Request", "request"] as const);
  const body = JSON.stringify(errorBody(new Refused(value), "/"));
  const head = Object.entries({
    ...headers,
    ...envelopeHeaders,
    "content-length": body.length,
    connection: "close",
  });
  const lines = [`HTTP/1.1 ${status}`, ...head.map(([name, text]) => `${name}: ${text}`), "", body];
  if (socket.writable) socket.write(lines.join("\r\n"));
  socket.destroySoon();
}

const doomed = new WeakSet<Socket>();

const unreadable: Record<string, readonly [status: string, value: Refusal]> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "size"],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "request"],
};

/**
 * Limits open connections, and closes those without a request soon after a stop began: the server takes them for busy and would
 * wait. Not at once: a proxy may have sent the call of a new one already, and cannot know whether it may send it again.
 */
function limitOpen(
  app: FastifyInstance,
  { trustProxy }: Pick<Config, "trustProxy">,
  more: HttpParts["connections"],
  seconds: number,
): void {
  const limits = { ...connectionLimits, isCounted: countedWith(trustProxy), ...more };
  const silent = limitConnections(app.server, limits);
  const hangUp = () => silent.forEach((socket) => socket.destroy());
  app.addHook("preClose", async () => void setTimeout(hangUp, seconds * 1_000).unref());
}

/** Cuts clients that send a call byte by byte or half of it. */
function hangUpOnSlowness(
  app: FastifyInstance,
  routes: readonly Route[],
  limits: { patienceSeconds: number; fileSeconds: number },
): void {
  const takingFiles = new Set(
    routes.flatMap(({ endpoint: { file, method, path } }) => (file ? [`${method} ${path}`] : [])),
  );
  app.addHook("onRequest", ({ raw, routeOptions }, _reply, next) => {
    next();
    const hasBody =
      raw.headers["transfer-encoding"] !== undefined || raw.headers["content-length"] !== undefined;
    if (!hasBody) return;
    const isFile = takingFiles.has(`${raw.method} ${routeOptions.url}`);
    const seconds = isFile ? limits.fileSeconds : limits.patienceSeconds;
    const late = setTimeout(() => {
      if (!raw.complete) raw.destroy();
    }, seconds * 1_000).unref();
    raw.once("close", () => clearTimeout(late));
  });
}

/** An unreadable body is the client's error; everything else is logged with the request as ours. */
function answerFault(fault: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status = fault.statusCode ?? 500;
  if (status === 413) return sendError(reply, 413, new Refused("size"));
  if (status >= 400 && status < 500) return sendError(reply, 200, new Refused("request"));
  // The client went away in the middle of a file: no fault of ours.
  if (request.raw.destroyed && !request.raw.complete) return sendError(reply, 200, new Refused("request"));
  request.log.error({ request: request.id, err: fault, url: maskedUrl(request) }, "request failed");
  return sendError(reply, 500, new Refused("server", { request_id: request.id }));
}

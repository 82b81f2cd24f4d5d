import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Endpoint, methodsOf } from "../../../contract/endpoint.ts";
import { Refused, type Route } from "./answer.ts";
import { type CallHooks, runCall } from "./call.ts";
import { OpenRequests } from "./call.facts.ts";
import { corsHeaders, send, sendError } from "./send.ts";

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
export function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  hooks: CallHooks,
  silenceSeconds = fileSilenceSeconds,
): void {
  const open = new OpenRequests();
  // Before the server closes its doors, which would wait for those who wait.
  app.addHook("preClose", async () => open.end());
  const taking = routes.filter(({ endpoint }) => endpoint.file !== undefined);
  registerAll(
    app,
    routes.filter((route) => !taking.includes(route)),
    hooks,
    { open, silenceSeconds },
  );
  // A place of their own: elsewhere a body is read before it is known who sends it.
  void app.register(async (own) => {
    own.removeAllContentTypeParsers();
    own.addContentTypeParser("*", (_request, body, done) => done(null, body));
    registerAll(own, taking, hooks, { open, silenceSeconds });
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

function registerAll(
  app: FastifyInstance,
  routes: readonly Route[],
  hooks: CallHooks,
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
        const outcome = await runCall(
          route,
          { request, reply, open, types: endpoint.file?.types ?? [] },
          hooks,
        );
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

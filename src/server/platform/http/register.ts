import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Endpoint, methodsOf, methodsWithHead } from "../../../contract/endpoint.ts";
import { Refused, type Route } from "./answer.ts";
import { type CallHooks, runCall } from "./call.ts";
import { OpenRequests } from "./call.facts.ts";
import { corsHeaders, send, sendError } from "./send.ts";

const preflightHeaders = {
  ...corsHeaders,
  "access-control-allow-methods": "GET, POST, PUT",
  "access-control-allow-headers":
    "authorization, content-type, idempotency-key, if-none-match, last-event-id, sites, token",
  "access-control-max-age": "86400",
};

/** Parses parameters, finds the caller, runs the handler, sends the outcome. */
export function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  hooks: CallHooks,
  silenceSeconds = fileSilenceSeconds,
): void {
  const open = new OpenRequests();
  // Before the server closes, which waits for open requests.
  app.addHook("preClose", async () => open.end());
  const taking = routes.filter(({ endpoint }) => endpoint.file !== undefined);
  registerAll(
    app,
    routes.filter((route) => !taking.includes(route)),
    hooks,
    { open, silenceSeconds },
  );
  // A separate scope: elsewhere bodies are parsed before the caller is known.
  void app.register(async (own) => {
    own.removeAllContentTypeParsers();
    own.addContentTypeParser("*", (_request, body, done) => done(null, body));
    registerAll(own, taking, hooks, { open, silenceSeconds });
  });
  nameMethods(app, routes);
}

const urlOf = ({ path }: Endpoint) => path.replace(/\{(\w+)\}/g, ":$1");

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** Answers a wrong method with 405 and the right ones (RFC 9110 §15.5.6). */
function nameMethods(app: FastifyInstance, routes: readonly Route[]): void {
  for (const [url, same] of Map.groupBy(routes, ({ endpoint }) => urlOf(endpoint))) {
    const taken = new Set<string>(same.flatMap(({ endpoint }) => methodsWithHead(endpoint)));
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
      exposeHeadRoute: methodsWithHead(endpoint).includes("HEAD"),
      ...(endpoint.bodyBytesMax !== undefined && { bodyLimit: endpoint.bodyBytesMax }),
      handler: async (request, reply) => {
        if (endpoint.file && !takeFile(request, reply, { bytesMax: endpoint.file.bytesMax, silenceSeconds }))
          return reply;
        const outcome = await runCall(
          route,
          { request, reply, open, types: endpoint.file?.types ?? [] },
          hooks,
        );
        // Else the client keeps its connection and delays the stop.
        if (open.isEnding) reply.header("connection", "close");
        return send(reply, endpoint, outcome, hooks.ids);
      },
    });
    if (app.hasRoute({ method: "OPTIONS", url })) continue;
    app.options(url, (_request, reply) => reply.headers(preflightHeaders).code(204).send());
  }
}

const lingerMs = 5_000;
/** A file that pauses for so long is dropped. */
const fileSilenceSeconds = 60;

/** Drains an unread file so that its sender gets the answer. False: the declared length is too long. */
function takeFile(
  { raw, headers }: FastifyRequest,
  reply: FastifyReply,
  { bytesMax, silenceSeconds }: { bytesMax: number; silenceSeconds: number },
): boolean {
  // From the start, because the rest of a refused file must arrive too.
  raw.setTimeout(silenceSeconds * 1_000, () => raw.destroy());
  reply.raw.once("finish", () => {
    if (reply.statusCode === 413) setTimeout(() => raw.destroy(), lingerMs).unref();
    raw.resume();
  });
  if (!(Number(headers["content-length"]) > bytesMax)) return true;
  void sendError(reply, 413, new Refused("size"));
  return false;
}

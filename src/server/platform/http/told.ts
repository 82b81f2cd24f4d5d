// What is told of each call: its id, what each route answered how often and how soon, and a line of the log.
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Counter, Histogram } from "prom-client";
import { callId, type Log } from "../log.ts";
import { addressOf } from "./client-address.ts";
import { proxiesOf } from "./connections.ts";
import { maskUrl } from "./mask-url.ts";

declare module "fastify" {
  interface FastifyReply {
    /** The refusal that was answered, "server" for a fault; undefined while nothing was refused. */
    refusal: string | undefined;
    /** Of the caller; undefined without a valid token. */
    userId: bigint | undefined;
  }
}

/** Paths of programs, also mistyped: unknown ones are answered in JSON, not with a page. */
export const apiPath = /^\/+(?:api|email|investor|payments|stats|user)(?:[/?]|$)/i;

/** From what a page or an order takes to what only files and waiting calls take. */
const secondsBounds = [0.01, 0.05, 0.1, 0.5, 1, 5];

export interface CallMeters {
  readonly answers: Counter<"route" | "answer">;
  readonly seconds: Histogram<"route">;
}

export function callMeters(): CallMeters {
  const answers = new Counter({
    name: "postern_http_answers_total",
    help: "answers of calls and pages, by route: ok, refused, limit, or server where the shop failed",
    labelNames: ["route", "answer"],
    registers: [],
  });
  const seconds = new Histogram({
    name: "postern_http_seconds",
    help: "how long calls and pages took, from the head of the request to the end of the answer",
    labelNames: ["route"],
    buckets: secondsBounds,
    registers: [],
  });
  return { answers, seconds };
}

/** Counts the calls of `app` by route: there are so many, and none is made of what callers send. */
export function tellCalls(app: FastifyInstance, { answers, seconds }: CallMeters): void {
  app.decorateReply("refusal", undefined);
  app.decorateReply("userId", undefined);
  const known = new Map<string, ReturnType<typeof countersOf>>();
  const answersOf = (route: string, answer: string) => {
    const counter = answers.labels(route, answer);
    // A rate sees a rise from 0 alone.
    counter.inc(0);
    return counter;
  };
  const countersOf = (route: string) => ({
    ok: answersOf(route, "ok"),
    refused: answersOf(route, "refused"),
    limit: answersOf(route, "limit"),
    server: answersOf(route, "server"),
    seconds: seconds.labels(route),
  });
  app.addHook("onResponse", (request, reply, next) => {
    const { url = "" } = request.routeOptions;
    let counters = known.get(url);
    if (!counters) known.set(url, (counters = countersOf(routeOf(url))));
    counters[answerOf(reply, url)].inc();
    counters.seconds.observe(reply.elapsedTime / 1000);
    next();
  });
}

/** Calls by their path as it is declared; what people open together, of which there are hundreds of files. */
function routeOf(url: string): string {
  if (url === "") return "unknown";
  if (healthPaths.has(url) || apiPath.test(url)) return url;
  return /\.\w+$/.test(url) ? "files" : "pages";
}

/** They say 503 of a part that is down, which is no fault of theirs. */
const healthPaths = new Set(["/healthz", "/readyz", "/metrics"]);

function answerOf({ refusal, statusCode }: FastifyReply, url: string) {
  if (refusal === undefined) return statusCode >= 500 && !healthPaths.has(url) ? "server" : "ok";
  return refusal === "server" || refusal === "limit" ? refusal : "refused";
}

export const idHeader = "x-request-id";
const givenId = /^[\w.-]{1,64}$/;

/** Names each call: as a proxy of TRUST_PROXY does, if that is short and plain, else at random. */
export function namesOfCalls(trustProxy: boolean | readonly string[]): (call: IncomingMessage) => string {
  const isProxy = proxiesOf(trustProxy);
  return ({ headers: { [idHeader]: given }, socket }) =>
    typeof given === "string" && givenId.test(given) && isProxy(socket.remoteAddress ?? "")
      ? given
      : randomUUID();
}

/** Has each line of the log name the call that is worked on, and writes one of each answer: at info with `isLogged`, else at debug. */
export function logCalls(app: FastifyInstance, log: Log, isLogged: boolean): void {
  // Behind the reading of the body, whose events come from the socket and not from here.
  app.addHook("preValidation", (request, _reply, next) => callId.run(request.id, next));
  if (isLogged || log.isLevelEnabled("debug"))
    app.addHook("onResponse", async (request, reply) => {
      if (isLogged) log.info(lineOf(request, reply), "answered");
      else log.debug({ ...lineOf(request, reply), url: maskedUrl(request) }, "answered");
    });
}

const lineOf = (request: FastifyRequest, reply: FastifyReply) => ({
  request: request.id,
  method: request.method,
  path: maskUrl(request.url.replace(/\?.*/s, ""), request.routeOptions.url),
  status: reply.statusCode,
  answer: reply.refusal ?? "ok",
  ms: Math.round(reply.elapsedTime),
  address: addressOf(request),
  ...(reply.userId !== undefined && { account: `user ${reply.userId}` }),
});

/** Without what may be secret. */
export const maskedUrl = ({ url, routeOptions }: FastifyRequest): string => maskUrl(url, routeOptions.url);

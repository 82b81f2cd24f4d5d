import type { FastifyInstance, FastifyRequest } from "fastify";
import { collectDefaultMetrics, Counter, Gauge, type Histogram, Registry } from "prom-client";
import { isForwarded } from "./platform/http/client-address.ts";
import { isLoopback } from "./platform/network-address.ts";
import { isSameSecret } from "./platform/seal.ts";

/** A part that must be up for the shop to be ready: its name, and a question that throws when it is not. */
export interface Part<Name extends string = string> {
  readonly name: Name;
  readonly check: () => Promise<unknown>;
  /** The part that it asks: while that is down, nothing is known of this one. */
  readonly by?: string;
}

/** What is counted by kind: keys are the values of its labels, with spaces between them; the last one may have spaces of its own. */
export interface Metric {
  readonly name: string;
  readonly labels: readonly string[];
  /** It may also fall; if not said, it only grows. */
  readonly kind?: "gauge";
  readonly read: () => ReadonlyMap<string, number> | Promise<ReadonlyMap<string, number>>;
}

/** What is told by kind, or counts by itself. */
export type Exposed = Metric | Counter | Histogram;

const patienceMs = 2_000;

/** GET /healthz, /readyz and /metrics (docs/operations.md). */
export function registerHealth(
  app: FastifyInstance,
  parts: readonly Part[],
  metricsToken: string | undefined,
  /** What is counted beside what every process counts. */
  counts: Readonly<Record<string, () => number>> = {},
  metrics: readonly Exposed[] = [],
  /** Names what stands still in this process. */
  still: () => readonly string[] = () => [],
): void {
  // Monitors ask by HEAD.
  const seen = { exposeHeadRoute: true };
  app.get("/healthz", seen, (_request, reply) => {
    const found = still();
    return found.length === 0
      ? { status: "success" }
      : reply.code(503).send({ status: "error", value: "stands still", still: found });
  });
  app.get("/readyz", seen, async (_request, reply) => {
    const down = await partsDown(parts);
    return down.length === 0
      ? { status: "success" }
      : reply.code(503).send({ status: "error", value: "not ready", down });
  });
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const [name, count] of Object.entries(counts)) {
    const gauge: Gauge = new Gauge({
      name,
      help: name.replaceAll("_", " "),
      registers: [registry],
      collect: () => gauge.set(count()),
    });
  }
  const up: Gauge = new Gauge({
    name: "postern_up",
    help: "whether each part of this process is up",
    labelNames: ["part"],
    registers: [registry],
    collect: async () => {
      const down = await partsDown(parts);
      for (const { name } of parts) up.set({ part: name }, down.includes(name) ? 0 : 1);
    },
  });
  for (const metric of metrics)
    if ("read" in metric) register(metric, registry);
    else registry.registerMetric(metric as Counter);
  app.get("/metrics", seen, async (request, reply) => {
    if (!mayRead(request, metricsToken)) return reply.code(403).send({ status: "error", value: "no access" });
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

function register({ name, labels, kind, read }: Metric, registry: Registry): void {
  const settings = {
    name,
    help: name.replaceAll("_", " "),
    labelNames: labels,
    registers: [registry],
    collect: async () => {
      // What cannot be read now is left out: while the database is away the rest is wanted most.
      const counts = (await inTime(read)) ?? [];
      metric.reset();
      // The library gives what has no labels the value 0.
      if (labels.length === 0) metric.remove();
      for (const [key, count] of counts) {
        const words = key.split(" ");
        const values = [...words.splice(0, labels.length - 1), words.join(" ")];
        metric.inc(Object.fromEntries(labels.map((label, place) => [label, values[place] ?? ""])), count);
      }
    },
  };
  const metric: Counter | Gauge = kind === "gauge" ? new Gauge(settings) : new Counter(settings);
}

/** Names the parts that are not up, or do not say so in time. */
export async function partsDown<Name extends string>(parts: readonly Part<Name>[]): Promise<Name[]> {
  const answers = await Promise.all(parts.map(async (part) => ((await isUp(part.check)) ? [] : [part])));
  const down = new Set<string | undefined>(answers.flat().map(({ name }) => name));
  return answers.flat().flatMap(({ name, by }) => (down.has(by) ? [] : [name]));
}

async function isUp(check: Part["check"]): Promise<boolean> {
  return (await inTime(() => check().then(() => true))) === true;
}

/** What is answered in time; undefined for what fails or takes longer. */
async function inTime<Answer>(ask: () => Answer | Promise<Answer>): Promise<Answer | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), patienceMs);
  const asked = (async () => ask())().catch(() => undefined);
  return Promise.race([asked, late.promise]).finally(() => clearTimeout(timer));
}

/** Loopback only, and not through a proxy on this machine: a forwarded request comes from somewhere else. */
function mayRead(request: FastifyRequest, metricsToken: string | undefined): boolean {
  if (metricsToken !== undefined)
    return isSameSecret(request.headers.authorization ?? "", `Bearer ${metricsToken}`);
  return isLoopback(request.socket.remoteAddress ?? "") && !isForwarded(request);
}

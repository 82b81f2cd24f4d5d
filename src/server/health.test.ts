import Fastify from "fastify";
import { expect, onTestFinished, test, vi } from "vitest";
import { registerHealth, type Part } from "./health.ts";

function server(parts: Part[], metricsToken?: string) {
  const app = Fastify();
  registerHealth(app, parts, metricsToken);
  return app;
}

/** What does not answer, in a time that the test holds. */
function silence() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let asked = Promise.withResolvers<void>();
  return {
    ask: () => {
      asked.resolve();
      return new Promise<never>(() => undefined);
    },
    /** Lets the time for an answer pass, as soon as it was asked for. */
    async lasts() {
      await asked.promise;
      asked = Promise.withResolvers();
      // What is asked beside it has answered by then.
      await new Promise(setImmediate);
      vi.advanceTimersByTime(2_000);
    },
  };
}

const up: Part = { name: "database", check: async () => "fine" };

test("a shop whose parts are all up is ready", async () => {
  const app = server([up]);
  expect((await app.inject("/healthz")).statusCode).toBe(200);
  expect((await app.inject("/readyz")).statusCode).toBe(200);
});

test("a monitor that asks by HEAD hears the same, without the body", async () => {
  const app = server([up, { name: "jobs", check: () => Promise.reject(new Error("closed")) }]);
  for (const [url, status] of [
    ["/healthz", 200],
    ["/readyz", 503],
    ["/metrics", 200],
  ] as const) {
    const head = await app.inject({ method: "HEAD", url });
    expect([url, head.statusCode, head.body]).toEqual([url, status, ""]);
  }
});

test("a part that fails, or that does not answer, is named, and the shop lives on", async () => {
  const broken: Part = { name: "reception", check: () => Promise.reject(new Error("closed")) };
  const { ask, lasts } = silence();
  const silent: Part = { name: "jobs", check: ask };
  const app = server([up, broken, silent]);
  const [ready] = await Promise.all([app.inject("/readyz"), lasts()]);
  expect([ready.statusCode, ready.json()]).toMatchObject([503, { down: ["reception", "jobs"] }]);
  expect((await app.inject("/healthz")).statusCode).toBe(200);
});

test("of a part that another one is asked about nothing is said while that is down", async () => {
  const fails = () => Promise.reject(new Error("away"));
  const key: Part = { name: "key", check: fails, by: "database" };
  const away = await server([{ name: "database", check: fails }, key]).inject("/readyz");
  expect(away.json()).toMatchObject({ down: ["database"] });
  expect((await server([up, key]).inject("/readyz")).json()).toMatchObject({ down: ["key"] });
});

test("metrics are for the machine itself, not for what a proxy on it passes on", async () => {
  const app = server([up]);
  const metrics = (remoteAddress: string, headers = {}) =>
    app.inject({ url: "/metrics", remoteAddress, headers });
  expect((await metrics("127.0.0.1")).body).toContain("process_cpu_seconds_total");
  expect((await metrics("::ffff:127.0.0.1")).statusCode).toBe(200);
  expect((await metrics("198.51.100.7")).statusCode).toBe(403);
  expect((await metrics("127.0.0.1", { "x-forwarded-for": "198.51.100.7" })).statusCode).toBe(403);
});

test("with a metrics token whoever has it reads them, and nobody else", async () => {
  const app = server([up], "a-token-for-metrics");
  const metrics = (authorization: string) => app.inject({ url: "/metrics", headers: { authorization } });
  expect((await metrics("Bearer a-token-for-metrics")).statusCode).toBe(200);
  expect((await metrics("Bearer another-token-here")).statusCode).toBe(403);
  expect((await app.inject("/metrics")).statusCode).toBe(403);
});

test("what the shop counts itself stands beside what every process counts, as it is when it is asked", async () => {
  const app = Fastify();
  let streams = 1;
  registerHealth(app, [up], undefined, { postern_event_streams: () => streams });
  expect((await app.inject("/metrics")).body).toMatch(/^postern_event_streams 1$/m);
  streams = 2;
  expect((await app.inject("/metrics")).body).toMatch(/^postern_event_streams 2$/m);
});

test("what is counted by kind is told by its labels", async () => {
  const app = Fastify();
  const metric = new Map([["spf pass", 2]]);
  const told = { name: "postern_checks_total", labels: ["check", "result"], read: () => metric };
  registerHealth(app, [up], undefined, {}, [told]);
  expect((await app.inject("/metrics")).body).toMatch(
    /^postern_checks_total\{check="spf",result="pass"\} 2$/m,
  );
  metric.set("spf pass", 3).set("dkim none", 1);
  const { body } = await app.inject("/metrics");
  expect(body).toMatch(/^postern_checks_total\{check="spf",result="pass"\} 3$/m);
  expect(body).toMatch(/^postern_checks_total\{check="dkim",result="none"\} 1$/m);
});

test("what cannot be counted now is left out, and the parts that are down are told beside the rest", async () => {
  const app = Fastify();
  const { ask, lasts } = silence();
  const away = async () => {
    throw new Error("the database is away");
  };
  let read = async (): Promise<ReadonlyMap<string, number>> => new Map([["", 7]]);
  const parts: Part[] = [
    { name: "database", check: away },
    { name: "reception", check: async () => "fine" },
  ];
  const metrics = [
    { name: "postern_waiting", labels: [], kind: "gauge", read: () => read() },
    { name: "postern_payments", labels: ["chain", "state"], kind: "gauge", read: away },
    { name: "postern_stuck", labels: [], kind: "gauge", read: ask },
  ] as const;
  registerHealth(app, parts, undefined, { postern_event_streams: () => 1 }, metrics);
  const [before] = await Promise.all([app.inject("/metrics"), lasts()]);
  expect(before.statusCode).toBe(200);
  expect(before.body).toMatch(/^postern_waiting 7$/m);
  expect(before.body).toMatch(/^postern_up\{part="database"\} 0$/m);
  expect(before.body).toMatch(/^postern_up\{part="reception"\} 1$/m);
  read = away;
  const [{ body }] = await Promise.all([app.inject("/metrics"), lasts()]);
  expect(body).toMatch(/^postern_event_streams 1$/m);
  expect(body).not.toMatch(/^postern_(waiting|payments|stuck)\b/m);
});

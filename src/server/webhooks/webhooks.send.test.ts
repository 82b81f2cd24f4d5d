import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Certificate, certificateFor } from "../platform/certificate.ts";
import { openReceiver, type Receiver, verified } from "../../../test/kit/receiver.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { openGuard, type Ports } from "./webhooks.guard.ts";
import { type Message, openSender, type Outcome, type Sender } from "./webhooks.send.ts";

const name = "program.example.com";
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";
const another = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
let certificate: Certificate;
const open: { close(): unknown }[] = [];

beforeAll(() => {
  certificate = certificateFor(name);
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function receiver(secure?: "https"): Promise<Receiver> {
  const opened = await openReceiver(secure && certificate);
  open.push(opened);
  return opened;
}

const anyPort = [[1, 65_535]] as const;

function sender({
  beside = ["127.0.0.1"],
  ports = anyPort as Ports,
  ca = certificate.cert,
  timeoutSeconds = 5,
} = {}): Sender {
  const opened = openSender({
    guard: openGuard({ beside, ports }, async () => ["127.0.0.1"]),
    userAgent: "Postern (+https://shop.test)",
    ca,
    timeoutSeconds,
  });
  open.push(opened);
  return opened;
}

/** How it ended, without what was sent and answered. */
async function end(outcome: Promise<Outcome>): Promise<Omit<Outcome, "exchange">> {
  const { exchange: _, ...ended } = await outcome;
  return ended;
}

const message = (url: string, more: Partial<Message> = {}): Message => ({
  url,
  id: "msg_1",
  body: JSON.stringify({ type: "letter", timestamp: "2026-03-01T12:00:00.000Z", data: { code: "493817" } }),
  secrets: [secret],
  ...more,
});

test("a message arrives by HTTPS, and its receiver can check that it is ours", async () => {
  const program = await receiver("https");
  const url = `https://${name}:${program.port}/letters?key=1`;
  expect(await end(sender().send(message(url)))).toEqual({ httpStatus: 200 });
  const [received] = program.heard;
  if (!received) throw new Error("nothing came");
  expect(verified(received, secret)).toMatchObject({ type: "letter", data: { code: "493817" } });
  expect(() => verified(received, another)).toThrow(/signature/i);
  expect(() => verified({ ...received, body: received.body.replace("4", "5") }, secret)).toThrow(
    /signature/i,
  );
  expect(received).toMatchObject({ path: "/letters?key=1", method: "POST" });
  expect(received.headers).toMatchObject({
    host: `${name}:${program.port}`,
    "content-type": "application/json",
    "user-agent": "Postern (+https://shop.test)",
    "webhook-id": "msg_1",
    "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
    "webhook-signature": expect.stringMatching(/^v1,\S{44}$/),
  });
});

test("while a secret is replaced, a message can be checked with the new one and with the old one", async () => {
  const program = await receiver();
  await sender().send(message(program.url, { secrets: [secret, another] }));
  const [received] = program.heard;
  if (!received) throw new Error("nothing came");
  expect(received.headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);
  for (const each of [secret, another]) expect(verified(received, each)).toMatchObject({ type: "letter" });
  expect(() => new Webhook(secret).verify(received.body, {})).toThrow();
});

test.each([200, 201, 202, 204, 299])("an answer of %i means that it was accepted", async (httpStatus) => {
  const program = await receiver();
  program.answer = () => httpStatus;
  expect(await end(sender().send(message(program.url)))).toEqual({ httpStatus });
});

test.each([400, 401, 404, 410, 429, 500, 503])(
  "an answer of %i means that it was not",
  async (httpStatus) => {
    const program = await receiver();
    program.answer = () => httpStatus;
    expect(await end(sender().send(message(program.url)))).toEqual({
      httpStatus,
      failure: `The address answered with HTTP ${httpStatus}.`,
    });
  },
);

test("an address that is busy may say when to come again, in seconds or as a date", async () => {
  const program = await receiver();
  const saying = async (httpStatus: number, retryAfter: string) => {
    program.answer = (_received, response) => {
      response.writeHead(httpStatus, { "retry-after": retryAfter }).end();
      return undefined;
    };
    return (await sender().send(message(program.url))).notBefore;
  };
  const before = now();
  for (const httpStatus of [429, 503]) {
    const notBefore = await saying(httpStatus, "120");
    expect(notBefore!.getTime()).toBeGreaterThanOrEqual(secondsAfter(before, 120).getTime());
    expect(notBefore!.getTime()).toBeLessThanOrEqual(secondsAfter(now(), 120).getTime());
  }
  expect(await saying(503, "Fri, 31 Dec 2027 23:59:59 GMT")).toEqual(new Date("2027-12-31T23:59:59Z"));
  for (const text of ["", "soon", "-5", "1e9", "1 January 2027", "99999999999"])
    expect(await saying(429, text), text).toBeUndefined();
  // With these statuses Retry-After has another meaning.
  for (const httpStatus of [400, 500]) expect(await saying(httpStatus, "120")).toBeUndefined();
});

test.each([301, 302, 303, 307, 308])(
  "a redirect by %i is not followed, and said to be one",
  async (httpStatus) => {
    const [program, within] = [await receiver(), await receiver()];
    program.answer = (_received, response) => {
      response.writeHead(httpStatus, { location: within.url }).end();
      return undefined;
    };
    expect(await end(sender().send(message(program.url)))).toEqual({
      httpStatus,
      failure: expect.stringContaining("redirect"),
    });
    expect([program.heard.length, within.heard.length]).toEqual([1, 0]);
  },
);

test("a name that leads into a private network is not even connected to", async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const strict = sender({ beside: [] });
  for (const url of [`https://${name}:${port}/`, `https://127.0.0.1:${port}/`, `http://${name}:${port}/`])
    expect(await end(strict.send(message(url)))).toEqual({
      failure: expect.stringContaining("not lead to a public host"),
    });
  expect(connections).toBe(0);
});

test("who does not answer in time has failed, and so has who answers a little at a time", async () => {
  const program = await receiver();
  program.answer = () => undefined;
  const impatient = sender({ timeoutSeconds: 0.2 });
  expect(await end(impatient.send(message(program.url)))).toEqual({
    failure: "No answer came within 0.2 seconds.",
  });
  const dripping = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.write("HTTP/1.1 200 OK\r\n");
    const timer = setInterval(() => socket.write("x-more: 1\r\n"), 20);
    socket.on("close", () => clearInterval(timer));
  });
  await new Promise<void>((up) => dripping.listen(0, "127.0.0.1", up));
  onTestFinished(() => void dripping.close());
  const { port } = dripping.address() as AddressInfo;
  expect(await end(impatient.send(message(`http://127.0.0.1:${port}/`)))).toEqual({
    failure: "No answer came within 0.2 seconds.",
  });
});

test("an answer without an end is not read to its end", async () => {
  const program = await receiver();
  const cut = Promise.withResolvers<void>();
  program.answer = (received, response) => {
    received.socket.on("close", () => cut.resolve());
    response.writeHead(200);
    const pour = (): void => {
      while (!response.destroyed && response.write("x".repeat(10_000)));
      if (!response.destroyed) response.once("drain", pour);
    };
    pour();
    return undefined;
  };
  expect(await end(sender().send(message(program.url)))).toEqual({ httpStatus: 200 });
  await cut.promise;
});

test("messages to one host share a connection, and one that was closed meanwhile costs nothing", async () => {
  const program = await receiver();
  const one = sender();
  await one.send(message(program.url));
  await one.send(message(program.url));
  expect(program.heard[0]?.socket).toBe(program.heard[1]?.socket);
  // Hangs up like a host that closed a kept connection.
  program.answer = ({ socket }) => {
    program.answer = () => 200;
    socket.destroy();
    return undefined;
  };
  expect(await end(one.send(message(program.url)))).toEqual({ httpStatus: 200 });
  expect(program.heard).toHaveLength(4);
});

test("what goes wrong is told in a sentence that repeats no address", async () => {
  const program = await receiver("https");
  const garbage = createServer((socket) => socket.end("hello\r\n\r\n"));
  await new Promise<void>((up) => garbage.listen(0, "127.0.0.1", up));
  onTestFinished(() => void garbage.close());
  const closed = await openReceiver();
  await closed.close();
  const tries: [string, string, Sender?][] = [
    [`http://127.0.0.1:${closed.port}`, "The connection was refused."],
    [`http://127.0.0.1:${(garbage.address() as AddressInfo).port}`, "The answer is not HTTP."],
    [
      `https://${name}:${program.port}`,
      "not from a trusted authority",
      sender({ ca: certificateFor(name).cert }),
    ],
    [`https://other.example.com:${program.port}`, "for another name"],
    [`https://${name}:${(garbage.address() as AddressInfo).port}`, "TLS"],
    [`https://${name}:${program.port}`, "names another port", sender({ ports: [] })],
    [`http://127.0.0.1:${program.port}`, "The "],
  ];
  for (const [url, sentence, by = sender()] of tries) {
    const { failure } = await by.send(message(`${url}/hunter2?key=hunter2`));
    expect(failure).toContain(sentence);
    expect(failure).toMatch(/\.$/);
    expect(failure).not.toMatch(/hunter2|example\.com|127\.0/);
    // System and TLS codes would reveal our network and software.
    expect(failure).not.toMatch(/[A-Z]+_[A-Z]|\bE[A-Z]{4,}/);
  }
  expect(program.heard).toEqual([]);
});

test("a message under way when the sender is closed has failed at once", async () => {
  const program = await receiver();
  program.answer = () => undefined;
  const one = sender();
  const sending = one.send(message(program.url));
  await program.until(1);
  one.close();
  expect(await end(sending)).toEqual({ failure: "The connection was cut before an answer came." });
});

test("what was sent and the first kilobyte of the answer are told, also of a body that breaks off or never ends", async () => {
  const program = await receiver();
  const answering = async (httpStatus: number, body: string, rest: "ends" | "breaks" | "stays open") => {
    program.answer = (_received, response) => {
      response.writeHead(httpStatus, { "content-type": "text/plain" }).write(body, () => {
        if (rest === "breaks") response.destroy();
      });
      if (rest === "ends") response.end();
      return undefined;
    };
    return sender({ timeoutSeconds: 0.3 }).send(message(program.url));
  };
  const refused = await answering(500, "no such column ä", "ends");
  expect(refused).toMatchObject({ httpStatus: 500, failure: "The address answered with HTTP 500." });
  expect(refused.exchange?.answer).toEqual({ type: "text/plain", text: "no such column ä" });
  expect(program.heard[0]?.headers).toMatchObject(refused.exchange?.headers ?? {});
  expect(Object.keys(refused.exchange?.headers ?? {})).toContain("webhook-signature");
  for (const rest of ["breaks", "stays open"] as const) {
    const taken = await answering(200, "ok", rest);
    expect(taken).toMatchObject({ httpStatus: 200, exchange: { answer: { text: "ok" } } });
    expect(taken.failure).toBeUndefined();
  }
  const long = await answering(200, "x".repeat(5000), "ends");
  expect(long.exchange?.answer?.text).toBe("x".repeat(1024));
  program.answer = () => undefined;
  const silent = await sender({ timeoutSeconds: 0.2 }).send(message(program.url));
  expect(silent.exchange?.answer).toBeUndefined();
  expect(silent.exchange?.headers["webhook-id"]).toBe("msg_1");
});

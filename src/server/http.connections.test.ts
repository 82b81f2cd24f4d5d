import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { soon } from "../../test/kit/soon.ts";
import { balance } from "../contract/users.ts";
import { createHttp } from "./http.ts";
import { answer } from "./platform/http/answer.ts";
import { readConfig } from "./platform/config/config.ts";
import { countedWith } from "./platform/http/connections.ts";
import { createLog } from "./platform/log.ts";

test("a network has so many connections and silent ones, a proxy and the machine itself any number", async () => {
  const limited = async (isCounted: (address: string) => boolean) => {
    const own = await createHttp({
      config: readConfig({ DEMO: "true" }),
      log: createLog("silent"),
      routes: [answer(balance, async () => ({ balance: "1.0" }))],
      hooks: { callerOf: async () => undefined, admit: async () => undefined },
      connections: { perNetwork: 4, silentPerNetwork: 2, isCounted },
    });
    onTestFinished(() => own.close());
    await own.listen({ host: "127.0.0.1", port: 0 });
    const { port } = own.server.address() as AddressInfo;
    const line = `GET ${balance.path} HTTP/1.1\r\nhost: shop.test\r\n\r\n`;
    /** Whether a connection is served. */
    const served = async (
      localAddress: string,
      socket = connect({ port, host: "127.0.0.1", localAddress }),
    ) => {
      onTestFinished(() => void socket.destroy());
      socket.write(line);
      return new Promise<boolean>((done) => {
        socket.once("data", () => done(true));
        socket.once("error", () => done(false));
        socket.once("close", () => done(false));
      });
    };
    const silent = async (localAddress: string) => {
      const socket = connect({ port, host: "127.0.0.1", localAddress });
      await once(socket, "connect");
      return socket;
    };
    return { served, silent };
  };
  const some = await limited(() => true);
  const [first, second] = [await some.silent("127.0.0.2"), await some.silent("127.0.0.2")];
  expect(await some.served("127.0.0.2")).toBe(false);
  expect(await some.served("127.0.0.3")).toBe(true);
  // Those that have asked are silent no more, but open.
  expect(await some.served("127.0.0.2", first)).toBe(true);
  expect(await some.served("127.0.0.2", second)).toBe(true);
  for (const isServed of [true, true, false]) expect(await some.served("127.0.0.2")).toBe(isServed);
  first.destroy();
  await vi.waitFor(async () => expect(await some.served("127.0.0.2")).toBe(true), soon);
  const all = await limited(countedWith(["10.0.0.0/8"]));
  for (let n = 0; n < 5; n++) await all.silent("127.0.0.1");
  for (let n = 0; n < 5; n++) expect(await all.served("127.0.0.1")).toBe(true);
});

test("a stop answers the call of a connection that was made before, and hangs up on one that says nothing", async () => {
  const own = await createHttp({
    config: readConfig({ DEMO: "true" }),
    log: createLog("silent"),
    routes: [answer(balance, async () => ({ balance: "1.0" }))],
    hooks: { callerOf: async () => undefined, admit: async () => undefined },
  });
  await own.listen({ host: "127.0.0.1", port: 0 });
  const { port } = own.server.address() as AddressInfo;
  const connected = async () => {
    const socket = connect({ port, host: "127.0.0.1" });
    await Promise.all([once(own.server, "connection"), once(socket, "connect")]);
    return socket;
  };
  const [late, silent] = [await connected(), await connected()];
  const hungUp = once(silent.resume(), "close");
  const closed = own.close();
  await vi.waitFor(() => expect(own.server.listening).toBe(false), soon);
  late.write(`GET ${balance.path} HTTP/1.1\r\nhost: shop.test\r\n\r\n`);
  const [said] = (await once(late, "data")) as [Buffer];
  expect(String(said)).toMatch(/^HTTP\/1.1 200 [^]*connection: close/i);
  await Promise.all([hungUp, closed]);
});

test.each([
  ["false", ["203.0.113.9", "10.0.0.1", "2001:db8::1"], ["127.0.0.1", "::1", "::ffff:127.0.0.1"]],
  ["uniquelocal,2001:db8::/32", ["203.0.113.9"], ["10.0.0.1", "::ffff:10.0.0.1", "2001:db8::1", "127.0.0.2"]],
  ["203.0.113.9", ["203.0.113.10"], ["203.0.113.9"]],
  ["true", [], ["203.0.113.9"]],
])(
  "with TRUST_PROXY=%s connections are counted of all but the machine and its proxies",
  (trusted, counted, not) => {
    const isCounted = countedWith(readConfig({ DEMO: "true", TRUST_PROXY: trusted }).trustProxy);
    expect(counted.every(isCounted)).toBe(true);
    expect(not.some(isCounted)).toBe(false);
  },
);

import { execFile } from "node:child_process";
import { createSocket } from "node:dgram";
import { lookup } from "node:dns";
import { Resolver, resolve4 } from "node:dns/promises";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect, type LookupFunction } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { openNameServer } from "./dns.ts";
import { guard, guarded, noteVariable } from "./guard.ts";
import { freePort } from "./port.ts";

function refusals(): string[] {
  const { note } = guard;
  const refused: string[] = [];
  guard.note = (refusal) => void refused.push(refusal);
  onTestFinished(() => void (guard.note = note));
  return refused;
}

const lookUp = promisify(lookup);
// Documentation addresses (RFC 5737, RFC 3849): no host answers.
const away = "192.0.2.1";

test.each<[string, () => Promise<unknown>, string]>([
  ["a socket to an address", () => once(connect(25, away), "connect"), away],
  [
    "a socket to an address of IPv6",
    () => once(connect({ port: 25, host: "2001:db8::1" }), "connect"),
    "2001:db8::1",
  ],
  ["a socket to a name", () => once(connect(25, "mail.example.com"), "connect"), "mail.example.com"],
  ["a call by fetch", () => fetch("https://api.example.com/"), "api.example.com"],
  [
    "a name that leads away",
    () =>
      once(
        connect({
          port: 25,
          host: "shop.example",
          lookup: (_name, _options, say) => say(null, [{ address: away, family: 4 }]),
        }),
        "connect",
      ),
    `shop.example at ${away}`,
  ],
  ["a look-up of a name", () => lookUp("www.example.com"), "a name server for www.example.com"],
  [
    "a question to the name servers of the machine",
    () => resolve4("www.example.com"),
    "a name server for www.example.com",
  ],
  [
    "a question to another name server",
    () => {
      const resolver = new Resolver();
      resolver.setServers([`${away}:53`]);
      return resolver.resolveTxt("example.com");
    },
    "a name server for example.com",
  ],
  [
    "a datagram",
    async () => {
      const socket = createSocket("udp4");
      onTestFinished(() => void socket.close());
      socket.send("hello", 53, away);
    },
    away,
  ],
])("%s is refused, and the refusal names the test", async (_what, reach, where) => {
  const refused = refusals();
  const { currentTestName } = expect.getState();
  const fault = await reach().then(
    () => "it was reached",
    (thrown: unknown) => thrown,
  );
  expect(refused[0]).toContain(`may not reach ${where}`);
  expect(refused[0]).toContain(currentTestName);
  expect(fault).toBeInstanceOf(Error);
});

test("this machine is reached by address, by name, and by its own name servers", async () => {
  const dns = await openNameServer();
  onTestFinished(() => dns.stop());
  dns.names.set("shop.example", { TXT: ["hello"] });
  const resolver = new Resolver();
  resolver.setServers([dns.address]);
  expect(await resolver.resolveTxt("shop.example")).toEqual([["hello"]]);
  const port = await freePort();
  const shop = { port, host: "shop.example", lookup: toHere };
  const sockets = [connect(port), connect(port, "127.0.0.2"), connect(port, "localhost"), connect(shop)];
  const refused = { code: "ECONNREFUSED" };
  await Promise.all(sockets.map((socket) => expect(once(socket, "connect")).rejects.toMatchObject(refused)));
});

const toHere: LookupFunction = (_name, _options, say) => say(null, [{ address: "127.0.0.1", family: 4 }]);

const program = `fetch("http://${away}/").catch(({ cause }) => console.log(cause?.message ?? ""))`;

async function notes() {
  const folder = await mkdtemp(join(tmpdir(), "postern-guard-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "notes");
  return { file, read: () => readFile(file, "utf8") };
}

test("a process that a test starts is guarded, and notes what fails the run", async () => {
  const { file, read } = await notes();
  const env = { PATH: process.env["PATH"] ?? "", ...guarded(), [noteVariable]: file };
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", program, "the program"], { env });
  expect(stdout).toContain(`may not reach ${away}`);
  expect(await read()).toBe(`the program (${import.meta.filename}) may not reach ${away}\n`);
});

test("so is a thread", async () => {
  const { file, read } = await notes();
  const url = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
  const worker = new Worker(url, { stdout: true, env: { ...process.env, [noteVariable]: file } });
  await once(worker, "exit");
  expect(await read()).toBe(`a thread of  (${import.meta.filename}) may not reach ${away}\n`);
});

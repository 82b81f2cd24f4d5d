import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A TCP proxy to a database that can go silent: it keeps its connections and acknowledges what it gets, and passes nothing on. */
export interface Proxy {
  readonly url: string;
  /** Passes nothing on for the connections that are open; `andNew`: for those that are made from now on, too. */
  silence(options?: { andNew?: boolean }): void;
  /** Connections that were made through it so far. */
  count(): number;
}

/** Opens one to the database of `url`; closed after the test. */
export async function openProxy(url: string): Promise<Proxy> {
  const target = new URL(url);
  const near = new Set<Socket>();
  const far = new Set<Socket>();
  let count = 0;
  let isSilent = false;
  const server = createServer((socket) => {
    count++;
    near.add(socket.on("error", () => undefined));
    if (isSilent) return void socket.resume();
    const other = connect(Number(target.port), target.hostname);
    far.add(other.on("error", () => undefined));
    socket.on("data", (bytes) => other.writable && other.write(bytes)).on("close", () => other.destroy());
    other.on("data", (bytes) => socket.writable && socket.write(bytes)).on("close", () => socket.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = new URL(url);
  address.hostname = "127.0.0.1";
  address.port = String((server.address() as AddressInfo).port);
  onTestFinished(() => {
    server.close();
    for (const socket of [...near, ...far]) socket.destroy();
  });
  return {
    url: address.href,
    silence: ({ andNew = false } = {}) => {
      isSilent = andNew;
      for (const socket of [...near, ...far]) socket.removeAllListeners("data").resume();
    },
    count: () => count,
  };
}

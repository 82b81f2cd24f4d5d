import { createServer } from "node:net";

// Below the ports that Linux gives to outgoing connections, one of which could take a port before its server does.
const first = 10_000;
const last = 32_000;
const given = new Set<number>();

/** A port of this machine that nobody listens on now, and that this process has not been given before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * (last - first));
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

import { createServer } from "node:net";

// Above 10080, the highest port that fetch and browsers refuse (Fetch §2.9), and below Linux' range for outgoing
// connections, which could take the port first.
const first = 10_081;
const last = 32_000;
const given = new Set<number>();

/** An unused port, never answered twice by this process. */
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

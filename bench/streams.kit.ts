// Other processes of bench/streams.ts: `clients` holds streams open and reports, `peer` is a minimal stream server.
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { clock } from "./process.kit.ts";

export type Order = { port: number; tokens: string[] };
export type Report = { begun: number; broken: number; heard: number[] };

if (process.argv[2] === "clients") process.once("message", (order: Order) => void hold(order));
if (process.argv[2] === "peer") serve();

/** Raw sockets are cheap; only the lines `event: …` are read. */
async function hold({ port, tokens }: Order): Promise<void> {
  let begun = 0;
  let broken = 0;
  let heard: number[] = [];
  const open = (token: string) =>
    new Promise<void>((resolve) => {
      const socket = connect(port, "127.0.0.1", () =>
        socket.write(`GET /user/events HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer ${token}\r\n\r\n`),
      );
      socket.setEncoding("latin1");
      socket.on("data", (text: string) => {
        for (const [, name] of text.matchAll(/^event: (\w+)$/gm)) {
          if (name === "ready") {
            begun++;
            resolve();
          } else if (name === "balance") heard.push(clock());
        }
      });
      socket.on("error", () => undefined);
      socket.on("close", () => {
        broken++;
        resolve();
      });
    });
  // Less than a listening socket's backlog, which the system would refuse.
  const waiting = [...tokens];
  const next = async (): Promise<void> => {
    for (let token = waiting.pop(); token !== undefined; token = waiting.pop()) await open(token);
  };
  await Promise.all(Array.from({ length: 50 }, next));
  process.on("message", () => {
    process.send?.({ begun, broken, heard } satisfies Report);
    heard = [];
  });
  process.send?.({ begun, broken, heard } satisfies Report);
}

/** node:http alone: a greeting, then a comment now and then. */
function serve(): void {
  const streams = new Set<ServerResponse>();
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("event: ready\ndata: {}\n\n");
    streams.add(response);
  });
  setInterval(() => streams.forEach((stream) => stream.write(":\n\n")), 20_000);
  process.on("message", () => process.send?.({ rss: process.memoryUsage.rss() }));
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
}

// The client process of bench/orders.ts. Raw sockets are cheap; every request is a real call with its own token.
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export type Load = {
  port: number;
  clients: number;
  seconds: number;
  perSecond?: number;
  paths: string[];
  tokens: string[];
};

/** Milliseconds of successful calls, ascending, and the refusals. */
export type Seen = { took: number[]; refused: string[] };

if (process.send)
  process.on("message", (load: Load) => void drive(load).then((seen) => process.send?.(seen)));

async function drive(load: Load): Promise<Seen> {
  const seen: Seen = { took: [], refused: [] };
  const clients = await Promise.all(Array.from({ length: load.clients }, () => open(load.port)));
  const start = performance.now();
  const end = start + load.seconds * 1000;
  // The delay of a paced call counts from its due time; otherwise a stall of the shop would not show.
  const gap = load.perSecond === undefined ? 0 : 1000 / load.perSecond;
  let next = start;
  await Promise.all(
    clients.map(async (client) => {
      for (;;) {
        const due = gap === 0 ? performance.now() : next;
        next += gap;
        if (due >= end) break;
        const ahead = due - performance.now();
        const isFree = ahead > 0;
        if (isFree) await sleep(ahead);
        // A late timer is not the shop's fault; a busy client is.
        const begun = isFree ? performance.now() : due;
        const body = await client.call(pick(load.paths), pick(load.tokens));
        if (body.startsWith('{"status":"success"')) seen.took.push(performance.now() - begun);
        else seen.refused.push(body);
      }
    }),
  );
  for (const client of clients) client.end();
  seen.took.sort((one, other) => one - other);
  return { took: seen.took, refused: seen.refused.slice(0, 5) };
}

const pick = (list: string[]) => list[Math.floor(Math.random() * list.length)]!;

type Client = { call(path: string, token: string): Promise<string>; end(): void };

async function open(port: number): Promise<Client> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  let answered: (body: string) => void = () => undefined;
  read(socket, (body) => answered(body));
  return {
    call: (path, token) =>
      new Promise((resolve) => {
        answered = resolve;
        socket.write(`GET ${path} HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer ${token}\r\n\r\n`);
      }),
    end: () => socket.destroy(),
  };
}

function read(socket: Socket, told: (body: string) => void): void {
  let text = "";
  socket.setEncoding("latin1");
  socket.on("data", (piece: string) => {
    text += piece;
    const head = text.indexOf("\r\n\r\n");
    if (head < 0) return;
    const size = /^content-length: (\d+)/im.exec(text.slice(0, head));
    if (!size) throw new Error(`an answer without a length: ${text.slice(0, head)}`);
    const until = head + 4 + Number(size[1]);
    if (text.length < until) return;
    const body = text.slice(head + 4, until);
    text = text.slice(until);
    told(body);
  });
}

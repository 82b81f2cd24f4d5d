import { connect, type Socket } from "node:net";

/** A line-based conversation over a real socket. */
export interface Talk {
  socket: Socket;
  say(...lines: string[]): void;
  send(bytes: string | Uint8Array): void;
  /** Answers one whole, maybe multi-line reply; throws at the connection's end. */
  hear(): Promise<string>;
  ask(line: string): Promise<string>;
  bye(): Promise<string>;
  close(): void;
}

export function talkTo(port: number, host = "127.0.0.1"): Talk {
  return talkOver(connect({ port, host }));
}

export function talkOver(socket: Socket): Talk {
  socket.setNoDelay(true);
  let heard = "";
  let ended = false;
  const waiting: (() => void)[] = [];
  const wake = () => {
    for (const go of waiting.splice(0)) go();
  };
  const change = () => new Promise<void>((resolve) => waiting.push(resolve));
  socket.setEncoding("utf8");
  socket.on("data", (text: string) => {
    heard += text;
    wake();
  });
  // A reset counts as an end.
  socket.on("error", () => undefined);
  socket.on("close", () => {
    ended = true;
    wake();
  });

  const talk: Talk = {
    socket,
    say: (...lines) => void socket.write(lines.map((line) => `${line}\r\n`).join("")),
    send: (bytes) => void socket.write(bytes),
    async hear() {
      for (;;) {
        const reply = wholeReply(heard);
        if (reply !== undefined) {
          heard = heard.slice(reply.length);
          return reply.trimEnd();
        }
        if (ended) throw new Error(`the connection ended, before a reply; heard: ${JSON.stringify(heard)}`);
        await change();
      }
    },
    ask(line) {
      talk.say(line);
      return talk.hear();
    },
    async bye() {
      while (!ended) await change();
      return heard.trimEnd();
    },
    close: () => socket.destroy(),
  };
  return talk;
}

function wholeReply(heard: string): string | undefined {
  let start = 0;
  for (;;) {
    const end = heard.indexOf("\r\n", start);
    if (end < 0) return undefined;
    if (heard[start + 3] !== "-") return heard.slice(0, end + 2);
    start = end + 2;
  }
}

import { connect, type Socket } from "node:net";

/** One side of a conversation over a real socket: what is said and what is heard, line by line. */
export interface Talk {
  socket: Socket;
  /** Sends the lines, each ended by CRLF, in one write. */
  say(...lines: string[]): void;
  /** Sends bytes as they are. */
  send(bytes: string | Uint8Array): void;
  /** Waits for one whole reply (all lines of a multi-line one) and gives it; throws when the connection ends first. */
  hear(): Promise<string>;
  /** Says a line and gives the reply to it. */
  ask(line: string): Promise<string>;
  /** Waits until the other side has closed, and gives what it said before. */
  bye(): Promise<string>;
  close(): void;
}

/** Connects to a server that talks in lines, as SMTP does. */
export function talkTo(port: number, host = "127.0.0.1"): Talk {
  return talkOver(connect({ port, host }));
}

/** Talks over a socket that is connected or will be, with TLS for example. */
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
  // A reset is an end like any other here.
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

import { dateOf } from "./imapd.ts";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { MailServer } from "./hosted.ts";

/** An IMAP server on loopback with one letter in every inbox, which may stall within an answer. */
export interface Stalling extends MailServer {
  letter: string;
  at: RegExp | undefined;
  drips: boolean;
  readonly stalled: number;
  connections(): number;
  close(): Promise<void>;
}

const lengthOf = 100_000;
const dripMs = 5;

export async function openStalling(): Promise<Stalling> {
  const sockets = new Set<Socket>();
  let stalled = 0;
  const answer = (socket: Socket, line: string): void => {
    const [tag = "", ...words] = line.split(" ");
    const asked = words.join(" ").replace(/^UID /, "");
    const name = /^\w+/.exec(asked)?.[0] ?? "";
    if (name === "FETCH" && server.at?.test(asked)) {
      stalled++;
      socket.write(
        `* 1 FETCH (UID 1 ${/ENVELOPE/.test(asked) ? "ENVELOPE (NIL " : "BODY[] "}{${lengthOf}}\r\nhalf`,
      );
      if (!server.drips) return;
      const dripping = setInterval(() => socket.write("x"), dripMs);
      return void socket.once("close", () => clearInterval(dripping));
    }
    socket.write([...saysOf(name, asked, server.letter), `${tag} OK done`, ""].join("\r\n"));
    if (name === "LOGOUT") socket.end();
  };
  const listener = createServer((socket) => {
    sockets.add(socket);
    let heard = "";
    socket.on("data", (bytes) => {
      const lines = (heard + bytes.toString("latin1")).split("\r\n");
      heard = lines.pop() ?? "";
      for (const line of lines) answer(socket, line);
    });
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    socket.write("* OK ready\r\n");
  });
  await new Promise<void>((up) => listener.listen(0, "localhost", up));
  const server: Stalling = {
    host: "localhost",
    port: (listener.address() as AddressInfo).port,
    password: "correct-horse-battery",
    letter: "",
    at: undefined,
    drips: false,
    get stalled() {
      return stalled;
    },
    addUsers: () => Promise.resolve(),
    connections: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((down) => listener.close(down));
    },
  };
  return server;
}

/** The untagged answers of a command. */
function saysOf(name: string, asked: string, letter: string): string[] {
  const came = `INTERNALDATE "${dateOf(new Date())}"`;
  switch (name) {
    case "CAPABILITY":
      return ["* CAPABILITY IMAP4rev1"];
    case "LIST":
      return [`* LIST () "/" "INBOX"`];
    case "EXAMINE":
      return ["* FLAGS ()", "* 1 EXISTS", "* OK [UIDVALIDITY 7] valid", "* OK [UIDNEXT 2] next"];
    case "SEARCH":
      return ["* SEARCH 1"];
    case "FETCH": {
      const source = `BODY[] {${letter.length}}\r\n${letter}`;
      const head = `${came} RFC822.SIZE ${letter.length} ENVELOPE (NIL NIL NIL NIL NIL NIL NIL NIL NIL NIL)`;
      return [`* 1 FETCH (UID 1 ${asked.includes("BODY") ? source : head})`];
    }
    default:
      return [];
  }
}

/** "17-Jul-2026 02:44:25 +0000" (RFC 9051 §9, date-time). */

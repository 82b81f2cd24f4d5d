// An IMAP server on loopback that misbehaves where a test tells it to: it holds letters, and asks before each answer.
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { MailServer } from "./hosted.ts";

/** `heads` and `body` are the two kinds of FETCH. */
export type Command =
  | "greeting"
  | "login"
  | "list"
  | "examine"
  | "status"
  | "heads"
  | "body"
  | "idle"
  | "noop";

export interface Question {
  readonly command: Command;
  readonly login: string;
  readonly folder: string;
  /** Of a body: the letter that is asked for. */
  readonly uid: number | undefined;
  readonly line: string;
}

/** What the server does instead of a right answer. */
export interface Twist {
  /** Untagged lines before the answer. */
  readonly before?: readonly string[];
  /** A tagged answer without anything else: "NO [THROTTLED] later". */
  readonly says?: string;
  readonly isDropped?: boolean;
  /** Answers nothing, ever. */
  readonly isSilent?: boolean;
  /** Drops the connection within the letter. */
  readonly isCut?: boolean;
  readonly lateMs?: number;
  readonly body?: "none" | "NIL" | "{0}" | '""' | "split" | "without UID";
  /** So many of the newest letters are not known yet to a list of heads. */
  readonly lag?: number;
  readonly isTwice?: boolean;
  /** Lower case, and the items in another order. */
  readonly isRespelt?: boolean;
}

export interface ImapLetter {
  readonly uid: number;
  readonly raw: string;
  readonly at: Date;
}

interface Folder {
  /** Undefined: the server does not tell any. */
  validity: number | undefined;
  next: number;
  letters: ImapLetter[];
}

interface Session {
  readonly socket: Socket;
  login: string;
  folder: string;
  idling: string | undefined;
}

export interface Imapd extends MailServer {
  twist: (question: Question) => Twist | undefined;
  /** As the answers of LIST have them. */
  folders: string[];
  capability: string;
  /** Whether it tells who waits by IDLE of new letters. */
  tells: boolean;
  validity: number | undefined;
  tellsNext: boolean;
  /** What it says of the size of each letter. */
  sizeOf: (letter: ImapLetter) => number;
  /** The box that a login opens: its own, or that of another one (an alias). */
  boxOf: (login: string) => string;
  /** What it calls the folders of a login (MAILBOXID of RFC 8474); undefined: it does not. */
  mailboxIdOf: (login: string) => string | undefined;
  /** By how much its dates are ahead. */
  aheadMs: number;
  readonly asked: Question[];
  connections(): number;
  folder(login: string, name?: string): Folder;
  put(login: string, raw: string, where?: { folder?: string; at?: Date; uid?: number }): number;
  remove(login: string, uid: number, folder?: string): void;
  /** Ends every connection, as a restart does. */
  hangUp(login?: string): void;
  close(): Promise<void>;
}

/** Opens one; every account opens with any password. */
export async function openImapd(): Promise<Imapd> {
  const accounts = new Map<string, Map<string, Folder>>();
  const sessions = new Set<Session>();
  const listener = createServer((socket) => {
    const session: Session = { socket, login: "", folder: "", idling: undefined };
    sessions.add(session);
    socket.setNoDelay(true).on("error", () => undefined);
    socket.on("close", () => sessions.delete(session));
    const greeting = server.twist({ command: "greeting", login: "", folder: "", uid: undefined, line: "" });
    if (greeting?.isDropped) return void socket.destroy();
    socket.write(`* ${greeting?.says ?? "OK ready"}\r\n`);
    if (greeting?.says) return void socket.end();
    let heard = "";
    let going = Promise.resolve();
    socket.on("data", (bytes) => {
      const lines = (heard + bytes.toString("latin1")).split("\r\n");
      heard = lines.pop() ?? "";
      for (const line of lines) going = going.then(() => answer(server, session, line));
    });
  });
  await once(listener.listen(0, "localhost"), "listening");
  const server: Imapd = {
    host: "localhost",
    port: (listener.address() as AddressInfo).port,
    password: "correct-horse-battery",
    twist: () => undefined,
    folders: ['() "/" INBOX'],
    capability: "IMAP4rev1 IDLE",
    tells: true,
    validity: 7,
    tellsNext: true,
    sizeOf: ({ raw }) => raw.length,
    boxOf: (login) => login,
    mailboxIdOf: () => undefined,
    aheadMs: 0,
    asked: [],
    addUsers: () => Promise.resolve(),
    connections: () => sessions.size,
    folder: (login, name = "INBOX") => {
      const box = server.boxOf(login);
      const folders = accounts.get(box) ?? new Map<string, Folder>();
      accounts.set(box, folders);
      const folder = folders.get(name) ?? { validity: server.validity, next: 1, letters: [] };
      folders.set(name, folder);
      return folder;
    },
    put: (login, raw, { folder: name = "INBOX", at, uid } = {}) => {
      const folder = server.folder(login, name);
      const letter = { uid: uid ?? folder.next, raw, at: at ?? new Date(Date.now() + server.aheadMs) };
      folder.next = Math.max(folder.next, letter.uid + 1);
      folder.letters = [...folder.letters, letter].toSorted((a, b) => a.uid - b.uid);
      const isOpenIn = (session: Session) =>
        server.boxOf(session.login) === server.boxOf(login) && session.folder === name;
      for (const session of sessions)
        if (server.tells && session.idling && isOpenIn(session))
          session.socket.write(`* ${folder.letters.length} EXISTS\r\n`);
      return letter.uid;
    },
    remove: (login, uid, name) => {
      const folder = server.folder(login, name);
      folder.letters = folder.letters.filter((letter) => letter.uid !== uid);
    },
    hangUp: (login) => {
      for (const session of sessions)
        if (login === undefined || session.login === login) session.socket.destroy();
    },
    close: async () => {
      for (const { socket } of sessions) socket.destroy();
      listener.close();
      await once(listener, "close");
    },
  };
  return server;
}

const commands: Readonly<Record<string, Command>> = {
  LOGIN: "login",
  LIST: "list",
  EXAMINE: "examine",
  STATUS: "status",
  IDLE: "idle",
  NOOP: "noop",
};

const asksBody = /BODY\.PEEK\[\]/i;

const worded = (text: string) =>
  [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? "") : quoted.replaceAll(/\\(.)/g, "$1"),
  );

async function answer(server: Imapd, session: Session, line: string): Promise<void> {
  const { socket } = session;
  if (session.idling) {
    socket.write(`${session.idling} OK done\r\n`);
    session.idling = undefined;
    return;
  }
  const [, tag = "", uidWord, name = "", rest = ""] = /^(\S+) (UID )?(\w+) ?(.*)$/i.exec(line) ?? [];
  const verb = name.toUpperCase();
  const command = verb === "FETCH" ? (asksBody.test(rest) ? "body" : "heads") : commands[verb];
  if (verb === "LOGIN") session.login = worded(rest)[0] ?? "";
  const uid = command === "body" ? Number(/^\d+/.exec(rest)?.[0]) : undefined;
  const folder = verb === "EXAMINE" || verb === "STATUS" ? (worded(rest)[0] ?? "") : session.folder;
  const question = command && { command, login: session.login, folder, uid, line };
  if (question) server.asked.push(question);
  const twist = (question && server.twist(question)) ?? {};
  if (twist.lateMs !== undefined) await new Promise((resolve) => setTimeout(resolve, twist.lateMs));
  if (twist.isDropped) return void socket.destroy();
  if (twist.isSilent) return;
  const said = [...(twist.before ?? [])];
  if (twist.says !== undefined) {
    socket.write([...said, `${tag} ${twist.says}`, ""].join("\r\n"));
    if (twist.says.startsWith("BYE")) socket.end();
    return;
  }
  const open = () => server.folder(session.login, session.folder);
  switch (verb) {
    case "CAPABILITY":
      said.push(`* CAPABILITY ${server.capability}`);
      break;
    case "LIST":
    case "LSUB": {
      const wanted = worded(rest)[1];
      const all = wanted === "INBOX" ? ['() "/" INBOX'] : server.folders;
      if (wanted !== "") said.push(...all.map((each) => `* ${verb} ${each}`));
      else said.push(`* ${verb} (\\Noselect) "/" ""`);
      break;
    }
    case "EXAMINE": {
      session.folder = folder;
      const { validity, next, letters } = open();
      said.push("* FLAGS (\\Seen)", `* ${letters.length} EXISTS`);
      if (server.tellsNext) said.push(`* OK [UIDNEXT ${next}] next`);
      if (validity !== undefined) said.push(`* OK [UIDVALIDITY ${validity}] valid`);
      const id = server.mailboxIdOf(session.login);
      if (id !== undefined) said.push(`* OK [MAILBOXID (${id})] called`);
      break;
    }
    case "STATUS": {
      const { validity, next } = server.folder(session.login, folder);
      said.push(
        `* STATUS "${folder}" (${server.tellsNext ? `UIDNEXT ${next} ` : ""}UIDVALIDITY ${validity ?? 0})`,
      );
      break;
    }
    case "FETCH":
      said.push(...fetched(server, open(), { rest, isByUid: uidWord !== undefined, twist }));
      break;
    case "SEARCH":
      said.push(["* SEARCH", ...known(open(), twist).map((each) => each.uid)].join(" "));
      break;
    case "NOOP":
      if (session.folder !== "") said.push(`* ${open().letters.length} EXISTS`);
      break;
    case "IDLE":
      session.idling = tag;
      return void socket.write([...said, "+ idling", ""].join("\r\n"));
    case "LOGOUT":
      return void socket.end(`* BYE\r\n${tag} OK\r\n`);
  }
  const text = [...said, `${tag} OK done`, ""].join("\r\n");
  if (!twist.isCut) return void socket.write(text, "latin1");
  socket.write(text.slice(0, text.length >> 1), "latin1", () => socket.destroy());
}

const known = ({ letters }: Folder, { lag = 0 }: Twist) => letters.slice(0, letters.length - lag);

interface Fetch {
  readonly rest: string;
  readonly isByUid: boolean;
  readonly twist: Twist;
}

function fetched(server: Imapd, folder: Folder, { rest, isByUid, twist }: Fetch): string[] {
  const isBody = asksBody.test(rest);
  const all = known(folder, isBody ? {} : twist);
  const numbers = all.map((letter, place) => (isByUid ? letter.uid : place + 1));
  const isWanted = rangesOf(rest.split(" ")[0] ?? "", Math.max(0, ...numbers));
  const lines = all.flatMap((letter, place) => {
    if (!isWanted(numbers[place] ?? 0)) return [];
    const items = [`INTERNALDATE "${dateOf(letter.at)}"`, `RFC822.SIZE ${server.sizeOf(letter)}`];
    const [, names] = /HEADER\.FIELDS \(([^)]*)\)/i.exec(rest) ?? [];
    if (names !== undefined) items.push(fieldsOf(letter, names));
    if (rest.includes("ENVELOPE")) items.push(envelopeOf(letter));
    return rowsOf(letter, place + 1, isBody ? [] : items, isBody ? sourceOf(letter, rest) : undefined, twist);
  });
  const told = twist.isTwice ? [...lines, ...lines] : lines;
  return twist.isRespelt && !isBody ? told.toReversed() : told;
}

function fieldsOf({ raw }: ImapLetter, names: string): string {
  const [head = ""] = raw.split("\r\n\r\n", 1);
  const fields = head.match(/^.*(?:\r\n[ \t].*)*/gm) ?? [];
  const wanted = names.toLowerCase().replaceAll('"', "").split(" ");
  const found = fields.filter((field) => wanted.includes(field.split(":", 1)[0]?.toLowerCase() ?? ""));
  const text = [...found, "", ""].join("\r\n");
  return `BODY[HEADER.FIELDS (${names})] {${text.length}}\r\n${text}`;
}

/** With the sender alone. */
function envelopeOf({ raw }: ImapLetter): string {
  const [, name = "", host = ""] = /^from:.*?([^<\s]+)@([^>\s]+)/im.exec(raw) ?? [];
  return `ENVELOPE (NIL NIL ((NIL NIL "${name}" "${host}")) NIL NIL NIL NIL NIL NIL NIL)`;
}

/** BODY.PEEK[]<0.100> is the first hundred bytes. */
function sourceOf({ raw }: ImapLetter, rest: string): { name: string; raw: string } {
  const [, start, count] = /\[\]<(\d+)\.(\d+)>/.exec(rest) ?? [];
  if (start === undefined) return { name: "BODY[]", raw };
  return { name: `BODY[]<${start}>`, raw: raw.slice(Number(start), Number(start) + Number(count)) };
}

function rowsOf(
  { uid }: ImapLetter,
  seq: number,
  items: string[],
  source: { name: string; raw: string } | undefined,
  { body, isRespelt }: Twist,
): string[] {
  const row = (...parts: string[]) => {
    const ordered = isRespelt ? parts.toReversed() : parts;
    return `* ${seq} ${isRespelt ? "fetch" : "FETCH"} (${ordered.join(" ")})`;
  };
  if (!source) return [row(`UID ${uid}`, ...items)];
  const whole = `${isRespelt ? source.name.toLowerCase() : source.name} {${source.raw.length}}\r\n${source.raw}`;
  switch (body) {
    case "none":
      return [];
    case "split":
      return [row(`UID ${uid}`), row(whole)];
    case "without UID":
      return [row(whole)];
    case "{0}":
      return [row(`UID ${uid}`, "BODY[] {0}\r\n")];
    case "NIL":
    case '""':
      return [row(`UID ${uid}`, `BODY[] ${body}`)];
    default:
      return [row(`UID ${uid}`, whole)];
  }
}

/** "3:5,9,12:*": a range whose end is missing, or before its start, is one all the same (RFC 9051 §9, seq-range). */
function rangesOf(set: string, last: number): (number: number) => boolean {
  const ranges = set.split(",").map((part) => {
    const ends = part.split(":").map((end) => (end === "*" ? last : Number(end)));
    return [Math.min(...ends), Math.max(...ends)] as const;
  });
  return (number) => ranges.some(([from, to]) => from <= number && number <= to);
}

/** "17-Jul-2026 02:44:25 +0000" (RFC 9051 §9, date-time). */
export function dateOf(at: Date): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) (\S+)/.exec(at.toUTCString()) ?? [];
  return `${day}-${month}-${year} ${time} +0000`;
}

// A name server on loopback (RFC 1035): UDP, and TCP for long answers.
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** Records of a name by type; each list of texts is one record. */
export interface Records {
  readonly A?: readonly string[];
  readonly AAAA?: readonly string[];
  readonly TXT?: readonly string[];
  readonly MX?: readonly (readonly [priority: number, exchange: string])[];
  readonly PTR?: readonly string[];
}

export interface NameServer {
  readonly address: string;
  /** Missing names do not exist; "broken" is a server failure. */
  readonly names: Map<string, Records | "broken">;
  readonly asked: string[];
  isSilent: boolean;
  stop(): Promise<void>;
}

const types = { A: 1, PTR: 12, MX: 15, TXT: 16, AAAA: 28 };
type Type = keyof typeof types;
const datagramBytesMax = 1_200;
const ok = 0;
const serverFailure = 2;
const noSuchName = 3;
const isAnswer = 0x8400;
const isTruncated = 0x0200;

export async function openNameServer(names: Record<string, Records | "broken"> = {}): Promise<NameServer> {
  const { udp, tcp, port } = await openDoors();
  const server: NameServer = {
    address: `127.0.0.1:${port}`,
    names: new Map(Object.entries(names)),
    asked: [],
    isSilent: false,
    async stop() {
      udp.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all([once(udp, "close"), new Promise((done) => tcp.close(done))]);
    },
  };
  udp.on("message", (query, from) => {
    const said = answer(server, query);
    if (said.length > datagramBytesMax) said.writeUInt16BE(said.readUInt16BE(2) | isTruncated, 2);
    const whole = said.length > datagramBytesMax ? emptied(said, query) : said;
    if (!server.isSilent) udp.send(whole, from.port, from.address);
  });
  const sockets = new Set<Socket>();
  tcp.on("connection", (socket) => {
    sockets.add(socket);
    let heard = Buffer.alloc(0);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (chunk: Buffer) => {
      heard = Buffer.concat([heard, chunk]);
      while (heard.length >= 2 && heard.length >= 2 + heard.readUInt16BE(0)) {
        const said = answer(server, heard.subarray(2, 2 + heard.readUInt16BE(0)));
        heard = heard.subarray(2 + heard.readUInt16BE(0));
        if (!server.isSilent) socket.write(Buffer.concat([uint16(said.length), said]));
      }
    });
  });
  return server;
}

async function openDoors(): Promise<{ udp: UdpSocket; tcp: Server; port: number }> {
  const tcp = createServer().listen(0, "127.0.0.1");
  await once(tcp, "listening");
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket("udp4").bind(port, "127.0.0.1");
  try {
    await once(udp, "listening");
    return { udp, tcp, port };
  } catch {
    // Taken for UDP.
    tcp.close();
    return openDoors();
  }
}

function answer(server: NameServer, query: Buffer): Buffer {
  const { name, type, end } = questionOf(query);
  server.asked.push(`${type ?? "?"} ${name}`);
  const known = server.names.get(name);
  const found = typeof known === "object" && type !== undefined ? dataOf(known, type) : [];
  const status = known === "broken" ? serverFailure : known === undefined ? noSuchName : ok;
  const recursion = query.readUInt16BE(2) & 0x0100;
  const head = [query.readUInt16BE(0), isAnswer | recursion | status, 1, found.length, 0, 0].map(uint16);
  const records = found.flatMap((data) => [
    uint16(0xc00c),
    uint16(types[type ?? "A"]),
    uint16(1),
    Buffer.from([0, 0, 0, 60]),
    uint16(data.length),
    data,
  ]);
  return Buffer.concat([...head, query.subarray(12, end), ...records]);
}

/** A truncated answer, so that the client repeats by TCP. */
function emptied(said: Buffer, query: Buffer): Buffer {
  const head = Buffer.from(said.subarray(0, questionOf(query).end));
  head.writeUInt16BE(0, 6);
  return head;
}

function questionOf(query: Buffer): { name: string; type: Type | undefined; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const code = query.readUInt16BE(at + 1);
  const [type] = (Object.keys(types) as Type[]).filter((each) => types[each] === code);
  return { name: labels.join(".").toLowerCase(), type, end: at + 5 };
}

function dataOf(known: Records, type: Type): Buffer[] {
  if (type === "A") return (known.A ?? []).map((address) => Buffer.from(address.split(".").map(Number)));
  if (type === "AAAA") return (known.AAAA ?? []).map(sixOf);
  if (type === "MX")
    return (known.MX ?? []).map(([priority, host]) => Buffer.concat([uint16(priority), nameOf(host)]));
  if (type === "PTR") return (known.PTR ?? []).map(nameOf);
  return (known.TXT ?? []).map((text) =>
    Buffer.concat((text.match(/.{1,255}/gs) ?? [""]).map((part) => counted(Buffer.from(part, "latin1")))),
  );
}

/** All eight groups written out. */
const sixOf = (address: string) =>
  Buffer.concat(address.split(":").map((group) => uint16(Number.parseInt(group, 16))));

const nameOf = (name: string) =>
  Buffer.concat([...name.split(".").map((label) => counted(Buffer.from(label, "latin1"))), Buffer.from([0])]);

const counted = (bytes: Buffer) => Buffer.concat([Buffer.from([bytes.length]), bytes]);

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

// Letters per second that are answered 250 (on disk), beside the least that a server can do for it: read to the end, write a
// file, sync it. Two sizes, few and many connections; shop and peer in turns, in one run, on one disk.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { connect as connectTo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as inventory from "../src/server/inventory/inventory.ts";
import { connect } from "../src/server/kit/db.ts";
import { startEmbedded } from "../src/server/kit/embedded.ts";
import { migrate } from "../src/server/kit/migrate.ts";

const sizes = [2_000, 30_000];
const connectionCounts = [10, 100];
const mailboxCount = 1_000;
const warmSeconds = 1;
const seconds = 5;

interface Figure {
  perSecond: number;
  p50: number;
  p99: number;
  /** From the first letter to the last one judged. */
  judgedPerSecond: number;
  /** Of the server's own process, not of the database's. */
  cpuEach: number;
}

/** Measures and prints. */
export async function measure(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "postern-bench-"));
  const silent = { info: () => undefined, warn: () => undefined };
  const database = await startEmbedded({ dataDir: folder, log: silent });
  try {
    const addresses = await stock(database.url);
    const rows = [];
    for (const size of sizes) {
      for (const connections of connectionCounts) {
        const load = { letter: letterOf(size), connections, addresses };
        const peer = await measureServer(["peer", await freshFolder(folder)], load);
        const shop = await measureServer(["shop", database.url], load);
        rows.push(rowOf(size, connections, shop, peer));
      }
    }
    console.table(rows);
  } finally {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const rowOf = (size: number, connections: number, shop: Figure, peer: Figure) => ({
  letter: `${size / 1000} KB`,
  connections,
  "letters/s": Math.round(shop.perSecond),
  "p50 ms": shop.p50.toFixed(1),
  "p99 ms": shop.p99.toFixed(1),
  "judged/s": Math.round(shop.judgedPerSecond),
  "CPU ms each": shop.cpuEach.toFixed(2),
  "peer letters/s": Math.round(peer.perSecond),
  "of peer": `${(shop.perSecond / peer.perSecond).toFixed(1)} x`,
});

async function stock(url: string): Promise<string[]> {
  const db = connect(url, { max: 2, name: "bench" });
  await migrate(db);
  const [domain] = await db<{ id: number }[]>`
    insert into mail_domain (name, price) values ('letters.test', 350000) returning id`;
  if (!domain) throw new Error("no mail domain was made");
  await inventory.addStock(db, domain.id, mailboxCount);
  const mailboxes = await db<
    { address: string }[]
  >`select local_part || '@letters.test' as address from mailbox`;
  await db.end();
  return mailboxes.map(({ address }) => address);
}

async function freshFolder(folder: string): Promise<string> {
  const fresh = join(folder, "peer");
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh);
  return fresh;
}

/** A verification letter as sites send it: plain and HTML, filled up to its size with more of the HTML. */
function letterOf(size: number): string {
  const head = [
    "From: Instagram <no-reply@mail.instagram.com>",
    "To: someone@letters.test",
    "Subject: 482913 is your Instagram code",
    "Message-ID: <482913.1@mail.instagram.com>",
    "MIME-Version: 1.0",
    'Content-Type: multipart/alternative; boundary="=_part"',
    "",
    "--=_part",
    "Content-Type: text/plain; charset=utf-8",
    "",
    "Your confirmation code: 482913",
    "--=_part",
    "Content-Type: text/html; charset=utf-8",
    "Content-Transfer-Encoding: quoted-printable",
    "",
    '<html><head><style>p{color:#202123}</style></head><body><p>Your code:</p><p style=3D"font-size:24px">482913</p>',
  ];
  const filler =
    '<tr><td style=3D"padding:0 8px;font-size:13px;color:#8e8e8e">from the team=E2=80=99s letter</td></tr>';
  const lines = [...head];
  while (lines.join("\r\n").length < size - 120) lines.push(filler);
  return [...lines, "</body></html>", "--=_part--", ""].join("\r\n");
}

interface Load {
  letter: string;
  connections: number;
  addresses: string[];
}

async function measureServer(server: [string, string], load: Load): Promise<Figure> {
  const child = fork(join(import.meta.dirname, "letters.kit.ts"), server, { stdio: "inherit" });
  try {
    const [{ port }] = (await once(child, "message")) as [{ port: number }];
    await drive(port, load, warmSeconds);
    const cpuBefore = await drained(child);
    const start = performance.now();
    const took = await drive(port, load, seconds);
    const spent = (performance.now() - start) / 1000;
    const cpu = (await drained(child)) - cpuBefore;
    const judged = (performance.now() - start) / 1000;
    took.sort((a, b) => a - b);
    const at = (share: number) => took[Math.floor(took.length * share)] ?? 0;
    return {
      perSecond: took.length / spent,
      p50: at(0.5),
      p99: at(0.99),
      judgedPerSecond: took.length / judged,
      cpuEach: cpu / took.length,
    };
  } finally {
    child.kill();
    await once(child, "exit");
  }
}

/** Waits until all is done that a server has to do for its letters; gives the processor time that it has used so far. */
async function drained(child: ChildProcess): Promise<number> {
  child.send("drain");
  const [{ cpuMilliseconds }] = (await once(child, "message")) as [{ cpuMilliseconds: number }];
  return cpuMilliseconds;
}

/** Each connection sends its next letter when the last is answered; gives how long each took, in milliseconds. */
async function drive(port: number, load: Load, forSeconds: number): Promise<number[]> {
  const took: number[] = [];
  const end = performance.now() + forSeconds * 1000;
  await Promise.all(
    Array.from({ length: load.connections }, async (_, index) => {
      const socket = connectTo({ port, host: "127.0.0.1" });
      socket.setNoDelay(true);
      const hear = hearFrom(socket);
      await hear(1);
      socket.write("EHLO bench\r\n");
      await hear(1);
      for (let turn = index; performance.now() < end; turn += load.connections) {
        const start = performance.now();
        const address = load.addresses[turn % load.addresses.length];
        socket.write(`MAIL FROM:<a@mail.instagram.com>\r\nRCPT TO:<${address}>\r\nDATA\r\n`);
        await hear(3);
        socket.write(`${load.letter}.\r\n`);
        await hear(1);
        took.push(performance.now() - start);
      }
      socket.destroy();
    }),
  );
  return took;
}

/** Waits for so many replies, and throws on one that is none of a letter that was taken. */
function hearFrom(socket: Socket): (count: number) => Promise<void> {
  let heard = "";
  let wake = () => {};
  socket.setEncoding("latin1");
  socket.on("data", (text: string) => {
    heard += text;
    wake();
  });
  socket.on("close", () => wake());
  return async (count) => {
    for (let left = count; left > 0;) {
      const at = heard.indexOf("\r\n");
      if (at < 0) {
        if (socket.destroyed) throw new Error("the server hung up");
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      if (!/^[23]/.test(heard)) throw new Error(`the server said: ${heard.slice(0, at)}`);
      if (heard[3] !== "-") left--;
      heard = heard.slice(at + 2);
    }
  };
}

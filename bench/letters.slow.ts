// `npm run bench -- letters slow [connections] [megabytes] [seconds]`: memory while many slow senders send long letters at once.
// One process with the embedded database; all letters must be accepted.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../src/server/platform/db/db.ts";
import { furnish } from "./letters.place.kit.ts";
import { clock, memoryOf, withFolder } from "./process.kit.ts";
import { onDatabase, startShop } from "./shop.kit.ts";

const mailboxes = 1_000;
const megabyte = 1_000_000;
const tickMilliseconds = 50;
const allocator = { MALLOC_MMAP_THRESHOLD_: "131072" };

export async function measure(words: string[] = []): Promise<void> {
  const [connections = 1_000, megabytes = 10, seconds = 300] = words.map(Number);
  await withFolder(async (folder) => {
    const place = await furnish(folder, mailboxes, 1);
    const shop = await startShop(place, allocator);
    const letter = longLetter(megabytes * megabyte);
    const peaks = { program: 0, withDatabase: 0 };
    const row: Record<string, string | number> = {
      connections,
      "MB each": megabytes,
      "sent over s": seconds,
    };
    try {
      const senders = await Promise.all(
        Array.from({ length: connections }, (_, index) => {
          const { address, sender } = place.targets[index % mailboxes]!;
          return openSender(shop.smtpPort, address, sender);
        }),
      );
      row["before, MB"] = inMegabytes(await residentOf(shop.pid));
      const watching = watch(shop.pid, peaks);
      const start = clock();
      const answers = senders.map(({ answer }) => answer());
      await drip(senders, letter, seconds);
      row["at their end, MB"] = inMegabytes(await residentOf(shop.pid));
      const said = await Promise.all(answers);
      row["answered after s"] = Math.round((clock() - start) / 1000);
      await watching.stop();
      row["taken"] = said.filter((reply) => reply.startsWith("250")).length;
      for (const reply of new Set(said.filter((one) => !one.startsWith("250"))))
        console.log(`refused: ${reply}`);
      row["peak, MB"] = inMegabytes(await peakOf(shop.pid));
      row["with database, MB"] = inMegabytes(peaks.withDatabase);
      for (const { socket } of senders) socket.destroy();
    } finally {
      await shop.stop();
    }
    row["kept"] = await onDatabase(place, countLetters);
    console.table([row]);
  });
}

async function countLetters(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::int as count from letter`;
  if (!row) throw new Error("a count has one row");
  return row.count;
}

const inMegabytes = (bytes: number) => Math.round(bytes / megabyte);

/** An incompressible attachment, and the final dot. */
function longLetter(sizeBytes: number): Buffer {
  const head = [
    "Subject: the pictures",
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="=_part"',
    "",
    "--=_part",
    "Content-Type: text/plain",
    "",
    "Your code is 482913.",
    "--=_part",
    "Content-Type: image/jpeg",
    'Content-Disposition: attachment; filename="picture.jpg"',
    "Content-Transfer-Encoding: base64",
    "",
    "",
  ].join("\r\n");
  const tail = "\r\n--=_part--\r\n.\r\n";
  const lines = Math.floor((sizeBytes - head.length - tail.length) / 78);
  const file = randomBytes(lines * 57)
    .toString("base64")
    .replace(/.{76}/g, "$&\r\n");
  return Buffer.from(head + file + tail);
}

interface Sender {
  socket: Socket;
  answer: () => Promise<string>;
}

async function openSender(port: number, address: string, sender: string): Promise<Sender> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => socket.destroy());
  const replies: string[] = [];
  let wake = () => {};
  socket.setEncoding("latin1");
  let heard = "";
  socket.on("data", (text: string) => {
    heard += text;
    for (let end = heard.indexOf("\r\n"); end >= 0; end = heard.indexOf("\r\n")) {
      if (heard[3] !== "-") replies.push(heard.slice(0, end));
      heard = heard.slice(end + 2);
    }
    wake();
  });
  socket.on("close", () => wake());
  const answer = async () => {
    while (replies.length === 0) {
      if (socket.destroyed) return "the connection was closed";
      await new Promise<void>((resolve) => (wake = resolve));
    }
    return replies.shift()!;
  };
  await answer();
  for (const line of ["EHLO bench.test", `MAIL FROM:<${sender}>`, `RCPT TO:<${address}>`, "DATA"]) {
    socket.write(`${line}\r\n`);
    const reply = await answer();
    if (!/^[23]/.test(reply)) throw new Error(`${line}: ${reply}`);
  }
  return { socket, answer };
}

/** Sends over all connections in small pieces, so that all end together. */
async function drip(senders: Sender[], letter: Buffer, seconds: number): Promise<void> {
  const start = clock();
  const sent = senders.map(() => 0);
  for (let left = senders.length; left > 0;) {
    const due = Math.min(letter.length, Math.ceil((letter.length * (clock() - start)) / (seconds * 1000)));
    left = 0;
    for (const [index, { socket }] of senders.entries()) {
      if (socket.destroyed || sent[index] === letter.length) continue;
      left++;
      // Waits like a real sender when the server does not read.
      if (socket.writableNeedDrain) continue;
      socket.write(letter.subarray(sent[index], due));
      sent[index] = due;
    }
    await sleep(tickMilliseconds);
  }
  await Promise.all(
    senders
      .filter(({ socket }) => socket.writableNeedDrain && !socket.destroyed)
      .map(({ socket }) => once(socket, "drain")),
  );
}

function watch(pid: number, peaks: { withDatabase: number }): { stop: () => Promise<void> } {
  let isOver = false;
  const look = async () => {
    while (!isOver) {
      peaks.withDatabase = Math.max(peaks.withDatabase, await memoryOf(pid));
      await sleep(1_000);
    }
  };
  const looking = look();
  return {
    stop: () => {
      isOver = true;
      return looking;
    },
  };
}

const residentOf = (pid: number) => statusOf(pid, "VmRSS");
const peakOf = (pid: number) => statusOf(pid, "VmHWM");

async function statusOf(pid: number, field: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(text)?.[1]) * 1024;
}

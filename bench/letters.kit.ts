// The servers that bench/letters.ts measures, each in a process of its own: `node bench/letters.kit.ts shop <database url>`
// and `node bench/letters.kit.ts peer <folder>`. They say their port, and how many letters are judged when asked.
import { open } from "node:fs/promises";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { find } from "../src/server/inventory/inventory.ts";
import { connect } from "../src/server/kit/db.ts";
import { createLog } from "../src/server/kit/log.ts";
import { openLetters, openReception } from "../src/server/letters/letters.ts";
import { deliver, waiting } from "../src/server/orders/orders.ts";

const [kind, where = ""] = process.argv.slice(2);
if (kind === "shop") await openShop(where);
else await openPeer(where);

function sayDone(): void {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMilliseconds: (user + system) / 1000 });
}

/** Reception as the shop runs it: mailboxes looked up, letters durable before 250, then parsed, matched and judged. */
async function openShop(url: string): Promise<void> {
  const db = connect(url, { max: 8, name: "bench" });
  const log = createLog("error");
  const letters = openLetters(db, { waiting, deliver, sendersOf: async () => undefined, log });
  const reception = await openReception({
    host: "127.0.0.1",
    port: 0,
    hostname: "mx.letters.test",
    log,
    isOurDomain: (domain) => domain === "letters.test",
    isOurs: (address) => find(db, address),
    keep: letters.keep,
  });
  process.on("message", () => void letters.drain().then(sayDone));
  process.send?.({ port: reception.port });
}

/** As little as a server can do that keeps its word: it reads to CRLF.CRLF, writes one file for each letter, and syncs it. */
async function openPeer(folder: string): Promise<void> {
  let count = 0;
  const keep = async (letter: Buffer) => {
    const file = await open(join(folder, String(count++)), "w");
    await file.write(letter);
    await file.sync();
    await file.close();
  };
  const server = createServer((socket) => speak(socket, keep));
  process.on("message", sayDone);
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
}

const end = Buffer.from("\r\n.\r\n");

function speak(socket: Socket, keep: (letter: Buffer) => Promise<void>): void {
  let heard = Buffer.alloc(0);
  let isData = false;
  const read = () => {
    if (isData) {
      const at = heard.indexOf(end);
      if (at < 0) return;
      const letter = heard.subarray(0, at + 2);
      heard = heard.subarray(at + end.length);
      isData = false;
      keep(letter).then(
        () => socket.write("250 kept\r\n"),
        () => socket.destroy(),
      );
      return;
    }
    for (let at = heard.indexOf("\r\n"); at >= 0 && !isData; at = heard.indexOf("\r\n")) {
      isData = heard.subarray(0, 4).toString() === "DATA";
      heard = heard.subarray(at + 2);
      socket.write(isData ? "354 go on\r\n" : "250 well\r\n");
    }
  };
  socket.setNoDelay(true);
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk) => {
    heard = Buffer.concat([heard, chunk]);
    read();
  });
  socket.write("220 peer\r\n");
}

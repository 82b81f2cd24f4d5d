import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { MailServer } from "./hosted.ts";

const noted = fileURLToPath(new URL("../../.cache/courier/path", import.meta.url));
const program = existsSync(noted) ? readFileSync(noted, "utf8") : "";

/** Why there is no Courier to test with; undefined when there is one. */
export const noCourier =
  program === ""
    ? "SKIPPED: there is no Courier here (node scripts/setup.mjs courier unpacks Debian's)"
    : undefined;

export interface Courier extends MailServer {
  drop(login: string, letter: string, where?: { folder?: "Junk"; at?: Date }): Promise<void>;
}

const password = "correct-horse-battery";

/** A real Courier on loopback, stopped after the test. Its log-in needs a daemon as root, so it is ours; all that follows is Courier's. */
export async function startCourier(): Promise<Courier> {
  const root = await mkdtemp(join(tmpdir(), "postern-courier-"));
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    socket.on("close", () => sockets.delete(socket));
    admit(socket, root);
  });
  await once(listener.listen(0, "localhost"), "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    listener.close();
    await once(listener, "close");
    await rm(root, { recursive: true, force: true });
  });
  const place = (login: string, folder?: "Junk") => join(root, login, "Maildir", folder ? `.${folder}` : "");
  return {
    host: "localhost",
    port: (listener.address() as AddressInfo).port,
    password,
    addUsers: async (logins) => {
      for (const login of logins)
        for (const folder of [undefined, "Junk"] as const) {
          for (const part of ["tmp", "new", "cur"])
            await mkdir(join(place(login, folder), part), { recursive: true });
          if (folder) await writeFile(join(place(login, folder), "maildirfolder"), "");
        }
    },
    drop: async (login, letter, { folder, at } = {}) => {
      const name = `${Date.now()}.${randomBytes(6).toString("hex")}.test`;
      const [from = "", to = ""] = ["tmp", "new"].map((part) => join(place(login, folder), part, name));
      await writeFile(from, letter);
      if (at) await utimes(from, at, at);
      await rename(from, to);
    },
  };
}

function admit(socket: Socket, root: string): void {
  const lines = createInterface({ input: socket });
  socket.write("* OK ready\r\n");
  lines.on("line", (line) => {
    const [, tag = "", name = "", login = "", said = ""] =
      /^(\S+) (\w+)(?: "?([^" ]*)"? "?([^"]*)"?)?$/.exec(line) ?? [];
    if (name === "CAPABILITY") return void socket.write(`* CAPABILITY IMAP4rev1\r\n${tag} OK done\r\n`);
    if (name !== "LOGIN") return void socket.write(`${tag} BAD no\r\n`);
    if (said !== password) return void socket.write(`${tag} NO Login failed.\r\n`);
    lines.close();
    serve(socket, join(root, login), { login, tag });
  });
}

function serve(socket: Socket, cwd: string, { login, tag }: { login: string; tag: string }): void {
  const imapd = spawn(program, ["Maildir"], {
    cwd,
    env: { AUTHENTICATED: login, IMAP_CAPABILITY: "IMAP4rev1 UIDPLUS CHILDREN NAMESPACE IDLE" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  let greeting: string | undefined = "";
  imapd.stdout.on("data", (bytes: Buffer) => {
    if (greeting === undefined) return void socket.write(bytes);
    greeting += bytes.toString("latin1");
    const end = greeting.indexOf("* PREAUTH");
    if (end < 0 || !greeting.endsWith("\r\n")) return;
    greeting = undefined;
    socket.write(`${tag} OK LOGIN Ok.\r\n`);
  });
  imapd.stdin.on("error", () => undefined);
  socket.removeAllListeners("data").on("data", (bytes: Buffer) => imapd.stdin.write(bytes));
  socket.resume().on("close", () => imapd.kill());
  imapd.once("exit", () => socket.end());
}

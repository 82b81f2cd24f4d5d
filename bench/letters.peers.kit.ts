// Other programs that receive mail, each in its own folder on loopback, with defaults but no logs and no DNS look-ups.
import { spawn, type SpawnOptions } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mailDomain } from "./letters.place.kit.ts";
import { end, freePort, greeting, owned, run } from "./process.kit.ts";
import { postfix } from "./letters.postfix.kit.ts";

export interface Peer {
  name: string;
  prepare(folder: string): Promise<string | undefined>;
  start(folder: string, addresses: readonly string[]): Promise<Running>;
}

export interface Running {
  port: number;
  pid: number;
  count(): Promise<number>;
  finish(): Promise<void>;
  stop(): Promise<void>;
}

const peers: Peer[] = [postfix, maildev(), haraka(), inbucket(), mailhog()];

export async function ready(folder: string, names: readonly string[] = []): Promise<Peer[]> {
  const found: Peer[] = [];
  for (const peer of peers.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const why = await peer.prepare(folder);
    if (why === undefined) found.push(peer);
    else console.log(`not measured: ${peer.name} (${why})`);
  }
  return found;
}

/** They answer 250 after the delivery. */
const finish = () => Promise.resolve();

const quiet: SpawnOptions = { stdio: ["ignore", "ignore", "ignore"] };

/** Where npm installed the peers of Node. */
let modules = "";

/** Pinned so that figures can be compared, with libraries whose named versions some mirrors lack. Install scripts do not run. */
const packages = {
  private: true,
  dependencies: { maildev: "3.0.0", Haraka: "3.3.4" },
  overrides: { "encoding-japanese": "2.4.0", libqp: "2.1.2", "@zone-eu/mailsplit": "5.4.19" },
};

async function install(folder: string): Promise<string | undefined> {
  if (modules !== "") return undefined;
  const home = process.env["BENCH_PEERS"] ?? join(folder, "npm");
  if (!existsSync(join(home, "node_modules", "Haraka"))) {
    await mkdir(home, { recursive: true });
    await writeFile(join(home, "package.json"), JSON.stringify(packages));
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund"];
    const fault = await run("npm", ["install", ...flags], { cwd: home }).then(
      () => undefined,
      (error: unknown) =>
        String(error)
          .split("\n")
          .find((line) => line.includes("error")),
    );
    if (fault !== undefined) return `npm could not install it: ${fault}`;
  }
  modules = join(home, "node_modules");
  return undefined;
}

/** maildev on Node, with a folder: by default it keeps letters in memory. */
function maildev(): Peer {
  return {
    name: "maildev",
    prepare: install,
    async start(folder) {
      const [port, web] = [await freePort(), await freePort()];
      const mails = join(folder, "mails");
      await mkdir(mails);
      const flags = ["--silent", "--ip", "127.0.0.1", "--web-ip", "127.0.0.1", "--mail-directory", mails];
      const program = join(modules, ".bin", "maildev");
      const child = owned(
        spawn(process.execPath, [program, ...flags, "-s", String(port), "-w", String(web)], quiet),
      );
      await greeting(port);
      const count = () => countFiles(mails, ".eml");
      return { port, pid: child.pid ?? 0, count, finish, stop: () => end(child) };
    },
  };
}

// Haraka has no queue to a maildir: this one writes and syncs before the answer.
const harakaQueue = `
const { open, rename } = require("node:fs/promises");
let count = 0;
exports.register = function () { this.register_hook("queue", "keep"); };
exports.keep = function (next, connection) {
  const name = process.pid + "." + count++;
  const chunks = [];
  const stream = connection.transaction.message_stream;
  const { Writable } = require("node:stream");
  const sink = new Writable({ write(chunk, encoding, done) { chunks.push(chunk); done(); } });
  sink.on("finish", async () => {
    const file = await open(process.env.MAILDIR + "/tmp/" + name, "w");
    await file.write(Buffer.concat(chunks));
    await file.sync();
    await file.close();
    await rename(process.env.MAILDIR + "/tmp/" + name, process.env.MAILDIR + "/new/" + name);
    next(OK);
  });
  stream.pipe(sink);
};
`;

function haraka(): Peer {
  return {
    name: "Haraka",
    prepare: install,
    async start(folder) {
      const port = await freePort();
      const maildir = await maildirIn(folder);
      await mkdir(join(folder, "config"));
      await mkdir(join(folder, "plugins"));
      const files = {
        "config/plugins": "rcpt_to.in_host_list\nmaildir\n",
        "config/host_list": `${mailDomain}\n`,
        "config/me": "mx.bench.test\n",
        "config/log.ini": "[main]\nlevel=emerg\n",
        "config/smtp.ini": `listen=127.0.0.1:${port}\nnodes=0\n`,
        "config/outbound.ini": "disabled=true\n",
        "plugins/maildir.js": harakaQueue,
      };
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
      // It sends no greeting without one.
      const name = join("config", "connection.ini");
      await copyFile(join(modules, "Haraka", name), join(folder, name));
      const program = join(modules, ".bin", "haraka");
      const child = owned(
        spawn(process.execPath, [program, "-c", folder], {
          ...quiet,
          env: { ...process.env, MAILDIR: maildir },
        }),
      );
      await greeting(port);
      const count = async () => (await readdir(join(maildir, "new"))).length;
      return { port, pid: child.pid ?? 0, count, finish, stop: () => end(child) };
    },
  };
}

async function maildirIn(folder: string): Promise<string> {
  const maildir = join(folder, "maildir");
  for (const part of ["tmp", "new", "cur"]) await mkdir(join(maildir, part), { recursive: true });
  return maildir;
}

/** inbucket with files; the program is on the PATH or in INBUCKET. */
function inbucket(): Peer {
  const program = process.env["INBUCKET"] ?? "inbucket";
  return {
    name: "inbucket",
    prepare: () => missing(program, "put inbucket on the PATH, or its path into INBUCKET"),
    async start(folder) {
      const [port, web, pop] = [await freePort(), await freePort(), await freePort()];
      const store = join(folder, "store");
      await mkdir(store);
      await mkdir(join(folder, "ui"));
      await writeFile(join(folder, "ui", "greeting.html"), "hello");
      const child = owned(
        spawn(program, [], {
          ...quiet,
          cwd: folder,
          env: {
            PATH: process.env["PATH"],
            INBUCKET_LOGLEVEL: "error",
            INBUCKET_SMTP_ADDR: `127.0.0.1:${port}`,
            INBUCKET_WEB_ADDR: `127.0.0.1:${web}`,
            INBUCKET_POP3_ADDR: `127.0.0.1:${pop}`,
            INBUCKET_STORAGE_TYPE: "file",
            INBUCKET_STORAGE_PARAMS: `path:${store}`,
          },
        }),
      );
      await greeting(port);
      const count = () => countFiles(store, ".raw");
      return { port, pid: child.pid ?? 0, count, finish, stop: () => end(child) };
    },
  };
}

/** MailHog with a maildir; the program is on the PATH or in MAILHOG. */
function mailhog(): Peer {
  const program = process.env["MAILHOG"] ?? "MailHog";
  return {
    name: "MailHog",
    prepare: () => missing(program, "put MailHog on the PATH, or its path into MAILHOG"),
    async start(folder) {
      const [port, web] = [await freePort(), await freePort()];
      const maildir = join(folder, "maildir");
      await mkdir(maildir);
      const at = `127.0.0.1:${web}`;
      const doors = ["-smtp-bind-addr", `127.0.0.1:${port}`, "-api-bind-addr", at, "-ui-bind-addr", at];
      const child = owned(spawn(program, [...doors, "-storage", "maildir", "-maildir-path", maildir], quiet));
      await greeting(port);
      const count = async () => (await readdir(maildir)).length;
      return { port, pid: child.pid ?? 0, count, finish, stop: () => end(child) };
    },
  };
}

async function missing(program: string, advice: string): Promise<string | undefined> {
  if (program.includes("/")) return existsSync(program) ? undefined : `${program} is not there`;
  const folders = (process.env["PATH"] ?? "").split(":");
  return folders.some((folder) => existsSync(join(folder, program))) ? undefined : advice;
}

const countFiles = async (folder: string, suffix: string): Promise<number> =>
  (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(suffix)).length;

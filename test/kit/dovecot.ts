import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Certificate, certificateFor } from "../../src/server/platform/certificate.ts";
import { freePort } from "./port.ts";

const program = ["/usr/sbin/dovecot", "/usr/local/sbin/dovecot"].find((path) => existsSync(path));

/** Why Dovecot is missing, for the titles of skipped tests; undefined when it is there. */
export const noDovecot = whyNone();

function whyNone(): string | undefined {
  if (program === undefined)
    return "SKIPPED: there is no Dovecot here (Debian: apt-get install dovecot-imapd)";
  const version = execFileSync(program, ["--version"], { encoding: "utf8" }).trim();
  // 2.4 renamed the settings.
  return version.startsWith("2.3.") ? undefined : `SKIPPED: Dovecot 2.3 is needed, this is ${version}`;
}

export interface DovecotOptions {
  readonly capability?: string;
  /** Connections at a time of one mailbox; 0: any number. */
  readonly connectionsOfOne?: number;
  readonly certificate?: Certificate;
}

export interface Drop {
  readonly folder?: "INBOX" | "Junk";
  readonly at?: Date;
  /** What the name of its file says of its size: Dovecot believes it until it has read the file. */
  readonly size?: number;
}

/** A real IMAP server on loopback. */
export interface Dovecot {
  readonly host: "localhost";
  readonly port: number;
  readonly tlsPort: number;
  readonly certificate: Certificate;
  readonly password: string;
  addUsers(logins: readonly string[]): Promise<void>;
  /** One more login that opens the box of another. */
  alias(login: string, of: string): Promise<void>;
  drop(login: string, letter: string, where?: Drop): Promise<void>;
  files(login: string, folder?: Drop["folder"]): Promise<string[]>;
  renumber(login: string): Promise<void>;
  connections(): number;
  logins(): number;
  start(): Promise<void>;
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
  remove(): Promise<void>;
}

const password = "correct-horse-battery";
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

export async function startDovecot(options: DovecotOptions = {}): Promise<Dovecot> {
  const folder = await mkdtemp(join(tmpdir(), "postern-dovecot-"));
  await chmod(folder, 0o755);
  for (const name of ["run", "state", "mail"]) await mkdir(join(folder, name));
  if (isRoot) await chown(join(folder, "mail"), nobody, nobody);
  const certificate = options.certificate ?? certificateFor("localhost");
  await writeFile(join(folder, "cert.pem"), certificate.cert);
  await writeFile(join(folder, "key.pem"), certificate.key, { mode: 0o600 });
  const [port, tlsPort] = [await freePort(), await freePort()];
  await writeFile(join(folder, "conf"), configuration(folder, port, tlsPort, options));
  const server = serverIn(folder, port);
  const mail = mailIn(join(folder, "mail"));
  const dovecot: Dovecot = {
    host: "localhost",
    port,
    tlsPort,
    certificate,
    password,
    addUsers: async (logins) => {
      for (const login of logins) await mail.make(login);
    },
    alias: (login, of) => symlink(join(folder, "mail", of), join(folder, "mail", login)),
    drop: mail.drop,
    files: mail.files,
    renumber: mail.renumber,
    connections: () => openTo([port, tlsPort]),
    logins: () => logOf(folder).split("imap-login: Info: Login:").length - 1,
    ...server,
    remove: async () => {
      await server.stop("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
  await dovecot.start();
  return dovecot;
}

function serverIn(folder: string, port: number): Pick<Dovecot, "start" | "stop"> {
  let child: ChildProcess | undefined;
  return {
    async start() {
      await unlock(join(folder, "mail"));
      child = spawn(program ?? "", ["-F", "-c", join(folder, "conf")], { stdio: "ignore", detached: true });
      while (!(await isGreeting(port))) {
        if (child.exitCode !== null) throw new Error(`Dovecot did not start: ${logOf(folder)}`);
        await sleep(25);
      }
    },
    async stop(signal = "SIGTERM") {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      process.kill(-(child.pid ?? 0), signal);
      await gone;
    },
  };
}

/** A kill in the middle of locking would block the mailbox for two minutes. */
async function unlock(mail: string): Promise<void> {
  for (const name of await readdir(mail, { recursive: true }))
    if (basename(name) === "dovecot-uidlist.lock") await rm(join(mail, name));
}

function isGreeting(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const answer = (isUp: boolean) => {
      socket.destroy();
      resolve(isUp);
    };
    socket.once("data", () => answer(true));
    socket.once("error", () => answer(false));
    socket.once("close", () => answer(false));
  });
}

function mailIn(root: string) {
  const folderOf = (login: string, folder: Drop["folder"] = "INBOX") =>
    join(root, login, ...(folder === "INBOX" ? [] : [`.${folder}`]));
  const give = (path: string) => (isRoot ? chown(path, nobody, nobody) : Promise.resolve());
  let dropped = 0;
  return {
    async make(login: string) {
      for (const folder of ["INBOX", "Junk"] as const) {
        for (const part of ["", "tmp", "new", "cur"]) {
          const path = join(folderOf(login, folder), part);
          await mkdir(path, { recursive: true });
          await give(path);
        }
      }
    },
    async drop(login: string, letter: string, { folder, at, size }: Drop = {}) {
      const name = `${Date.now()}.M${++dropped}P${process.pid}${randomBytes(4).toString("hex")}.test${size === undefined ? "" : `,S=${size}`}`;
      const [from, to] = ["tmp", "new"].map((part) => join(folderOf(login, folder), part, name));
      await writeFile(from ?? "", letter.replaceAll(/\r?\n/g, "\r\n"));
      await give(from ?? "");
      if (at) await utimes(from ?? "", at, at);
      await rename(from ?? "", to ?? "");
    },
    async files(login: string, folder?: Drop["folder"]) {
      const parts = await Promise.all(
        ["new", "cur"].map(async (part) => readdir(join(folderOf(login, folder), part))),
      );
      return parts.flat();
    },
    async renumber(login: string) {
      for (const name of await readdir(folderOf(login)))
        if (name.startsWith("dovecot")) await rm(join(folderOf(login), name), { recursive: true });
    },
  };
}

const logOf = (folder: string) =>
  existsSync(join(folder, "log")) ? readFileSync(join(folder, "log"), "utf8") : "";

const established = "01";

function openTo(ports: readonly number[]): number {
  const wanted = ports.map((port) => port.toString(16).toUpperCase().padStart(4, "0"));
  const lines = readFileSync("/proc/net/tcp", "utf8").split("\n").slice(1);
  return lines.filter((line) => {
    const [, local = "", , state] = line.trim().split(/\s+/);
    return state === established && wanted.includes(local.split(":")[1] ?? "");
  }).length;
}

function configuration(folder: string, port: number, tlsPort: number, options: DovecotOptions): string {
  const { capability, connectionsOfOne = 0 } = options;
  const { username, uid, gid } = userInfo();
  const [mailUid, mailGid] = isRoot ? [nobody, nobody] : [uid, gid];
  const unprivileged = `
    default_internal_user = ${username}
    default_login_user = ${username}
    default_internal_group = ${gid}
    service imap-login { chroot = }
    service anvil { chroot = }`;
  return `${isRoot ? "" : unprivileged}
    base_dir = ${folder}/run
    state_dir = ${folder}/state
    log_path = ${folder}/log
    protocols = imap
    listen = 127.0.0.1
    ssl = yes
    ssl_cert = <${folder}/cert.pem
    ssl_key = <${folder}/key.pem
    disable_plaintext_auth = no
    auth_mechanisms = plain login
    auth_failure_delay = 0 secs
    mail_location = maildir:${folder}/mail/%u
    mail_max_userip_connections = ${connectionsOfOne}
    first_valid_uid = 0
    first_valid_gid = 0
    ${capability === undefined ? "" : `imap_capability = ${capability}`}
    passdb {
      driver = static
      args = password=${password}
    }
    userdb {
      driver = static
      args = uid=${mailUid} gid=${mailGid} home=${folder}/mail/%u
    }
    namespace inbox {
      inbox = yes
      separator = /
      mailbox Junk {
        special_use = \\Junk
        auto = create
      }
    }
    service imap-login {
      inet_listener imap {
        port = ${port}
      }
      inet_listener imaps {
        port = ${tlsPort}
      }
      service_count = 0
      client_limit = 4000
    }
    service imap {
      process_limit = 4000
    }
    service anvil {
      unix_listener anvil-auth-penalty {
        mode = 0
      }
    }
    service stats {
      process_limit = 0
    }
  `;
}

// nginx, Caddy and HAProxy with the files of deploy, in which the addresses and files of a test are put in.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, vi } from "vitest";
import { soon } from "./soon.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Ports, and a folder that has cert.pem, key.pem and both.pem. */
export interface Places {
  readonly folder: string;
  readonly web: readonly [number, number];
  readonly health: number;
  readonly smtp: number;
  readonly http: number;
  readonly https: number;
  readonly letters: number;
}

type Change = readonly [from: string, to: string];

export interface Form {
  readonly title: string;
  readonly name: string;
  readonly file: string;
  /** What is put in for what an operator puts in. */
  readonly changes: (places: Places) => readonly Change[];
  /** The file among the program's other settings. */
  readonly around: (text: string, places: Places) => string;
  readonly words: (path: string) => readonly string[];
  /** Before a process is stopped, and after it has started, as docs/deploy/proxies.md says: where that loses no call. */
  readonly take?: (proxy: Proxy, port: number, state: "out" | "in") => Promise<void>;
}

export interface Proxy {
  readonly process: ChildProcess;
  readonly places: Places;
  /** Writes its file anew, with changes; answers the path. */
  readonly write: (...changes: Change[]) => Promise<string>;
}

const nginx: Form = {
  title: "nginx",
  name: "nginx",
  file: "deploy/nginx/postern.conf",
  changes: ({ http, https, folder }) => [
    ["listen 80;", `listen 127.0.0.1:${http};`],
    ["listen [::]:80;", ""],
    ["listen 443 ssl", `listen 127.0.0.1:${https} ssl`],
    ["listen [::]:443 ssl http2;", ""],
    ["/etc/letsencrypt/live/shop.example/fullchain.pem", join(folder, "cert.pem")],
    ["/etc/letsencrypt/live/shop.example/privkey.pem", join(folder, "key.pem")],
  ],
  around: (text, { folder }) => {
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((each) => `${each}_temp_path ${join(folder, each)};`)
      .join(" ");
    const user = process.getuid?.() === 0 ? "user root;" : "";
    return `daemon off; pid ${join(folder, "nginx.pid")}; ${user}
      events {} http { access_log off; error_log stderr crit; ${temporary} ${text} }`;
  },
  words: (path) => ["-c", path, "-e", "stderr"],
  async take({ process: master, write }, port, state) {
    const server = `server 127.0.0.1:${port} max_fails=0`;
    await write(...(state === "out" ? [[server, `${server} down`] as const] : []));
    const workers = () =>
      readFileSync(`/proc/${master.pid}/task/${master.pid}/children`, "utf8").trim().split(" ");
    const before = workers();
    master.kill("SIGHUP");
    // The old ones take nobody in any more when they say that they end.
    const takesIn = (pid: string) =>
      existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("shutting down");
    await vi.waitFor(() => expect(workers().some((pid) => !before.includes(pid))).toBe(true), soon);
    await vi.waitFor(() => expect(before.filter(takesIn)).toEqual([]), soon);
  },
};

const caddy: Form = {
  title: "Caddy",
  name: "caddy",
  file: "deploy/caddy/Caddyfile",
  changes: ({ folder }) => [
    ["shop.example {\n", `shop.example {\n\ttls ${join(folder, "cert.pem")} ${join(folder, "key.pem")}\n`],
  ],
  around: (text, { http, https, folder }) => `{
      admin off
      default_bind 127.0.0.1
      http_port ${http}
      https_port ${https}
      storage file_system ${folder}
      log {\nlevel ERROR\n}
    }\n${text}`,
  words: (path) => ["run", "--adapter", "caddyfile", "--config", path],
};

const haproxy: Form = {
  title: "HAProxy",
  name: "haproxy",
  file: "deploy/haproxy/haproxy.cfg",
  changes: ({ http, https, smtp, health, letters, folder }) => [
    [
      "  log /dev/log local0 notice\n  user haproxy\n  group haproxy\n",
      `  stats socket ${join(folder, "haproxy.admin")} level admin\n`,
    ],
    ["bind :80", `bind 127.0.0.1:${http}`],
    ["bind :443", `bind 127.0.0.1:${https}`],
    ["bind :25", `bind 127.0.0.1:${letters}`],
    ["127.0.0.1:2525 port 3011", `127.0.0.1:${smtp} port ${health}`],
    ["/etc/haproxy/shop.pem", join(folder, "both.pem")],
  ],
  around: (text) => text,
  words: (path) => ["-q", "-f", path],
  async take({ places }, port, state) {
    const name = `web/web${places.web.indexOf(port) + 1}`;
    const say = async (words: string) => {
      const socket = connect(join(places.folder, "haproxy.admin"));
      socket.end(`${words}\n`);
      let said = "";
      for await (const chunk of socket) said += String(chunk);
      return said;
    };
    await say(`set server ${name} state ${state === "out" ? "drain" : "ready"}`);
    const isUp = new RegExp(`^${name.replace("/", ",")},.*,UP,`, "m");
    if (state === "in") await vi.waitFor(async () => expect(await say("show stat")).toMatch(isUp), soon);
  },
};

export const forms: readonly Form[] = [nginx, caddy, haproxy];

/** The path of a program that scripts/setup.mjs has found; "" without one. */
export function programOf(name: string): string {
  const noted = join(root, `.cache/${name}/path`);
  return existsSync(noted) ? readFileSync(noted, "utf8") : "";
}

/** Starts a proxy, which may not listen yet. */
export async function startProxy(form: Form, places: Places): Promise<Proxy> {
  const write = async (...changes: Change[]) => {
    const path = join(places.folder, `${form.name}.conf`);
    await writeFile(path, form.around(settle(form, places, changes), places));
    return path;
  };
  const words = form.words(await write());
  return {
    process: spawn(programOf(form.name), words, { stdio: ["ignore", "inherit", "inherit"] }),
    places,
    write,
  };
}

function settle(form: Form, places: Places, more: readonly Change[]): string {
  const changes: Change[] = [
    ["127.0.0.1:3001", `127.0.0.1:${places.web[0]}`],
    ["127.0.0.1:3002", `127.0.0.1:${places.web[1]}`],
    ...form.changes(places),
    ...more,
  ];
  let text = readFileSync(join(root, form.file), "utf8");
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`${form.file} has no "${from}"`);
    text = text.replaceAll(from, to);
  }
  return text;
}

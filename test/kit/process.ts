import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { guarded } from "./guard.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Place {
  readonly port: number;
  readonly smtpPort: number;
  readonly dataDir: string;
}

/** The whole program as a process, with its embedded database. */
export interface ShopProcess {
  readonly url: string;
  start(): Promise<void>;
  kill(what: "program" | "database" | "program and database"): Promise<void>;
  /** SIGTERM; the data can be used by another process. */
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/** `before`: what its shell does first, such as setting limits. */
export function spawnShop(
  env: Record<string, string>,
  flags: readonly string[] = [],
  before = ":",
): ChildProcessByStdio<null, Readable, null> {
  const words = [process.execPath, ...flags, "src/server/main.ts"];
  return spawn("sh", ["-c", `${before} && exec "$0" "$@"`, ...words], {
    cwd: root,
    env: { ...guarded(), ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

export async function ready(child: ChildProcessByStdio<null, Readable, null>): Promise<void> {
  let said = "";
  const failed = once(child, "exit").then(([code]) => {
    throw new Error(`the shop ended with ${code} before it was ready: ${said}`);
  });
  const isUp = new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (/^ready {2}\S+/m.test(said)) resolve();
    });
  });
  await Promise.race([isUp, failed]);
  // Later exits are the caller's business.
  failed.catch(() => undefined);
}

export async function databasePidOf(dataDir: string): Promise<number> {
  const [pid = ""] = (await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n");
  return Number(pid);
}

/** `settings` are those of docs/operations.md. */
export function shopProcess(
  place: Place,
  settings: Record<string, string> = {},
  before?: string,
): ShopProcess {
  const env = { ...environment(place), ...settings };
  let child: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  };
  return {
    url: `http://127.0.0.1:${place.port}`,
    async start() {
      const started = spawnShop(env, [], before);
      child = started;
      await ready(started);
    },
    async kill(what) {
      const database = what === "program" ? undefined : await databasePidOf(place.dataDir);
      if (database !== undefined) process.kill(database, "SIGKILL");
      if (what !== "database") await end("SIGKILL");
    },
    stop: () => end("SIGTERM"),
    async remove() {
      await end("SIGTERM");
      await rm(place.dataDir, { recursive: true, force: true });
    },
  };
}

export async function type(place: Place, script: string, ...words: string[]): Promise<string> {
  const child = spawn(process.execPath, [script, ...words], {
    cwd: root,
    env: environment(place),
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, "close")) as [number];
  if (code !== 0) throw new Error(`${script} ${words.join(" ")} ended with ${code}: ${said}`);
  return said;
}

export function environment({ port, smtpPort, dataDir }: Place): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    ...guarded(),
    PORT: String(port),
    SMTP_PORT: String(smtpPort),
    DATA_DIR: dataDir,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    LOG_LEVEL: "warn",
    DEMO_STORIES: "false",
  };
}

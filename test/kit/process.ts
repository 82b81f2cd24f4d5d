import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { guarded } from "./guard.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Where a shop stands. */
export interface Place {
  readonly port: number;
  readonly smtpPort: number;
  readonly dataDir: string;
}

/** The shop as an operator runs it: the whole program as a process of its own, with its embedded database. */
export interface ShopProcess {
  readonly url: string;
  /** Starts it, again after a kill; resolves at its ready line. */
  start(): Promise<void>;
  /** Kills the program, its database, or both, as a power cut of the machine would. */
  kill(what: "program" | "database" | "program and database"): Promise<void>;
  /** Stops it as SIGTERM does; another with other settings can take its place. */
  stop(): Promise<void>;
  /** Stops it so too, and removes its data. */
  remove(): Promise<void>;
}

/** Starts the program with these settings alone; `flags` are those of node. */
export function spawnShop(
  env: Record<string, string>,
  flags: readonly string[] = [],
): ChildProcessByStdio<null, Readable, null> {
  return spawn(process.execPath, [...flags, "src/server/main.ts"], {
    cwd: root,
    env: { ...guarded(), ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Resolves at the ready line of a program that was just started; throws when it ends before. */
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
  // From here on its end is the business of who started it.
  failed.catch(() => undefined);
}

/** The process of the embedded database that lies there and runs. */
export async function databasePidOf(dataDir: string): Promise<number> {
  const [pid = ""] = (await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n");
  return Number(pid);
}

/** Prepares a shop process at a place. `settings` are those of docs/operations.md. */
export function shopProcess(place: Place, settings: Record<string, string> = {}): ShopProcess {
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
      const started = spawnShop(env);
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

/** Types a command at the shop's machine, as its operator or a newcomer would; answers what it wrote on stdout. */
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

/** What the program and the commands of a shop at a place are told. */
export function environment({ port, smtpPort, dataDir }: Place): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    ...guarded(),
    // As `npm start` has it.
    NODE_COMPILE_CACHE: join(root, ".cache/compiled"),
    PORT: String(port),
    SMTP_PORT: String(smtpPort),
    DATA_DIR: dataDir,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    LOG_LEVEL: "warn",
    // Tests look at pages as they are without any.
    DEMO_STORIES: "false",
  };
}

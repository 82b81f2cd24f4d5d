import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./port.ts";

/** The shop as an operator runs it: a process of its own with its embedded database. */
export interface ShopProcess {
  readonly url: string;
  readonly smtpPort: number;
  readonly dataDir: string;
  readonly env: Record<string, string>;
  /** Starts it, again after a kill; resolves with the milliseconds to its ready line. */
  start(): Promise<number>;
  /** Kills the program, and the database with it when asked, as a power cut of the machine would. */
  kill(what: "program" | "program and database"): Promise<void>;
  /** Runs one command of the operator and answers its JSON. */
  operate(...words: string[]): Promise<unknown>;
  /** Stops it as SIGTERM does, and removes its data. */
  remove(): Promise<void>;
}

/** Prepares a shop process on free ports and a new DATA_DIR. */
export async function shopProcess(settings: Record<string, string> = {}): Promise<ShopProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-process-"));
  const [port, smtpPort] = [await freePort(), await freePort()];
  const env: Record<string, string> = {
    PATH: process.env["PATH"] ?? "",
    DATA_DIR: dataDir,
    PORT: String(port),
    SMTP_PORT: String(smtpPort),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    CAPTCHA: "off",
    LOG_LEVEL: "warn",
    ...settings,
  };
  let child: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    smtpPort,
    dataDir,
    env,
    async start() {
      const from = performance.now();
      child = spawn(process.execPath, ["src/server/main.ts"], { env, stdio: ["ignore", "pipe", "inherit"] });
      await readyLine(child);
      return performance.now() - from;
    },
    async kill(what) {
      const database = what === "program" ? undefined : await databasePid(dataDir);
      if (database !== undefined) process.kill(database, "SIGKILL");
      await end("SIGKILL");
    },
    operate: (...words) => operate(env, words),
    async remove() {
      await end("SIGTERM");
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function readyLine(child: ChildProcess): Promise<void> {
  let said = "";
  const failed = once(child, "exit").then(([code]) => {
    throw new Error(`the shop ended with ${code} before it was ready: ${said}`);
  });
  const ready = new Promise<void>((resolve) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (/^ready {2}\S+ {2}smtp:\/\/\S+$/m.test(said)) resolve();
    });
  });
  await Promise.race([ready, failed]);
  // From here on its end is the test's business.
  failed.catch(() => undefined);
}

async function databasePid(dataDir: string): Promise<number> {
  const [pid = ""] = (await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n");
  return Number(pid);
}

async function operate(env: Record<string, string>, words: string[]): Promise<unknown> {
  const child = spawn(process.execPath, ["src/server/shop.ts", ...words, "--json"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, "close")) as [number];
  if (code !== 0) throw new Error(`shop ${words.join(" ")} ended with ${code}: ${said}`);
  return JSON.parse(said);
}

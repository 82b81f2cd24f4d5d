import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

const tellEverySeconds = 5;

export function say(line) {
  process.stderr.write(`[setup] ${line}\n`);
}

export function secondsSince(since) {
  return ((performance.now() - since) / 1000).toFixed(1);
}

/** The Node.js of the packages; only the set-up runs without it. */
export function projectNode() {
  const system = process.platform === "win32" ? "win" : process.platform;
  const program = process.platform === "win32" ? "node.exe" : "node";
  const own = join(root, "node_modules", `node-${system}-${process.arch}`, "bin", program);
  if (existsSync(own)) return own;
  if (Number(process.versions.node.split(".")[0]) >= 24) return process.execPath;
  throw new Error(
    `there is no Node.js 24 package for ${system}-${process.arch}: install Node.js 24 and try again`,
  );
}

/** Runs a program, its output on stderr; `patience` is printed every five seconds. Answers whether it succeeded. */
export function run(program, args, { env = {}, patience, cwd = root } = {}) {
  const since = performance.now();
  const child = spawn(program, args, { cwd, stdio: ["ignore", 2, 2], env: { ...process.env, ...env } });
  const tell = () => say(`${patience}, ${Math.round((performance.now() - since) / 1000)} s`);
  const timer = patience === undefined ? undefined : setInterval(tell, tellEverySeconds * 1000);
  return new Promise((done) => {
    const end = (ok) => {
      clearInterval(timer);
      done({ ok });
    };
    child.once("error", (error) => {
      say(`${program}: ${error.message}`);
      end(false);
    });
    child.once("exit", (status) => end(status === 0));
  });
}

// Running other programs from the scripts, with lines that tell a person what goes on.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the repository. */
export const root = fileURLToPath(new URL("..", import.meta.url));

const tellEverySeconds = 5;

/** One line for people; standard output stays free for what the command itself prints. */
export function say(line) {
  process.stderr.write(`[setup] ${line}\n`);
}

export function secondsSince(since) {
  return ((performance.now() - since) / 1000).toFixed(1);
}

/** The Node.js that the packages bring, which everything but the set-up runs on. */
export function projectNode() {
  const system = process.platform === "win32" ? "win" : process.platform;
  const program = process.platform === "win32" ? "node.exe" : "node";
  const brought = join(root, "node_modules", `node-${system}-${process.arch}`, "bin", program);
  if (existsSync(brought)) return brought;
  if (Number(process.versions.node.split(".")[0]) >= 24) return process.execPath;
  throw new Error(
    `there is no Node.js 24 package for ${system}-${process.arch}: install Node.js 24 and try again`,
  );
}

/**
 * Runs a program in the repository's folder or in `cwd`, its output on our stderr. `env` is added to ours; with `patience`
 * a line with these words every five seconds shows that it lives. Answers whether it ended well.
 */
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

import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

export { freePort } from "../test/kit/port.ts";

export const run = promisify(execFile);

const children = new Set<ChildProcess>();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    for (const child of children) child.kill("SIGTERM");
    process.exit(1);
  });

export function owned<Child extends ChildProcess>(child: Child): Child {
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

/** Milliseconds, comparable between processes of one machine. */
export const clock = (): number => performance.timeOrigin + performance.now();

/** A temporary folder, readable by others: some servers drop root. */
export async function withFolder<Answer>(work: (folder: string) => Promise<Answer>): Promise<Answer> {
  const folder = await mkdtemp(join(tmpdir(), "postern-bench-"));
  await chmod(folder, 0o755);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export async function greeting(port: number, seconds = 20): Promise<void> {
  for (const until = clock() + seconds * 1000; clock() < until; await sleep(50)) {
    const socket = createConnection({ port, host: "127.0.0.1" });
    socket.setTimeout(3_000, () => socket.destroy());
    const isUp = await new Promise<boolean>((resolve) => {
      socket.once("data", (text) => resolve(text.toString().startsWith("220")));
      socket.once("error", () => resolve(false));
      socket.once("close", () => resolve(false));
    });
    socket.destroy();
    if (isUp) return;
  }
  throw new Error(`nobody greets at port ${port}`);
}

/** SIGTERM, then SIGKILL after ten seconds. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await gone;
  clearTimeout(timer);
}

interface Stat {
  pid: number;
  parent: number;
  cpuMilliseconds: number;
}

const ticksPerSecond = 100; // USER_HZ, which Linux shows to programs on every machine.

/** A process and its descendants, with their processor time. */
async function tree(root: number): Promise<Stat[]> {
  const found: Stat[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const text = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    if (fields.length < 15) continue;
    // proc(5): after the name come state, parent, …; from the 12th field utime, stime, cutime, cstime.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    const cpuMilliseconds = (ticks * 1000) / ticksPerSecond;
    found.push({ pid: Number(name), parent: Number(fields[1]), cpuMilliseconds });
  }
  const members = found.filter(({ pid }) => pid === root);
  for (let index = 0; index < members.length; index++)
    members.push(...found.filter(({ parent }) => parent === members[index]?.pid));
  return members;
}

/** Milliseconds of processor time of a Node process by its threads: the first one, those with a lower priority, and all others. */
export async function threadsOf(pid: number): Promise<{ main: number; nice: number; others: number }> {
  const sums = { main: 0, nice: 0, others: 0 };
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const text = await readFile(`/proc/${pid}/task/${thread}/stat`, "utf8").catch(() => "");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    if (fields.length < 17) continue;
    // proc(5): from the 12th field behind the name utime, stime, cutime, cstime, priority, nice.
    const kind = Number(thread) === pid ? "main" : Number(fields[16]) > 0 ? "nice" : "others";
    sums[kind] += ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
  }
  return sums;
}

/** Milliseconds with all descendants; none of a process elsewhere. */
export async function cpuOf(pid: number | undefined): Promise<number> {
  if (pid === undefined) return 0;
  return (await tree(pid)).reduce((sum, { cpuMilliseconds }) => sum + cpuMilliseconds, 0);
}

/** Bytes with all descendants; shared memory counts once (PSS). */
export async function memoryOf(pid: number): Promise<number> {
  let sum = 0;
  for (const member of await tree(pid)) {
    const text = await readFile(`/proc/${member.pid}/smaps_rollup`, "utf8").catch(() => "");
    sum += Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
  }
  return sum;
}

/** A quantile of ascending numbers. */
export const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** Prints a Markdown table. */
export function printTable(rows: readonly Record<string, string | number>[]): void {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [names, names.map(() => "---"), ...rows.map((row) => names.map((name) => row[name] ?? ""))];
  for (const line of lines) console.log(`| ${line.map(inThousands).join(" | ")} |`);
}

const inThousands = (cell: string | number) =>
  typeof cell === "number" ? cell.toLocaleString("en-US") : cell;

// Programs of before: earlier commits, on the packages and the built pages of this one.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
const git = async (...words: string[]) =>
  (await run("git", ["-C", root, ...words], { maxBuffer: 64 << 20 })).stdout.trim();

const monthSeconds = 30 * 24 * 3600;

/** The newest tag, or, without a tag, the program before the newest change of the database; "" in a clone without its history. */
export async function lastRelease(): Promise<string> {
  const tag = await git("describe", "--tags", "--abbrev=0").catch(() => "");
  if (tag !== "") return tag;
  const changed = await git(
    "log",
    "--no-merges",
    "--diff-filter=A",
    "-1",
    "--format=%H",
    "--",
    "db/migrations",
  );
  return git("rev-parse", "--verify", "--quiet", `${changed}^1`).catch(() => "");
}

/** The newest tag of at least a month ago, or, without one, the oldest program of the last month that runs on the packages of this one. */
export async function oldRelease(): Promise<string> {
  const now = Number(await git("log", "-1", "--format=%ct"));
  const tags = await git(
    "for-each-ref",
    "refs/tags",
    "--sort=-creatordate",
    "--format=%(creatordate:unix) %(refname:short)",
  );
  for (const line of tags.split("\n")) {
    const [at = "", tag = ""] = line.split(" ");
    if (tag !== "" && Number(at) <= now - monthSeconds) return tag;
  }
  const words = ["--first-parent", `--since=${now - monthSeconds}`, "--format=%H", "--", "package.json"];
  const here = namesIn(await readFile(join(root, "package.json"), "utf8"));
  let oldest = "";
  for (const commit of (await git("log", ...words)).split("\n").filter((each) => each !== "")) {
    const needed = namesIn(await git("show", `${commit}:package.json`));
    if (needed.some((name) => !here.includes(name))) break;
    oldest = commit;
  }
  return oldest;
}

const namesIn = (manifest: string) =>
  Object.keys((JSON.parse(manifest) as { dependencies: Record<string, string> }).dependencies);

/** Unpacks a program into a folder, which is removed after the test. */
export async function unpack(commit: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "postern-before-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const archive = join(folder, "before.tar");
  await git("archive", "--output", archive, commit);
  await run("tar", ["-xf", archive, "-C", folder]);
  for (const each of ["node_modules", "dist"]) await symlink(join(root, each), join(folder, each));
  return folder;
}

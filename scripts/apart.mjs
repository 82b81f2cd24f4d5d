// Packages of the tests that are installed apart from all others, by a lock file of their own:
// test/generators (they need an older TypeScript; readers of event streams and schemas of Kubernetes are with them) and test/browser (most machines do not need it).
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./run.mjs";

const lock = "package-lock.json";
const listed = (name) => join(root, "test", name);
const folderOf = (name) => join(root, ".cache", name);

/** The text of its lock file. */
export const lockOf = (name) => readFileSync(join(listed(name), lock), "utf8");

/** Whether the packages of test/<name> are in .cache/<name> as its lock file names them. npm writes its own note last. */
export function isApart(name) {
  if (!existsSync(join(folderOf(name), "node_modules/.package-lock.json"))) return false;
  return readFileSync(join(folderOf(name), lock), "utf8") === lockOf(name);
}

/** Installs the packages of test/<name> into .cache/<name>. Answers whether it succeeded. */
export async function installApart(name, runNpm) {
  const folder = folderOf(name);
  mkdirSync(folder, { recursive: true });
  for (const file of ["package.json", lock]) cpSync(join(listed(name), file), join(folder, file));
  const args = ["ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"];
  return (await runNpm([...args, "--prefer-offline"])).ok || (await runNpm(args)).ok;
}

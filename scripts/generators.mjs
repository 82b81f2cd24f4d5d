// Generators of clients that `npm run test:full` tries on /openapi.json, apart from all other packages: they need an older TypeScript.
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./run.mjs";

const listed = join(root, "test/generators");
const folder = join(root, ".cache/generators");
const lock = "package-lock.json";

/** Whether those of the lock file are installed. npm writes its own note last. */
export function hasGenerators() {
  if (!existsSync(join(folder, "node_modules/.package-lock.json"))) return false;
  return readFileSync(join(folder, lock), "utf8") === readFileSync(join(listed, lock), "utf8");
}

export async function installGenerators(runNpm) {
  mkdirSync(folder, { recursive: true });
  for (const file of ["package.json", lock]) cpSync(join(listed, file), join(folder, file));
  const args = ["ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  return (await runNpm(args)).ok;
}

// npm run functions: writes db/functions/version.txt. The number rises when the functions are not those of the last commit.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const path = "db/functions/version.txt";

/** The sum of all functions, as the file has it beside its number. */
export function functionsSum(root: string): string {
  const folder = join(root, "db/functions");
  const hash = createHash("sha256");
  const names = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  for (const name of names.toSorted()) hash.update(readFileSync(join(folder, name)));
  return hash.digest("hex");
}

/** Writes the file of a working copy. Answers its number. */
export function raiseVersion(root: string): number {
  const committed = execFileSync("git", ["show", `HEAD:./${path}`], { cwd: root, encoding: "utf8" });
  const [number = "", known] = committed.trim().split(" ");
  const sum = functionsSum(root);
  const version = Number(number) + Number(known !== sum);
  writeFileSync(join(root, path), `${version} ${sum}\n`);
  return version;
}

if (import.meta.main) {
  const version = raiseVersion(fileURLToPath(new URL("..", import.meta.url)));
  process.stdout.write(`the functions have the number ${version}\n`);
}

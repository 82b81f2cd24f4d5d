import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/**
 * Names this release by a digest of the program itself, the same wherever it runs: what one release answered may not be
 * taken for what the next would answer.
 */
export const release = digest();

function digest(): string {
  const sources = ["src/contract", "src/server"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  const own = sources.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const hash = createHash("sha256");
  // package.json pins what the program stands on.
  for (const file of ["package.json", ...own.toSorted()])
    hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest("base64url").slice(0, 8);
}

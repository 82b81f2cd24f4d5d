// Applies patches/<package>/<version>.patch to the packages in node_modules; the README.md beside each patch says why.
// A package that is patched already stays as it is; one of another version is refused.
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { applyPatch, parsePatch, reversePatch } from "diff";

const root = fileURLToPath(new URL("..", import.meta.url));

for (const name of readdirSync(join(root, "patches"))) {
  const folder = join(root, "node_modules", name);
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = join(root, "patches", name, `${version}.patch`);
  if (!existsSync(file)) throw new Error(`patches/${name} has no patch for the installed version ${version}`);
  for (const patch of parsePatch(readFileSync(file, "utf8"))) mend(folder, patch);
}

function mend(folder, patch) {
  const path = join(folder, patch.newFileName.replace(/^b\//, ""));
  const text = readFileSync(path, "utf8");
  if (applyPatch(text, reversePatch(patch)) !== false) return;
  const mended = applyPatch(text, patch);
  if (mended === false) throw new Error(`${path} is not what its patch was made for`);
  // Not in place: package managers share files between folders.
  writeFileSync(`${path}.mended`, mended);
  renameSync(`${path}.mended`, path);
}

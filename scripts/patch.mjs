// Applies patches/<package>@<version>.patch to node_modules; docs/decisions has the reason of each.
// Skips what is patched; fails for a package of another version.
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { applyPatch, parsePatch, reversePatch } from "diff";

const root = fileURLToPath(new URL("..", import.meta.url));

for (const file of readdirSync(join(root, "patches"))) {
  const [, name, version] = /^(.+)@([^@]+)\.patch$/.exec(file) ?? [];
  const folder = join(root, "node_modules", name);
  const installed = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
  if (installed !== version) throw new Error(`patches/${file}: version ${installed} is installed`);
  for (const patch of parsePatch(readFileSync(join(root, "patches", file), "utf8"))) mend(folder, patch);
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

// npm run sbom [folder], default dist: writes what the shop and its pages are made of, as npm lists it from the lock file
// (sbom.cdx.json, CycloneDX), and the licence of each package (licenses.txt). The packages of tests are no part of it.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "./run.mjs";

const folder = resolve(process.argv[2] ?? join(root, "dist"));
// From the lock file: an install is without the packages of tests or of the build, and then npm ends with ESBOMPROBLEMS.
const words = [
  "sbom",
  "--sbom-format=cyclonedx",
  "--sbom-type=application",
  "--package-lock-only",
  "--workspaces=false",
];
const { npm_execpath: npm } = process.env;
const [program, before] = npm === undefined ? ["npm", []] : [process.execPath, [npm]];
const said = execFileSync(program, [...before, ...words], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 64 << 20,
});
const bill = JSON.parse(said);
const { components, metadata } = bill;
// npm takes the name of the folder.
metadata.component.name = "postern";
const lines = components.map(({ group, name, version, licenses = [] }) => {
  const named = licenses.map(({ license, expression }) => expression ?? license.id ?? license.name);
  return `${group === undefined ? "" : `${group}/`}${name} ${version}: ${named.join(", ") || "unknown"}\n`;
});
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "sbom.cdx.json"), `${JSON.stringify(bill, null, 2)}\n`);
writeFileSync(join(folder, "licenses.txt"), lines.toSorted().join(""));
process.stderr.write(`${components.length} packages are listed in ${folder}\n`);

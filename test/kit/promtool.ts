import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const noted = join(root, ".cache/prometheus/path");
const promtool = existsSync(noted) ? readFileSync(noted, "utf8") : "";

/** The alerts of the documents. */
export const rulesPath = join(root, "docs/alerts.yml");

/** Why there is no promtool here; empty where there is. */
export const noPromtool =
  promtool === ""
    ? "SKIPPED: there is no promtool here (node scripts/setup.mjs prometheus unpacks Debian's)"
    : "";

/** Has promtool check the rules of a file; answers what it says. */
export function checkRules(path: string): string {
  const { stdout, stderr } = spawnSync(promtool, ["check", "rules", path], { encoding: "utf8" });
  return stdout + stderr;
}

export interface Series {
  readonly series: string;
  /** In promtool's notation: a value for each interval. */
  readonly values: string;
}

/** Has promtool try rules on series; answers its complaints, empty for none. */
export function tryRules(rules: string, interval: string, tests: readonly object[]): string {
  const path = temporary("tests.json", { rule_files: [rules], evaluation_interval: interval, tests });
  const { status, stdout, stderr } = spawnSync(promtool, ["test", "rules", path], { encoding: "utf8" });
  return status === 0 ? "" : (stdout + stderr).replaceAll(/\n\s*\n/g, "\n");
}

/** A file until the end of the test. JSON is YAML. */
export function temporary(name: string, content: object): string {
  const folder = mkdtempSync(join(tmpdir(), "postern-alerts-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

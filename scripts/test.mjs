// Runs the checks of this repository one after the other and counts them.
//   node scripts/test.mjs [name…]     all of them without a name; names: see `checks`
// The last line is "N passed, N failed": each test counts as one, and each check that is not made of tests as one.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { projectNode, root, secondsSince } from "./run.mjs";

const results = join(root, ".cache/results");
const bin = (path) => join("node_modules", path);
const tsc = bin("typescript/bin/tsc");

const checks = {
  format: [[bin("oxfmt/bin/oxfmt"), "--check"]],
  lint: [[bin("oxlint/bin/oxlint"), "--type-aware", "--deny-warnings"]],
  types: ["src/contract", "src/server", "src/web", "test"].map((project) => [tsc, "-p", project]),
  unused: [[bin("knip/bin/knip.js")]],
  quick: vitest("quick"),
  slow: vitest("slow"),
  e2e: [[bin("@playwright/test/cli.js"), "test", "--reporter=list,json"]],
};

/** The tests of one project of vitest.config.ts. */
function vitest(project) {
  const report = ["--reporter=default", "--reporter=json", `--outputFile.json=${results}/${project}`];
  return [[bin("vitest/vitest.mjs"), "run", "--project", project, ...report]];
}

function vitestCount({ numPassedTests, numFailedTests, testResults }) {
  const broken = testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  return { passed: numPassedTests, failed: numFailedTests + broken.length };
}

/** How a check that is made of tests says how many passed and failed. */
const counts = {
  quick: vitestCount,
  slow: vitestCount,
  e2e: ({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected }),
};

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !(name in checks));
if (unknown !== undefined) {
  console.error(`there is no check ${unknown}; the checks are ${Object.keys(checks).join(", ")}`);
  process.exit(2);
}
const total = { passed: 0, failed: 0 };
let running;
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop(signal));

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
for (const name of asked.length > 0 ? asked : Object.keys(checks)) {
  console.log(`\n── ${name}`);
  const since = performance.now();
  const ok = await runAll(name);
  const { passed, failed } = count(name, ok);
  total.passed += passed;
  total.failed += failed;
  console.log(`── ${name}: ${failed === 0 ? "ok" : `${failed} failed`}, ${secondsSince(since)} s`);
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

async function runAll(name) {
  let ok = true;
  for (const command of checks[name]) ok = (await runOne(name, command)) && ok;
  return ok;
}

function runOne(name, command) {
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: join(results, name) };
  running = spawn(projectNode(), command, { cwd: root, stdio: ["ignore", "inherit", "inherit"], env });
  return new Promise((done, broken) => {
    running.once("error", broken);
    running.once("exit", (status) => done(status === 0));
  });
}

/** A run that failed without a failed test (a file that did not load, a server that did not start) counts as one. */
function count(name, ok) {
  const file = join(results, name);
  if (!(name in counts)) return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const { passed, failed } = counts[name](JSON.parse(readFileSync(file, "utf8")));
  // No test at all proves nothing, whatever the runner says.
  return ok && passed > 0 ? { passed, failed } : { passed, failed: Math.max(1, failed) };
}

/** Ctrl-C reaches the running check by itself; a signal to us alone is handed on. We end when it has cleaned up. */
function stop(signal) {
  running?.kill(signal);
  running?.once("exit", () => process.exit(130));
}

// Runs all checks, or those named, and counts their tests: node scripts/test.mjs [--full] [name…]
// Without --full the tests tagged `full` (vitest) and `@full` (Playwright) are left out.
// The last line is "N passed, N failed"; a check without tests counts as one.
// Failures are repeated just above it, since a build server may show only the end of its log.
// The check `drift` (with --full) runs the browser tests in the newest Chromium of the machine. Its failures are told apart
// and do not fail the run: what is proved depends on what the lock files name.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

import { untranslated } from "./catalogues.ts";
import { movedPrograms } from "./debian.mjs";
import { projectNode, root, secondsSince } from "./run.mjs";

const words = process.argv.slice(2);
const isFull = words.includes("--full");
const leftOut = [...(isFull ? [] : ["full"]), ...(words.includes("quick") ? ["slow"] : [])];
const results = join(root, ".cache/results");
const bin = (path) => join("node_modules", path);
const tsc = bin("typescript/bin/tsc");

const checks = {
  format: [[bin("oxfmt/bin/oxfmt"), "--check"]],
  lint: [[bin("oxlint/bin/oxlint"), "--type-aware", "--deny-warnings"]],
  types: ["src/contract", "src/client", "src/client/command", "src/server", "src/web", "test"].map(
    (project) => [tsc, "-p", project],
  ),
  unused: [[bin("knip/bin/knip.js"), "--no-config-hints"]],
  quick: vitest("quick"),
  server: vitest("server"),
  e2e: playwright(!isFull),
  drift: playwright(true),
};

function playwright(isShort) {
  const command = [bin("@playwright/test/cli.js"), "test", "--reporter=list,json"];
  return [[...command, ...(isShort ? ["--grep-invert=@full"] : [])]];
}

function vitest(name) {
  const tags = leftOut.map((tag) => `!${tag}`).join(" && ");
  const report = ["--reporter=default", "--reporter=json", `--outputFile.json=${results}/${name}`];
  return [[bin("vitest/vitest.mjs"), "run", ...(tags ? [`--tags-filter=${tags}`] : []), ...report]];
}

/** Counts, and the failures with the first lines of their reason. */
function ofVitest({ numPassedTests, testResults }) {
  const skipped = testResults
    .flatMap((file) => file.assertionResults)
    .filter(
      ({ status, tags = [] }) =>
        ["skipped", "pending"].includes(status) && !tags.some((tag) => leftOut.includes(tag)),
    );
  const failures = testResults.flatMap((file) => {
    const name = relative(root, file.name);
    const failed = file.assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0 && file.status === "failed") return [failure(name, file.message)];
    return failed.map((test) => failure(`${name} › ${test.fullName}`, test.failureMessages.join("\n")));
  });
  return { passed: numPassedTests, skipped: skipped.length, failures };
}

function ofPlaywright({ config, stats, suites }) {
  const specs = (suite) => [...suite.specs, ...(suite.suites ?? []).flatMap(specs)];
  const failures = suites.flatMap(specs).flatMap((spec) =>
    spec.tests
      .filter((test) => test.status === "unexpected")
      .map((test) => {
        const reason = test.results.findLast(({ error }) => error)?.error.message;
        return failure(`${spec.file}:${spec.line} › ${test.projectName} › ${spec.title}`, reason);
      }),
  );
  return { passed: stats.expected, failures, browser: config.metadata.browser };
}

function failure(test, reason = "") {
  const lines = stripVTControlCharacters(reason).trim().split("\n");
  return [test, ...lines.slice(0, 12).map((line) => `    ${line}`)].join("\n");
}

const testOf = (failed) => failed.split("\n")[0];

const readers = { quick: ofVitest, server: ofVitest, e2e: ofPlaywright, drift: ofPlaywright };

const asked = words.filter((word) => word !== "--full");
const unknown = asked.find((name) => !(name in checks));
if (unknown !== undefined) {
  console.error(`there is no check ${unknown}; the checks are ${Object.keys(checks).join(", ")}`);
  process.exit(2);
}
let allPassed = 0;
let allSkipped = 0;
const allFailures = [];
const allDrifted = [];
let running;
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop(signal));

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const newest = read(".cache/newest/path");
const all = Object.keys(checks).filter(
  (name) => name !== "quick" && (name !== "drift" || (isFull && newest)),
);
for (const name of asked.length > 0 ? asked : all) {
  console.log(`\n── ${name}`);
  const since = performance.now();
  const ok = await runAll(name);
  const { passed, skipped = 0, failures, browser = "the newest Chromium" } = outcome(name, ok);
  console.log(
    `── ${name}: ${failures.length === 0 ? "ok" : `${failures.length} failed`}, ${secondsSince(since)} s`,
  );
  if (name === "drift") {
    const drifted = failures.filter((each) => !allFailures.some((failed) => testOf(failed) === testOf(each)));
    allDrifted.push(...drifted.map((each) => `drift: not the shop, but ${browser}: ${each}`));
    continue;
  }
  allPassed += passed;
  allSkipped += skipped;
  allFailures.push(...failures);
}
if (isFull && asked.length === 0)
  spawnSync(projectNode(), ["scripts/outdated.mjs"], { cwd: root, stdio: "inherit" });
for (const each of [...allDrifted, ...allFailures]) console.log(`\n✗ ${each}`);
if (allFailures.length > 0) for (const each of movedPrograms()) console.log(`\n${each}`);
if (allDrifted.length > 0) console.log(`\n${allDrifted.length} drifted`);
// Elsewhere it is a failure (src/i18n/catalogues.test.ts).
const missing = asked.includes("quick") ? untranslated(join(root, "i18n")) : [];
if (missing.length > 0)
  console.log(
    `\n${missing.length} texts are in English until they are translated, which npm test demands:\n${missing.join("\n")}`,
  );
if (allSkipped > 0) console.log(`\n${allSkipped} skipped: what they need is not on this machine, see above`);
console.log(`\n${allPassed} passed, ${allFailures.length} failed`);
process.exitCode = allFailures.length === 0 ? 0 : 1;

async function runAll(name) {
  let ok = true;
  for (const command of checks[name]) ok = (await runOne(name, command)) && ok;
  return ok;
}

function runOne(name, command) {
  const env = {
    ...process.env,
    PLAYWRIGHT_JSON_OUTPUT_FILE: join(results, name),
    ...(name === "drift" ? { CHROMIUM: newest } : {}),
  };
  running = spawn(projectNode(), command, { cwd: root, stdio: ["ignore", "inherit", "inherit"], env });
  return new Promise((done, broken) => {
    running.once("error", broken);
    running.once("exit", (status) => done(status === 0));
  });
}

/** A run that failed without a failed test (a file did not load, a server did not start) counts as one. */
function outcome(name, ok) {
  const file = join(results, name);
  const broken = failure(name, "the check failed; its own output above says why");
  if (!(name in readers)) return ok ? { passed: 1, failures: [] } : { passed: 0, failures: [broken] };
  if (!existsSync(file)) return { passed: 0, failures: [broken] };
  const { passed, skipped, failures, browser } = readers[name](JSON.parse(readFileSync(file, "utf8")));
  // No test at all proves nothing.
  const isProof = (ok && passed > 0) || failures.length > 0;
  return { passed, skipped, failures: isProof ? failures : [broken], browser };
}

function read(path) {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "";
}

/** Ctrl-C reaches the running check by itself; other signals are passed on. Exits after its clean-up. */
function stop(signal) {
  running?.kill(signal);
  running?.once("exit", () => process.exit(130));
}

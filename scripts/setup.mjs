// Makes a fresh clone ready: `npm start` and `npm test` call it before they do anything.
//   node scripts/setup.mjs [packages | packages-of-tests] [build] [browser] [dovecot] [generators] [litecoin] [pgbouncer] [courier] [haproxy] [nginx] [caddy] [prometheus] [newest]
// It runs before anything is installed, on the machine's own Node (20.19 or newer), so it uses only what that has.
// A step whose inputs have not changed since it last succeeded takes no time.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

import { installApart, isApart, lockOf } from "./apart.mjs";
import { installBrowser, versionOf } from "./browser.mjs";
import { findProgram, programs, unpackProgram, versionOf as versionOfProgram } from "./debian.mjs";
import { hasDovecot, installDovecot } from "./dovecot.mjs";
import { withLock } from "./lock.mjs";
import { projectNode, root, run, say, secondsSince } from "./run.mjs";

const oldPackages = join(root, ".cache/node_modules.old");

const steps = {
  packages: () => installPackages(false),
  "packages-of-tests": () => installPackages(true),
  build: buildPages,
  browser: provideBrowser,
  dovecot: provideDovecot,
  generators: provideGenerators,
  litecoin: () => provideProgram("litecoin"),
  pgbouncer: () => provideProgram("pgbouncer"),
  courier: () => provideProgram("courier"),
  haproxy: () => provideProgram("haproxy"),
  nginx: () => provideProgram("nginx"),
  caddy: () => provideProgram("caddy"),
  prometheus: () => provideProgram("prometheus"),
  newest: () => provideProgram("newest"),
};

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  say(`Node.js 20.19 or newer is needed, this is ${process.version}`);
  process.exit(1);
}
const asked = process.argv.slice(2);
const unknown = asked.find((name) => !(name in steps));
if (unknown !== undefined) {
  say(`there is no step ${unknown}; the steps are ${Object.keys(steps).join(", ")}`);
  process.exit(2);
}
try {
  await withLock(join(root, ".cache/setup.lock"), async () => {
    // What Debian has is downloaded while npm installs, and npm has more to download while the pages are built.
    const ofDebian = [
      "dovecot",
      "litecoin",
      "pgbouncer",
      "courier",
      "haproxy",
      "nginx",
      "caddy",
      "prometheus",
      "newest",
    ];
    const ofPackages = ["browser", "generators"];
    const among = (names) => asked.filter((name) => names.includes(name));
    const afterPackages = async () => {
      await inTurn(among(["packages", "packages-of-tests"]));
      await Promise.all([inTurn(among(["build"])), inTurn(among(ofPackages))]);
    };
    await Promise.all([afterPackages(), inTurn(among(ofDebian))]);
  });
} catch (error) {
  say(error.message);
  process.exit(1);
}

async function inTurn(names) {
  for (const name of names) await steps[name]();
}

/** Installs package-lock.json unless node_modules holds it: the shop, Node.js 24 for an older machine, and the tests' packages `withTests`. */
async function installPackages(withTests) {
  // True inside an npm script: it runs on the installed Node.js.
  const isBrought = process.execPath.startsWith(join(root, "node_modules"));
  const workspaces = [
    ...(major < 24 || isBrought ? ["postern-node"] : []),
    ...(withTests ? ["postern-tests"] : []),
  ];
  const stamp = hash(read("package-lock.json"), process.platform, process.arch);
  const stampFile = "node_modules/.setup-stamp";
  const isReady = isInstalled(workspaces);
  if (isReady && read(stampFile) === stamp) return;
  if (!isReady) await downloadPackages(workspaces);
  write(stampFile, stamp);
}

async function downloadPackages(workspaces) {
  const since = performance.now();
  say("installing packages");
  // npm ci deletes node_modules before it downloads: the old folder is kept until the new one is complete.
  const current = join(root, "node_modules");
  if (!existsSync(oldPackages) && existsSync(current)) renameSync(current, oldPackages);
  rmSync(current, { recursive: true, force: true });
  const done = (await npmCi(workspaces, "--prefer-offline")) || (await npmCi(workspaces));
  if (!done) {
    rmSync(current, { recursive: true, force: true });
    if (existsSync(oldPackages)) renameSync(oldPackages, current);
    throw new Error("npm ci failed, see above; what was installed before is back in its place");
  }
  rmSync(oldPackages, { recursive: true, force: true });
  // A third of Node's package are the headers for native addons, and we build none.
  for (const name of readdirSync(current).filter((name) => /^node-(linux|darwin|win)-/.test(name)))
    rmSync(join(current, name, "include"), { recursive: true, force: true });
  if (!isInstalled(workspaces))
    throw new Error("npm ci ended well, but packages of package-lock.json are missing");
  say(`packages are ready after ${secondsSince(since)} s`);
}

/** Compares npm's note in node_modules with the lock file: `npm ci` may have been run by hand. */
function isInstalled(workspaces) {
  const wanted = JSON.parse(read("package-lock.json")).packages;
  const noted = read("node_modules/.package-lock.json");
  if (noted === "") return false;
  const found = JSON.parse(noted).packages;
  const isThere = (path) =>
    found[path]?.version === wanted[path]?.version && existsSync(join(root, path, "package.json"));
  // npm notes a package when all its dependencies are there; packages for other systems are left out.
  const named = ["", ...workspaces.map((name) => wanted[`node_modules/${name}`].resolved)].flatMap((place) =>
    Object.keys({
      ...wanted[place].dependencies,
      ...wanted[place].devDependencies,
      ...wanted[place].optionalDependencies,
    }),
  );
  return named
    .map((name) => `node_modules/${name}`)
    .every((path) => isThere(path) || (wanted[path].optional && !fitsHere(wanted[path])));
}

function fitsHere({ os, cpu }) {
  return (
    (os ?? [process.platform]).includes(process.platform) && (cpu ?? [process.arch]).includes(process.arch)
  );
}

/** dev: NODE_ENV=production must not leave out the build tools. No package needs an install script. */
async function npmCi(workspaces, ...more) {
  const which =
    workspaces.length === 0
      ? ["--workspaces=false"]
      : ["--include-workspace-root", ...workspaces.map((name) => `--workspace=${name}`)];
  const args = [
    "ci",
    ...which,
    "--include=dev",
    "--include=optional",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    ...more,
  ];
  return (await runNpm(args)).ok;
}

async function buildPages() {
  if (!existsSync(join(root, "vite.config.ts"))) return;
  const inputs = [
    "src",
    "i18n",
    "public",
    "index.html",
    "vite.config.ts",
    "tsconfig.base.json",
    "package-lock.json",
  ];
  const scripts = ["catalogues.ts", "client-calls.ts", "docs-calls.ts", "compress.mjs", "fonts.mjs"].map(
    (file) => `scripts/${file}`,
  );
  const stamp = hash(...[...inputs, ...scripts].flatMap(filesOf).flatMap((path) => [path, read(path)]));
  if (read("dist/.stamp") === stamp) return;
  const since = performance.now();
  say("building the pages");
  rmSync(join(root, "dist/.stamp"), { force: true });
  const vite = ["node_modules/vite/bin/vite.js", "build", "--app", "--logLevel", "warn"];
  for (const args of [["scripts/fonts.mjs"], vite, ["scripts/compress.mjs"]]) {
    if (!existsSync(join(root, args[0]))) continue;
    const { ok } = await run(projectNode(), args, { env: { NODE_ENV: "production" } });
    if (!ok) throw new Error(`the build failed in ${args[0]}, see above`);
  }
  write("dist/.stamp", stamp);
  say(`the pages are built after ${secondsSince(since)} s`);
}

function filesOf(path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found || path === "src/server" || path.includes(".test.")) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesOf(`${path}/${name}`));
}

/** Notes the path of the browser of the tests, unless CHROMIUM names another. */
async function provideBrowser() {
  const { CHROMIUM } = process.env;
  if (CHROMIUM !== undefined) {
    if ((await versionOf(CHROMIUM)) === undefined)
      throw new Error(`CHROMIUM names ${CHROMIUM}, which does not start`);
    return;
  }
  const [note, stampFile] = [".cache/browser/path", ".cache/browser/stamp"];
  const { version } = JSON.parse(read("package-lock.json")).packages["node_modules/playwright-core"];
  const stamp = hash(version, lockOf("browser"), read("scripts/browser.mjs"));
  if (read(stampFile) === stamp && existsSync(read(note))) return;
  const since = performance.now();
  const path = await installBrowser(runNpm);
  say(`Chromium ${await versionOf(path)} is ready after ${secondsSince(since)} s`);
  write(note, path);
  write(stampFile, stamp);
}

/** Without one the tests of hosted mailboxes are skipped. */
async function provideDovecot() {
  if (hasDovecot()) return;
  const since = performance.now();
  if (await installDovecot())
    say(`Dovecot ${versionOfProgram("dovecot")} is ready after ${secondsSince(since)} s`);
  else say("there is no Dovecot (dovecot-imapd) and it cannot be installed here: tests of IMAP are skipped");
}

/** Without them the tests of generated clients are skipped. */
async function provideGenerators() {
  if (isApart("generators")) return;
  const since = performance.now();
  if (await installApart("generators", runNpm))
    say(`the generators of clients are ready after ${secondsSince(since)} s`);
  else say("the generators of clients cannot be installed here: their tests are skipped");
}

/** Finds or unpacks a program for the tests and notes its path in .cache/<name>/path: empty where it cannot be had. */
async function provideProgram(name) {
  const { title, skipped, isNewest } = programs[name];
  let path = isNewest ? undefined : findProgram(name);
  if (path === undefined) {
    const since = performance.now();
    path = await unpackProgram(name);
    if (path !== undefined)
      say(`${title} ${versionOfProgram(name, path)} is ready after ${secondsSince(since)} s`);
    else say(`${title} cannot be had here: tests ${skipped} are skipped`);
  }
  const note = `.cache/${name}/path`;
  if (read(note) !== (path ?? "")) write(note, path ?? "");
}

/** npm as it called us (its own Node and its own version), else the one in the path. */
function runNpm(args) {
  const npm = process.env.npm_execpath ?? "";
  const isNpm = basename(npm) === "npm-cli.js";
  // We may run on a Node.js in the node_modules that is moved away.
  const aside = process.execPath.replace(join(root, "node_modules"), oldPackages);
  const node = existsSync(process.execPath) ? process.execPath : aside;
  return run(isNpm ? node : "npm", isNpm ? [npm, ...args] : args, {
    env: { npm_config_loglevel: "error" },
    patience: "still working",
  });
}

function hash(...parts) {
  return createHash("sha256").update(parts.join("\0")).digest("hex");
}

/** A file's bytes without loss (latin1); "" when it is missing. */
function read(path) {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), "latin1") : "";
}

function write(path, content) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

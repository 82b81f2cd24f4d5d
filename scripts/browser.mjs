// Chromium for the browser tests, in the version that a lock file names: Playwright's own build, or that of an npm package.
import { spawn } from "node:child_process";
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

import { installApart } from "./apart.mjs";
import { root, run, say } from "./run.mjs";

const folder = join(root, ".cache/browser");
const playwright = join(root, "node_modules/@playwright/test/cli.js");
const firstByteSeconds = 10;
const silenceSeconds = 60;

/** Answers the path of a Chromium that runs: Playwright's own where it can be had, else the one of test/browser. */
export async function installBrowser(runNpm) {
  const path = (await fromPlaywright()) ?? (await fromNpm(runNpm));
  if (path === undefined)
    throw new Error("no browser could be installed: set CHROMIUM to the path of a Chromium and try again");
  return path;
}

/** The version that Playwright reads from a Chromium; undefined where it does not start. */
export async function versionOf(path) {
  const { chromium } = await import("@playwright/test");
  try {
    const browser = await chromium.launch({ executablePath: path, args: ["--no-sandbox"], timeout: 20_000 });
    const version = browser.version();
    await browser.close();
    return version;
  } catch {
    return undefined;
  }
}

async function fromPlaywright() {
  const { said: plan } = await ask("--dry-run");
  const [, place] = /Install location: +(\S.*)/.exec(plan) ?? [];
  if (place === undefined) return undefined;
  if (programIn(place) === undefined) {
    say("fetching Playwright's Chromium");
    const { fault } = await ask();
    if (fault !== undefined) {
      say(`Playwright's Chromium cannot be fetched here: ${fault}`);
      return undefined;
    }
  }
  const path = programIn(place);
  if (path !== undefined && (await versionOf(path)) !== undefined) return path;
  say(`Playwright's Chromium does not start on this machine: ${join(place)}`);
  return undefined;
}

function programIn(place) {
  if (!existsSync(join(place, "INSTALLATION_COMPLETE"))) return undefined;
  const name = readdirSync(place, { recursive: true }).find((path) =>
    /^(?:chrome-headless-shell|headless_shell)(?:\.exe)?$/.test(basename(path)),
  );
  return name && join(place, name);
}

/** Has Playwright install its headless Chromium. A download that does not begin, or stands still, is given up. */
function ask(...words) {
  const args = [playwright, "install", ...words, "chromium-headless-shell"];
  const env = { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: String(firstByteSeconds * 1000) };
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], env });
  let said = "";
  let fault;
  let timer;
  const wait = (seconds) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      fault = `no answer for ${seconds} s`;
      child.kill();
      // Its own child holds the pipes.
      for (const pipe of [child.stdout, child.stderr]) pipe.destroy();
    }, seconds * 1000);
  };
  for (const pipe of [child.stdout, child.stderr])
    pipe.setEncoding("utf8").on("data", (text) => {
      said += text;
      if (text.includes("%")) wait(silenceSeconds);
    });
  wait(firstByteSeconds);
  return new Promise((done) => {
    child.once("error", (error) => done({ said, fault: error.message }));
    child.once("close", (status) => {
      clearTimeout(timer);
      if (status !== 0) fault ??= /^Error: (?!Failed to)(.+)$/m.exec(said)?.[1] ?? "its installer failed";
      done({ said, fault });
    });
  });
}

/** A headless Chromium of the npm registry, with all libraries and fonts that it needs. */
async function fromNpm(runNpm) {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  say("installing the Chromium of test/browser from npm");
  rmSync(folder, { recursive: true, force: true });
  if (!(await installApart("browser", runNpm))) return undefined;
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
  writeFileSync(join(folder, "fonts.conf"), fonts);
  writeFileSync(path, wrapper(program), { mode: 0o755 });
  return (await versionOf(path)) === undefined ? undefined : path;
}

async function unpack(from, to) {
  mkdirSync(folder, { recursive: true });
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));
}

const fonts = `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts.cache</cachedir></fontconfig>`;

/** Its own libraries and fonts come first, so that it is the same on each machine. */
const wrapper = (program) => `#!/bin/sh
export LD_LIBRARY_PATH='${folder}/lib' FONTCONFIG_FILE='${folder}/fonts.conf'
exec '${program}' "$@"
`;

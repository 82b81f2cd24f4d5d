// Debian programs for the tests: installed as root, or unpacked into a folder. No lock file names their versions:
// `proved` is the one that the tests were last green with, and a failed run names what differs.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { root, run, say } from "./run.mjs";

const apt = "/usr/bin/apt-get";

/** Without one its tests are skipped. All but Dovecot are unpacked for the tests alone. */
export const programs = {
  dovecot: {
    title: "Dovecot",
    file: "usr/sbin/dovecot",
    elsewhere: "/usr/local/sbin/dovecot",
    proved: "2.3.19.1",
  },
  // Debian's /usr/bin/litecoind is a wrapper that writes settings into the home.
  litecoin: {
    title: "Litecoin",
    package: "litecoind",
    file: "usr/lib/litecoin/litecoind",
    elsewhere: "/usr/local/bin/litecoind",
    skipped: "of its chain",
    proved: "0.21.2.1",
  },
  pgbouncer: {
    title: "PgBouncer",
    package: "pgbouncer",
    file: "usr/sbin/pgbouncer",
    elsewhere: "/usr/bin/pgbouncer",
    skipped: "behind a pooler",
    proved: "1.18.0",
  },
  // Its imapd alone: a server for each connection, after the log-in.
  courier: {
    title: "Courier",
    package: "courier-imap",
    file: "usr/bin/imapd",
    elsewhere: "/usr/local/bin/imapd",
    skipped: "at a second IMAP server",
    proved: "1.0.16",
  },
  haproxy: {
    title: "HAProxy",
    package: "haproxy",
    file: "usr/sbin/haproxy",
    elsewhere: "/usr/local/sbin/haproxy",
    version: "-v",
    skipped: "behind it",
    proved: "2.6.12",
  },
  nginx: {
    title: "nginx",
    package: "nginx-light",
    file: "usr/sbin/nginx",
    elsewhere: "/usr/local/sbin/nginx",
    version: "-v",
    skipped: "behind it",
    proved: "1.22.1",
  },
  caddy: {
    title: "Caddy",
    package: "caddy",
    file: "usr/bin/caddy",
    elsewhere: "/usr/local/bin/caddy",
    version: "version",
    skipped: "behind it",
    proved: "2.6.2",
  },
  // Its promtool alone, which tries rules.
  prometheus: {
    title: "promtool",
    package: "prometheus",
    file: "usr/bin/promtool",
    elsewhere: "/usr/local/bin/promtool",
    skipped: "of the alerts",
    proved: "2.42.0",
  },
  // For the check `drift` alone: it must be the newest, so it is unpacked each time and comes before the system's.
  newest: {
    title: "the newest Chromium",
    package: "chromium-headless-shell",
    file: "usr/lib/chromium/chromium-headless-shell",
    elsewhere: "/usr/bin/chromium",
    skipped: "of drift",
    isNewest: true,
  },
};

const folderOf = (name) => join(root, ".cache", name);

/** The path of a program that runs: the system's, or the unpacked one; undefined without one. */
export function findProgram(name) {
  const { file, elsewhere, version = "--version", isNewest } = programs[name];
  const places = [join("/", file), elsewhere];
  const unpacked = join(folderOf(name), "start");
  return (isNewest ? [unpacked, ...places] : [...places, unpacked]).find(
    (path) => spawnSync(path, [version], { stdio: "ignore", timeout: 20_000 }).status === 0,
  );
}

/** What a program calls its version: 2.3.19.1. */
export function versionOf(name, path = findProgram(name)) {
  if (path === undefined) return undefined;
  const { stdout, stderr } = spawnSync(path, [programs[name].version ?? "--version"], { encoding: "utf8" });
  // nginx says it as an error.
  return /\d+(?:\.\d+)+/.exec(stdout + stderr)?.[0];
}

/** A sentence for each program here that is not the one which the tests were proved with. */
export function movedPrograms() {
  return Object.entries(programs).flatMap(([name, { title, proved }]) => {
    const version = proved && versionOf(name);
    if (version === undefined || version === proved) return [];
    return [
      `${title} ${version} is not the version that the tests were proved with (${proved}): a failure of its tests may be its own, not the shop's`,
    ];
  });
}

export async function unpackProgram(name) {
  await unpackPackage(programs[name], folderOf(name));
  return findProgram(name);
}

export async function installPackage(name, title) {
  if (process.getuid?.() !== 0 || !existsSync(apt)) return false;
  say(`installing ${title} from Debian`);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const get = (...args) => run(apt, ["-qq", ...args], { env, patience: `still installing ${title}` });
  const install = ["install", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=120", name];
  if ((await get(...install)).ok) return true;
  await get("update");
  return (await get(...install)).ok;
}

/**
 * Unpacks a package and its missing dependencies into a folder, with a script that starts its file with those libraries.
 * Needs no root. Answers the path of the script, or undefined.
 */
async function unpackPackage({ package: name, title, file, isNewest }, folder) {
  if (!existsSync(apt)) return undefined;
  say(`unpacking ${title} from Debian`);
  rmSync(folder, { recursive: true, force: true });
  const [debs, lists, files] = ["debs", "lists", "files"].map((part) => join(folder, part));
  for (const path of [join(debs, "partial"), join(lists, "partial"), files])
    mkdirSync(path, { recursive: true });
  // As root, apt would switch to a user without access to this folder.
  const own = [
    "-qq",
    "-o",
    "APT::Sandbox::User=root",
    "-o",
    "Debug::NoLocking=1",
    "-o",
    `Dir::Cache=${debs}`,
  ];
  const fetch = (more) => download(name, debs, [...own, ...more], title);
  const ownLists = ["-o", `Dir::State::lists=${lists}`];
  const isFetched =
    (!isNewest && (await fetch([]))) ||
    ((await run(apt, [...own, ...ownLists, "update"])).ok && (await fetch(ownLists)));
  if (!isFetched) return undefined;
  for (const deb of readdirSync(debs).filter((file) => file.endsWith(".deb")))
    if (!(await run("dpkg-deb", ["-x", join(debs, deb), files])).ok) return undefined;
  for (const path of [debs, lists]) rmSync(path, { recursive: true });
  return starter(folder, join(files, file), join(files, "usr/lib"));
}

async function download(name, folder, options, title) {
  const simulated = spawnSync(apt, [...options, "install", "-s", "--no-install-recommends", name], {
    encoding: "utf8",
  });
  const missing = [...(simulated.stdout ?? "").matchAll(/^Inst (\S+)/gm)].map(([, found]) => found);
  if (simulated.status !== 0 || missing.length === 0) return false;
  const patience = `still fetching ${title}`;
  return (await run(apt, [...options, "download", ...missing], { cwd: folder, patience })).ok;
}

function starter(folder, program, libraries) {
  if (!existsSync(program)) return undefined;
  const places = (existsSync(libraries) ? readdirSync(libraries) : []).filter((place) =>
    place.includes("-linux-"),
  );
  // Some keep libraries of their own a folder further down (libpulse).
  const inner = places.flatMap((place) =>
    readdirSync(join(libraries, place), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(place, entry.name)),
  );
  const path = ["", ...places, ...inner].map((place) => join(libraries, place)).join(":");
  const script = join(folder, "start");
  writeFileSync(script, `#!/bin/sh\nexport LD_LIBRARY_PATH='${path}'\nexec '${program}' "$@"\n`, {
    mode: 0o755,
  });
  return script;
}

// Debian programs for the tests: installed as root, or unpacked into a folder.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { root, run, say } from "./run.mjs";

const apt = "/usr/bin/apt-get";

/** Programs that are unpacked for the tests alone; without one its tests are skipped. */
export const programs = {
  // Debian's /usr/bin/litecoind is a wrapper that writes settings into the home.
  litecoin: {
    title: "Litecoin",
    package: "litecoind",
    file: "usr/lib/litecoin/litecoind",
    elsewhere: "/usr/local/bin/litecoind",
    skipped: "of its chain",
  },
  pgbouncer: {
    title: "PgBouncer",
    package: "pgbouncer",
    file: "usr/sbin/pgbouncer",
    elsewhere: "/usr/bin/pgbouncer",
    skipped: "behind a pooler",
  },
  haproxy: {
    title: "HAProxy",
    package: "haproxy",
    file: "usr/sbin/haproxy",
    elsewhere: "/usr/local/sbin/haproxy",
    version: "-v",
    skipped: "of its configuration",
  },
};

const folderOf = (name) => join(root, ".cache", name);

/** The path of a program that runs: the system's, or the unpacked one; undefined without one. */
export function findProgram(name) {
  const { file, elsewhere, version = "--version" } = programs[name];
  return [join("/", file), elsewhere, join(folderOf(name), "start")].find(
    (path) => spawnSync(path, [version], { stdio: "ignore", timeout: 20_000 }).status === 0,
  );
}

export async function unpackProgram(name) {
  const { package: debianName, title, file } = programs[name];
  await unpackPackage(debianName, title, folderOf(name), file);
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
 * Unpacks a package and its missing dependencies into a folder, with a script that starts `program` with those libraries.
 * Needs no root. Answers the path of the script, or undefined.
 */
async function unpackPackage(name, title, folder, program) {
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
    (await fetch([])) || ((await run(apt, [...own, ...ownLists, "update"])).ok && (await fetch(ownLists)));
  if (!isFetched) return undefined;
  for (const deb of readdirSync(debs).filter((file) => file.endsWith(".deb")))
    if (!(await run("dpkg-deb", ["-x", join(debs, deb), files])).ok) return undefined;
  for (const path of [debs, lists]) rmSync(path, { recursive: true });
  return starter(folder, join(files, program), join(files, "usr/lib"));
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
  const places = readdirSync(libraries).filter((place) => place.includes("-linux-"));
  const path = places.map((place) => join(libraries, place)).join(":");
  const script = join(folder, "start");
  writeFileSync(script, `#!/bin/sh\nexport LD_LIBRARY_PATH='${path}'\nexec '${program}' "$@"\n`, {
    mode: 0o755,
  });
  return script;
}

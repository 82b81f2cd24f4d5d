// Programs of Debian for the tests: installed into the system by root, or unpacked into a folder by anybody.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { run, say } from "./run.mjs";

const apt = "/usr/bin/apt-get";

/** Installs a package into the system, where we are root; answers whether that was done. */
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
 * Unpacks a package, and what it needs that the system lacks, into a folder, and writes a script beside them that starts
 * `program` (a path within the package) with those libraries. Changes nothing of the system, so nobody has to be root.
 * Answers the path of the script, undefined where it cannot be done.
 */
export async function unpackPackage(name, title, folder, program) {
  if (!existsSync(apt)) return undefined;
  say(`unpacking ${title} from Debian`);
  rmSync(folder, { recursive: true, force: true });
  const [debs, lists, files] = ["debs", "lists", "files"].map((part) => join(folder, part));
  for (const path of [join(debs, "partial"), join(lists, "partial"), files])
    mkdirSync(path, { recursive: true });
  // As root apt would become a user who may not write here.
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
  // The system's lists may be empty or old, and only root can renew them: then we read lists of our own.
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

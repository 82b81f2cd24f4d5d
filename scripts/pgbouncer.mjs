// A PgBouncer for the tests behind a pooler: the system's, or Debian's, unpacked where only the tests see it.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

import { unpackPackage } from "./debian.mjs";
import { root } from "./run.mjs";

const folder = join(root, ".cache/pgbouncer");
const program = "usr/sbin/pgbouncer";
const places = [join("/", program), "/usr/bin/pgbouncer", join(folder, "start")];

/** The path of a PgBouncer that runs, if there is one. */
export const findPgbouncer = () =>
  places.find((path) => spawnSync(path, ["--version"], { stdio: "ignore", timeout: 20_000 }).status === 0);

/** Provides one where that can be done; its tests are skipped, and say so, where it cannot. */
export async function unpackPgbouncer() {
  await unpackPackage("pgbouncer", "PgBouncer", folder, program);
  return findPgbouncer();
}

// A litecoind for the tests of the Litecoin chain: the system's, or Debian's, unpacked where only the tests see it.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

import { unpackPackage } from "./debian.mjs";
import { root } from "./run.mjs";

const folder = join(root, ".cache/litecoin");

// Debian's /usr/bin/litecoind writes settings into the home of who starts it; this is the program behind it.
const program = "usr/lib/litecoin/litecoind";

const places = [join("/", program), "/usr/local/bin/litecoind", join(folder, "start")];

/** The path of a litecoind that runs, if there is one. */
export const findLitecoind = () =>
  places.find((path) => spawnSync(path, ["--version"], { stdio: "ignore", timeout: 20_000 }).status === 0);

/** Provides one where that can be done; its tests are skipped, and say so, where it cannot. */
export async function unpackLitecoind() {
  await unpackPackage("litecoind", "Litecoin", folder, program);
  return findLitecoind();
}

// litecoind for the tests: the system's, or Debian's, unpacked for the tests alone.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

import { unpackPackage } from "./debian.mjs";
import { root } from "./run.mjs";

const folder = join(root, ".cache/litecoin");

// Debian's /usr/bin/litecoind is a wrapper that writes settings into the home.
const program = "usr/lib/litecoin/litecoind";

const places = [join("/", program), "/usr/local/bin/litecoind", join(folder, "start")];

export const findLitecoind = () =>
  places.find((path) => spawnSync(path, ["--version"], { stdio: "ignore", timeout: 20_000 }).status === 0);

export async function unpackLitecoind() {
  await unpackPackage("litecoind", "Litecoin", folder, program);
  return findLitecoind();
}

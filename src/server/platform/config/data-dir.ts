import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes the folder of DATA_DIR where it is missing. Throws, with a sentence that names the setting, when it cannot be had: else a
 * part would tell only when it first writes something, a letter or a payment's address.
 */
export function makeDataDir(folder: string): void {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    const { code = "unknown" } = cause as NodeJS.ErrnoException;
    throw new Error(`DATA_DIR names ${folder}, which is no folder that can be written to (${code}).`, {
      cause,
    });
  }
}

/** Not by `recursive`: below a folder that takes nothing and says ENOENT, as /proc does, Node.js tries for ever. */
function makeFolder(folder: string): void {
  const above = dirname(folder);
  if (!existsSync(above)) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (fault) {
    // Another process may have made it this moment.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw fault;
  }
}

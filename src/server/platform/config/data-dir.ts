import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes DATA_DIR. Throws a sentence that names the setting: a failure at the first write would be late. */
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

/** What the shop may still write to the disk of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Not by `recursive`: Node.js loops for ever below a folder that answers ENOENT, as /proc does. */
function makeFolder(folder: string): void {
  const above = dirname(folder);
  if (!existsSync(above)) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (fault) {
    // Another process may have just made it.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw fault;
  }
}

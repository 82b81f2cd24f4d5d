import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noteVariable } from "./guard.ts";

/** Collects refusals of the guards of child processes; the answer throws them. */
export async function noteRefusals(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "postern-refused-"));
  const file = join(folder, "notes");
  await writeFile(file, "");
  process.env[noteVariable] = file;
  return async () => {
    const refused = await readFile(file, "utf8");
    await rm(folder, { recursive: true });
    if (refused !== "") throw new Error(`tests may reach this machine only:\n${refused}`);
  };
}

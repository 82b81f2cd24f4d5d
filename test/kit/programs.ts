import { globSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The path of a program; undefined if it is not installed. */
export const found = (program: string): string | undefined =>
  [...(process.env["PATH"] ?? "").split(delimiter), ...globSync("/usr/{local,lib}/go*/bin")]
    .flatMap((folder) => globSync(join(folder, program)))
    .at(0);

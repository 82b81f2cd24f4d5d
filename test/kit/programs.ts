import { globSync } from "node:fs";
import { delimiter, join } from "node:path";

export const found = (program: string): string | undefined =>
  [...(process.env["PATH"] ?? "").split(delimiter), ...globSync("/usr/{local,lib}/go*/bin")]
    .flatMap((folder) => globSync(join(folder, program)))
    .at(0);

// The words that a program is started with.
import { parseArgs, type ParseArgsConfig } from "node:util";
import { version } from "./version.ts";

/** Answers `--version` and `--help` and ends the program with 0; words that it does not take end it with 2. */
export function answerWords(
  usage: string,
  taken: Pick<ParseArgsConfig, "options" | "allowPositionals"> = {},
): void {
  const words = process.argv.slice(2);
  const asked = words.includes("--version") ? version : words.includes("--help") ? usage : undefined;
  if (asked !== undefined) {
    process.stdout.write(`${asked}\n`);
    process.exit(0);
  }
  try {
    parseArgs({ ...taken, args: words });
  } catch (fault) {
    process.stderr.write(`${(fault as Error).message}\n${usage}\n`);
    process.exit(2);
  }
}

import type { Command, Option } from "commander";
import type { Act } from "./answer.ts";

export interface Nouns {
  readonly program: Command;
  readonly noun: (name: string, about: string) => Command;
  /** What has verbs of its own below a noun: `users factor reset`. */
  readonly group: (under: Command, name: string) => Command;
  /** `words` is the verb with its arguments. `read` gets these and the options as in commander. */
  readonly verb: (under: Command, words: string, about: string, read: (...given: never[]) => Act) => Command;
  readonly choice: (flags: string, about: string, words?: readonly string[]) => Option;
}

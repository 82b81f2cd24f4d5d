import type { Command, Option } from "commander";
import type { Act } from "./answer.ts";

/** How the commands are declared: a noun, its verbs, and options with a fixed set of words. */
export interface Nouns {
  readonly program: Command;
  readonly noun: (name: string, about: string) => Command;
  /** `words` is the verb with its arguments. `read` gets them and the options as commander does, and answers the work. */
  readonly verb: (
    under: Command,
    words: string,
    about: string,
    // Each command has arguments of its own; commander checks them before it calls.
    read: (...given: never[]) => Act,
  ) => Command;
  readonly choice: (flags: string, about: string, words?: readonly string[]) => Option;
}

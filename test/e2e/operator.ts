import { readConfig } from "../../src/server/platform/config/config.ts";
import { work } from "../../src/server/shop/run.ts";
import { runShop } from "../../src/server/shop/program.ts";
import { environment, type Place } from "../kit/process.ts";

/**
 * Does what a command of the operator does, in this process: for what a test needs to begin with, and is not about.
 * A process of its own takes a second of a processor until it has read the program.
 */
export async function operate(shop: Place, ...words: string[]): Promise<void> {
  let complaints = "";
  const hear = (line: string) => void (complaints += `${line}\n`);
  const status = await runShop(words, { out: () => undefined, err: hear }, (act) =>
    work(act, readConfig(environment(shop)), hear),
  );
  if (status !== 0) throw new Error(`${words.join(" ")} ended with ${status}: ${complaints}`);
}

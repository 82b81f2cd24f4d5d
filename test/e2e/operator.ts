import { readConfig } from "../../src/server/platform/config/config.ts";
import type { Db } from "../../src/server/platform/db/db.ts";
import { work } from "../../src/server/shop/run.ts";
import { runShop } from "../../src/server/shop/program.ts";
import { environment, type Place } from "../kit/process.ts";

/** Runs an operator's command in this process, which saves a second of start-up. */
export async function operate(shop: Place, ...words: string[]): Promise<void> {
  let complaints = "";
  const hear = (line: string) => void (complaints += `${line}\n`);
  const status = await runShop(words, { out: () => undefined, err: hear }, (act) =>
    work(act, readConfig(environment(shop)), hear),
  );
  if (status !== 0) throw new Error(`${words.join(" ")} ended with ${status}: ${complaints}`);
}

/** Does something in the database of a shop that is running. */
export async function inDatabase(shop: Place, does: (db: Db) => Promise<unknown>): Promise<void> {
  const act = async ({ db }: { db: Db }) => {
    await does(db);
    return {};
  };
  await work(act, readConfig(environment(shop)), () => undefined);
}

import { readConfig } from "../../src/server/platform/config/config.ts";
import type { Db } from "../../src/server/platform/db/db.ts";
import { createLog } from "../../src/server/platform/log.ts";
import { runShop } from "../../src/server/shop/program.ts";

export interface Said {
  status: number;
  out: string;
  err: string;
}

/** Runs `shop` with these arguments and settings. Without `db` the command must need none; few need the database's `url`. */
export async function sayTo(
  db: Db | undefined,
  words: readonly string[],
  settings: Record<string, string> = {},
  url = "",
): Promise<Said> {
  const said = { out: "", err: "" };
  const output = {
    out: (text: string) => void (said.out += text),
    err: (text: string) => void (said.err += text),
  };
  const rest = { config: readConfig(settings), log: createLog("silent") };
  const status = await runShop(words, output, (act) => {
    if (!db) throw new Error("the words were taken for right");
    return act({ db, url, ...rest, progress: (line) => output.err(`${line}\n`) });
  });
  return { status, ...said };
}

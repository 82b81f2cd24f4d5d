import pino from "pino";
import type { Config } from "../kit/config.ts";
import { connect } from "../kit/db.ts";
import { deadlines } from "../kit/deadlines.ts";
import { startEmbedded } from "../kit/embedded.ts";
import { createLog } from "../kit/log.ts";
import { migrate } from "../kit/migrate.ts";
import type { Act, Answer } from "./answer.ts";

/**
 * Does a command with the same settings as the shop, which may run or not: with the embedded database it joins the one
 * that runs or starts it for as long as it takes.
 */
export async function work(act: Act, config: Config, progress: (line: string) => void): Promise<Answer> {
  // What a shop tells as it works is no answer to the operator's question: only what went wrong, and beside the answer.
  const log = createLog("error", pino.destination({ fd: 2, sync: true }));
  const embedded =
    config.databaseUrl === undefined ? await startEmbedded({ dataDir: config.dataDir, log }) : undefined;
  try {
    const db = connect(config.databaseSessionUrl ?? config.databaseUrl ?? embedded?.url ?? "", {
      max: 4,
      name: "postern-shop",
      deadlines: deadlines.sessions,
    });
    try {
      await migrate(db);
      return await act({ db, config, log, progress });
    } finally {
      await db.end({ timeout: 5 });
    }
  } finally {
    await embedded?.stop();
  }
}

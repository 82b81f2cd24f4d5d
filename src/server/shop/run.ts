import pino from "pino";
import type { Config } from "../platform/config/config.ts";
import { connect } from "../platform/db/db.ts";
import { deadlines } from "../platform/db/deadlines.ts";
import { startEmbedded } from "../platform/db/embedded.ts";
import { createLog } from "../platform/log.ts";
import { migrate } from "../platform/db/migrate.ts";
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

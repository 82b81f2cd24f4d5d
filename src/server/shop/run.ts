import pino from "pino";
import type { Config } from "../platform/config/config.ts";
import { connect, type Db } from "../platform/db/db.ts";
import { deadlines } from "../platform/db/deadlines.ts";
import { startEmbedded } from "../platform/db/embedded.ts";
import { openIds } from "../platform/ids.ts";
import { createLog } from "../platform/log.ts";
import { checkMigrated } from "../platform/db/migrate.ts";
import type { Act, Answer, CommandContext } from "./answer.ts";

/** With the settings of the shop, which may be running: joins its embedded database, or starts that. */
export async function work(act: Act, config: Config, progress: (line: string) => void): Promise<Answer> {
  // Only errors are logged, on stderr: stdout is the answer.
  const log = createLog("error", pino.destination({ fd: 2, sync: true }));
  const context = { config, log, progress };
  if (act.without === "a database") return act(context as CommandContext);
  return withDatabase(context, async (db, url) => {
    // A command of a new version, said while the old one runs, must not change the database under it.
    if (act.without !== "a schema") {
      await checkMigrated(db);
      await openIds(db);
    }
    return act({ db, url, ...context });
  });
}

/** Opens the database of the settings, whatever is in it. */
export async function withDatabase<Done>(
  { config, log }: Pick<CommandContext, "config" | "log">,
  use: (db: Db, url: string) => Promise<Done>,
): Promise<Done> {
  const embedded =
    config.databaseUrl === undefined ? await startEmbedded({ dataDir: config.dataDir, log }) : undefined;
  try {
    const url = config.databaseSessionUrl ?? config.databaseUrl ?? embedded?.url ?? "";
    const db = connect(url, { max: 4, name: "postern-shop", deadlines: deadlines.sessions });
    try {
      return await use(db, url);
    } finally {
      await db.end({ timeout: 5 });
    }
  } finally {
    await embedded?.stop();
  }
}

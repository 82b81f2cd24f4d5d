import { existsSync } from "node:fs";
import { join } from "node:path";
import { connect, type Db } from "../src/server/platform/db/db.ts";
import { startEmbedded } from "../src/server/platform/db/embedded.ts";
import { migrate } from "../src/server/platform/db/migrate.ts";
import { withFolder } from "./process.kit.ts";
import { seed, type Size } from "./scale.seed.ts";

const log = { info: () => undefined, warn: (text: string) => console.warn(text) };

/** Runs `work` on the database of a filled shop; one in the folder `kept` is filled once, and used again. */
export const inSeededShop = <Answer>(
  size: Size,
  work: (db: Db) => Promise<Answer>,
  kept?: string,
): Promise<Answer> =>
  kept === undefined ? withFolder((folder) => workIn(folder, size, work)) : workIn(kept, size, work);

async function workIn<Answer>(
  folder: string,
  size: Size,
  work: (db: Db) => Promise<Answer>,
): Promise<Answer> {
  if (!existsSync(join(folder, "postgres"))) await fill(folder, size);
  const server = await startEmbedded({ dataDir: folder, log });
  const db = connect(server.adminUrl, { max: 12, name: "bench" });
  try {
    await migrate(db);
    return await work(db);
  } finally {
    await db.end();
    await server.stop();
  }
}

async function fill(folder: string, size: Size): Promise<void> {
  const server = await startEmbedded({ dataDir: folder, log, throwaway: true });
  const db = connect(server.adminUrl, { max: 4, name: "bench" });
  try {
    const start = performance.now();
    await migrate(db);
    await seed(db, size);
    console.log(`  filled in ${((performance.now() - start) / 60_000).toFixed(1)} minutes`);
  } finally {
    await db.end();
    await server.stop();
  }
}

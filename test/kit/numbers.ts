import type { Db } from "../../src/server/platform/db/db.ts";
import { idsOf, openIds, plainIds } from "../../src/server/platform/ids.ts";

/** The id of the database that was told so, for a statement of a test. */
export async function numberOf(db: Db, told: unknown): Promise<string> {
  if (idsOf(db) === plainIds) await openIds(db);
  return String(idsOf(db).read(BigInt(String(told))));
}

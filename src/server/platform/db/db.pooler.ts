// Whether a pooler stands between us and the database, and what it shares.
import type { Db } from "./db.ts";

/** `transaction`: each transaction may be on another session, so that nothing may belong to a session. */
export type Pooler = "none" | "session" | "transaction";

const rounds = 3;

/**
 * Looks what a pool leads to. A pooler names sessions by numbers of its own; one that shares them between transactions gives another
 * to a client whose own is taken meanwhile. `db` must have two connections at least, opened with `isPooled`.
 */
export async function poolerOf(db: Db): Promise<Pooler> {
  const connection = await db.reserve();
  const pid = async () => (await connection<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid;
  try {
    if ((await pid()) === connection.pid) return "none";
    for (let round = 0; round < rounds; round++) {
      const first = await pid();
      const again = await db.begin(async (tx) => {
        await tx`select 1`;
        return pid();
      });
      if (first !== again) return "transaction";
    }
    return "session";
  } finally {
    connection.release();
  }
}

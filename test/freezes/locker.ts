// A process that locks a buyer's account in a transaction, says "locked", and does nothing more.
import { attempt, connect } from "../../src/server/platform/db/db.ts";

const [url = "", userId = "", idleMs = ""] = process.argv.slice(2);
const deadlines = {
  statementMs: 2_000,
  lockMs: 1_000,
  idleInTransactionMs: Number(idleMs),
  silenceMs: 3_000,
};
const db = connect(url, { max: 1, deadlines });
await attempt(db, async (tx) => {
  await tx`select 1 from account where user_id = ${userId} for update`;
  process.stdout.write("locked\n");
  await new Promise((resolve) => setTimeout(resolve, 60_000));
}).catch(() => undefined);

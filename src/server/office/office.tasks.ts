// Trying again and giving up what waits, for the operator (docs/decisions/096).
import { now } from "../platform/clock.ts";
import { attempt, type Db, type Tx } from "../platform/db/db.ts";
import { giveUpTasks, tryTasksAgain, type Which } from "../platform/jobs/tasks.ts";
import { note } from "../journal/journal.ts";
import { giveUpDeliveries, retryDeliveries } from "../webhooks/webhooks.ts";

const failure = "given up by the operator";

/** Makes what waits, or was given up, due at once. Answers how many; "no task" for none. */
export const retry = (db: Db, which: Which, by: string) =>
  change(db, which, { by, did: "queues retry" }, (tx, at) =>
    which.queue === "webhooks" ? retryDeliveries(tx, which, at) : tryTasksAgain(tx, which, at),
  );

/** Gives up what waits. Answers how many; "no task" for none. */
export const giveUp = (db: Db, which: Which, by: string) =>
  change(db, which, { by, did: "queues drop" }, (tx, at) =>
    which.queue === "webhooks" ? giveUpDeliveries(tx, which, at) : giveUpTasks(tx, which, failure),
  );

async function change(
  db: Db,
  { queue, id, key, userId }: Which,
  act: { by: string; did: "queues retry" | "queues drop" },
  work: (tx: Tx, at: Date) => Promise<number>,
): Promise<{ count: number } | "no task"> {
  return attempt(db, async (tx) => {
    const count = await work(tx, now());
    if (count === 0) return "no task";
    await note(tx, { ...act, about: `queue ${queue}`, after: { id, target: key, user: userId, count } });
    return { count };
  });
}

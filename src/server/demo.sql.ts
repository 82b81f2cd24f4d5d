import { z } from "zod/mini";
import { one, type Tx } from "./platform/db/db.ts";

/** Processes that start together stock the demonstration one after the other. */
export const lockDemo = (tx: Tx) => tx`select pg_advisory_xact_lock(hashtextextended('demo', 0))`;

/** Whether there is a story, or was one: its number was given. */
export const hasHadStories = async (tx: Tx) =>
  (await one(z.object({ isCalled: z.boolean() }), tx`select is_called as "isCalled" from story_id_seq`))
    .isCalled;

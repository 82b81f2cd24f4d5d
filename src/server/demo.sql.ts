import { z } from "zod/mini";
import { one, type Tx } from "./platform/db/db.ts";

export const lockDemo = (tx: Tx) => tx`select pg_advisory_xact_lock(hashtextextended('demo', 0))`;

/** Whether a story exists or existed: its id was used. */
export const hasHadStories = async (tx: Tx) =>
  (await one(z.object({ isCalled: z.boolean() }), tx`select is_called as "isCalled" from story_id_seq`))
    .isCalled;

/** The same of an announcement. */
export const hasHadNews = async (tx: Tx) =>
  (await one(z.object({ isCalled: z.boolean() }), tx`select is_called as "isCalled" from news_id_seq`))
    .isCalled;

import { z } from "zod/mini";

/** What waits in a table to be sent, for whoever watches the shop. */
export const Waiting = z.object({
  /** Not tried yet. */
  fresh: z.int(),
  /** Tried, and not taken. */
  retried: z.int(),
  /** By how much the one that is longest overdue is late. */
  lagSeconds: z.number(),
});
export type Waiting = z.infer<typeof Waiting>;

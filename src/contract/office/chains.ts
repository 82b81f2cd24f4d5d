import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { DollarText, UnixSeconds } from "../fields.ts";
import { paymentStates } from "../payments.ts";

const Node = z.object({
  name: z.string(),
  in_use: z.boolean(),
  height: z.optional(z.int()),
  answered_at: z.optional(UnixSeconds),
  trouble: z.optional(z.string()),
  trouble_at: z.optional(UnixSeconds),
});

/** All-time totals of a chain in one currency. */
const Takings = z.object({ currency: z.string(), received: z.string(), credited: DollarText });

/** State of a chain; what its watcher has not reported yet is absent. */
const ChainState = z.object({
  chain: z.string(),
  on_sale: z.boolean(),
  height: z.optional(z.int()),
  lag_seconds: z.optional(z.int()),
  blocks_behind: z.optional(z.int()),
  looked_at: z.optional(UnixSeconds),
  failures: z.optional(z.int()),
  failing_since: z.optional(UnixSeconds),
  error: z.optional(z.string()),
  error_at: z.optional(UnixSeconds),
  nodes: z.array(Node),
  undecided: z.array(z.object({ state: z.literal(paymentStates), count: z.int() })),
  credited: DollarText,
  takings: z.array(Takings),
});

export const chains = endpoint({
  name: "chains",
  method: "GET",
  path: "/api/admin/chains",
  access: "admin",
  session: "begun",
  summary: "The state of the chains and what they received (administrators)",
  ask: {},
  reply: z.object({ data: z.array(ChainState) }),
});

import * as z from "zod/mini";

export const invariantNames = [
  "ledger accounts",
  "balances",
  "shop day sums",
  "hours of days",
  "zero sum",
  "no overdraft",
  "earnings by day",
  "escrow",
  "paid",
  "hold without order",
  "refunded",
  "earned",
  "nobody from his own",
  "shares",
  "held",
  "investor shares",
  "batch earnings",
  "reorders",
  "budgets",
  "order numbers",
  "list counters",
  "waiting counters",
  "once for a site",
  "mailbox of an order",
  "living mailboxes",
  "lots",
  "held lots",
  "taken",
  "held without stock",
  "returned and held",
  "fresh is fresh",
  "no mailbox lost",
  "letters of orders",
  "bodies of letters",
  "letters to match",
  "recipients",
  "closed rows",
  "credited",
  "credited once",
  "top-ups",
  "reconciled",
  "held for withdrawals",
  "withdrawals",
] as const;
export type InvariantName = (typeof invariantNames)[number];

export const brokenNamedMax = 20;

/** `bad` names the first 20 that break it; empty when it holds. */
export const Invariant = z.object({
  name: z.literal(invariantNames),
  says: z.string(),
  bad: z.array(z.string()),
});
export type Invariant = z.infer<typeof Invariant>;

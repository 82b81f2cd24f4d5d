import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { Before, Book, bounded, DollarText, IdText, optional, UnixSeconds } from "./fields.ts";
import { Since, Until } from "./lists.ts";

export const statementKinds = [
  "hold",
  "refund",
  "referral",
  "soft",
  "investor",
  "topup",
  "bonus",
  "adjust",
  "payout",
  "release",
  "forfeit",
  "withdraw",
] as const;

export const StatementKinds = optional(
  z.pipe(
    bounded(200),
    z.pipe(
      z.transform((list: string) => [...new Set(list.split(",").map((kind) => kind.trim()))]),
      z.array(z.enum(statementKinds)),
    ),
  ),
  "request",
  "Only these kinds, separated by commas; a page before the last may then have fewer lines than fifty, or none",
  { kind: "choices", of: statementKinds },
);

/**
 * One line of the ledger; `amount` is negative for a debit, `balance` is the balance after it. `site` and `email` are those of an order
 * of the account, `payment_id` that of a top-up.
 */
export const StatementLine = z.object({
  id: IdText,
  at: UnixSeconds,
  kind: z.literal(statementKinds),
  amount: DollarText,
  balance: DollarText,
  activation_id: z.optional(IdText),
  site: z.optional(z.string()),
  email: z.optional(z.string()),
  payment_id: z.optional(IdText),
  reason: z.optional(z.string()),
});

/** What came and left between `since` and `until`, of all kinds: `opening` + `credit` − `debit` = `closing`. */
export const StatementPeriod = z.object({
  opening: DollarText,
  credit: DollarText,
  debit: DollarText,
  closing: DollarText,
});

export const statementAsk = { book: Book, since: Since, until: Until, kinds: StatementKinds };
export const statementReply = z.object({
  data: z.array(StatementLine),
  period: z.optional(
    StatementPeriod.check(z.describe("On the first page, where `since` or `until` is given")),
  ),
  next: z.optional(z.string()),
});

export const statement = endpoint({
  name: "statement",
  method: "GET",
  path: "/user/statement",
  access: "user",
  summary: "Every movement of the account’s money, newest first, fifty per page",
  ask: { ...statementAsk, before: Before },
  reply: statementReply,
  refusals: ["book", "before", "request"],
});

export const statementFile = endpoint({
  name: "statementFile",
  method: "GET",
  path: "/user/statement.csv",
  access: "user",
  summary: "The same as a CSV file, complete and streamed",
  ask: statementAsk,
  reply: z.object({}),
  refusals: ["book", "request"],
  carried: "csv",
});

import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { Before, Book, DollarText, IdText, UnixSeconds } from "./fields.ts";

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
] as const;

/** One line of the ledger; `amount` is negative for a debit, `balance` is the balance after it. */
export const StatementLine = z.object({
  id: IdText,
  at: UnixSeconds,
  kind: z.literal(statementKinds),
  amount: DollarText,
  balance: DollarText,
  activation_id: z.optional(IdText),
  reason: z.optional(z.string()),
});

export const statement = endpoint({
  name: "statement",
  method: "GET",
  path: "/user/statement",
  access: "user",
  summary: "Every movement of the account’s money, newest first, fifty per page",
  ask: { book: Book, before: Before },
  reply: z.object({ data: z.array(StatementLine), next: z.optional(z.string()) }),
  refusals: ["token", "book", "before"],
});

export const statementFile = endpoint({
  name: "statementFile",
  method: "GET",
  path: "/user/statement.csv",
  access: "user",
  summary: "The same as a CSV file, complete and streamed",
  ask: { book: Book },
  reply: z.object({}),
  refusals: ["token", "book"],
  carried: "csv",
});

import * as z from "zod/mini";
import { WithdrawalId, withdrawalStates } from "../account/withdrawals.ts";
import { bounded, DollarText, field, IdText, textOf } from "../fields.ts";
import { transactionLengthMax } from "../limits.ts";
import { act } from "./act.ts";
import { Reason } from "./people-acts.ts";
import type { OfficeTable } from "./table.ts";

export const withdrawalTables = {
  withdrawals: {
    key: "id",
    sort: "-asked",
    time: "asked",
    search: true,
    columns: {
      id: { kind: "id" },
      asked: { kind: "time", sort: true },
      state: { kind: "choice", of: withdrawalStates, filter: true },
      email: { kind: "text" },
      user: { kind: "id", filter: true, hidden: true },
      /** Of the ledger: referrals, soft, investor. */
      book: { kind: "text" },
      dollars: { kind: "dollars", sort: true },
      currency: { kind: "text", filter: true },
      /** What is to be sent. */
      coins: { kind: "text" },
      address: { kind: "text" },
      transaction: { kind: "text" },
      /** The chain was asked about the transaction. */
      checked: { kind: "flag" },
      /** What the last look at a sent transaction found, if it is not as it should be. */
      found: { kind: "choice", of: ["missing", "mismatch", "silent"] },
      ended: { kind: "time" },
      reason: { kind: "text" },
    },
  },
} as const satisfies Record<string, OfficeTable>;

const payWithdrawal = act({
  name: "payWithdrawal",
  path: "/api/admin/withdrawals/pay",
  role: "money",
  proof: true,
  reason: "never",
  idempotent: true,
  summary:
    "Enter the transaction by which a withdrawal was paid; the shop checks it where it watches the chain (administrators)",
  ask: {
    id: WithdrawalId,
    transaction: field(
      bounded(transactionLengthMax),
      "transaction",
      "Id (hash) of the transaction on the chain of the currency",
      textOf(transactionLengthMax),
    ),
  },
  reply: z.object({
    id: IdText,
    /** sent: not final yet, the shop looks again; paid: final, or not checked. */
    state: z.literal(["sent", "paid"]),
    checked: z.boolean(),
    amount: DollarText,
  }),
  refusals: [
    "no withdrawal",
    "withdrawal decided",
    "yourself",
    "transaction",
    "transaction used",
    "unknown transaction",
    "wrong recipient",
    "wrong coin",
    "too little",
    "chain unreachable",
  ],
  commands: {
    "withdrawals pay <id> <transaction>": {
      about: "enters the transaction by which a withdrawal was paid",
      done: {
        paid: "The withdrawal {id} of {amount} dollars is paid.",
        sent: "The withdrawal {id} of {amount} dollars is sent; the shop looks again until the transaction is final.",
      },
      undo: false,
    },
  },
});

const refuseWithdrawal = act({
  name: "refuseWithdrawal",
  path: "/api/admin/withdrawals/refuse",
  role: "money",
  proof: true,
  reason: "always",
  idempotent: true,
  summary:
    "Refuse a withdrawal that was not sent: the sum goes back, and who asked reads the reason (administrators)",
  ask: { id: WithdrawalId, reason: Reason },
  reply: z.object({ id: IdText, amount: DollarText }),
  refusals: ["no withdrawal", "withdrawal decided", "yourself", "reason"],
  commands: {
    "withdrawals refuse <id>": {
      about: "refuses a withdrawal; the sum goes back to the earnings",
      done: "The withdrawal {id} is refused: {amount} dollars are back in the earnings.",
      undo: false,
    },
  },
});

export const withdrawalActs = { payWithdrawal, refuseWithdrawal };

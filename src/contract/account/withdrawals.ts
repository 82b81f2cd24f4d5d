// Beyond the specification: partners and investors ask for what they earned, to a wallet of theirs. Offered where WITHDRAWALS is on.
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import {
  bounded,
  dollarsAsked,
  DollarText,
  field,
  id,
  idempotencyKey,
  IdText,
  Offset,
  optional,
  spendable,
  textOf,
  UnixSeconds,
  wireId,
} from "../fields.ts";
import { idempotencyKeyLengthMax, walletAddressLengthMax } from "../limits.ts";
import { Wallet } from "../payments.ts";

export const earningWays = ["referrals", "soft", "investor"] as const;

/** `sent`: the shop entered its transaction, which is not final on its chain yet. */
export const withdrawalStates = ["waiting", "sent", "paid", "refused", "canceled"] as const;
export type WithdrawalState = (typeof withdrawalStates)[number];

export const WithdrawalWay = field(
  z.literal(earningWays),
  "way",
  "Which earnings: referrals, soft or investor",
  { kind: "choice", of: earningWays },
);
export const WithdrawalAmount = field(
  dollarsAsked,
  "payout",
  "Dollars to withdraw, at most what is left of these earnings",
  spendable,
);
export const WithdrawalAddress = field(
  bounded(walletAddressLengthMax),
  "address",
  "The address of your wallet on the chain of the currency",
  textOf(walletAddressLengthMax),
);
export const WithdrawalKey = optional(
  idempotencyKey,
  "key",
  "Makes a retry safe: the same request with the same value is one withdrawal",
  textOf(idempotencyKeyLengthMax),
);
export const WithdrawalId = field(wireId, "no withdrawal", "Id of the withdrawal", id);

/** `coins` are what the dollars were worth when it was asked for, and what is sent. `reason`: why it was refused. */
export const Withdrawal = z.object({
  id: IdText,
  way: z.literal(earningWays),
  amount: DollarText,
  wallet: z.string(),
  coins: z.string(),
  address: z.string(),
  state: z.literal(withdrawalStates),
  asked_at: UnixSeconds,
  ended_at: z.optional(UnixSeconds),
  transaction: z.optional(z.string()),
  reason: z.optional(z.string()),
});

/** What can be asked for now: the least, the most at once, what is left of the day, and of each currency its rate in dollars. */
export const WithdrawalTerms = z.object({
  least: DollarText,
  most: DollarText,
  left_today: DollarText,
  wallets: z.array(z.object({ id: z.string(), rate: DollarText })),
});

export const withdrawals = endpoint({
  name: "withdrawals",
  method: "GET",
  path: "/user/withdrawals",
  access: "user",
  session: "begun",
  summary:
    "Your withdrawals, newest first, ten per page, and what can be asked for now (`terms`, where the shop offers it)",
  ask: { offset: Offset },
  reply: z.object({
    data: z.array(Withdrawal),
    pages: z.int(),
    terms: z.optional(WithdrawalTerms),
  }),
  refusals: ["offset"],
});

export const askWithdrawal = endpoint({
  name: "askWithdrawal",
  method: "POST",
  path: "/user/withdrawals/add",
  access: "active",
  session: "proved",
  caution: "spends",
  summary: "Withdraw earnings to a wallet of yours: the sum is held until the shop has paid it, or refuses",
  ask: {
    way: WithdrawalWay,
    amount: WithdrawalAmount,
    wallet: Wallet,
    address: WithdrawalAddress,
    key: WithdrawalKey,
  },
  reply: z.object({ withdrawal: Withdrawal }),
  refusals: [
    "no withdrawals",
    "way",
    "payout",
    "wallet",
    "address",
    "own address",
    "key",
    "key used",
    "no rate",
    "too small",
    "too large",
    "more than due",
  ],
});

export const cancelWithdrawal = endpoint({
  name: "cancelWithdrawal",
  method: "POST",
  path: "/user/withdrawals/cancel",
  access: "user",
  session: "begun",
  idempotent: true,
  summary: "Cancel a withdrawal that the shop has not sent: the sum goes back to the earnings",
  ask: { id: WithdrawalId },
  reply: z.object({ withdrawal: Withdrawal }),
  refusals: ["no withdrawal", "withdrawal decided"],
});

import * as z from "zod/mini";
import { currencies, currencyIds } from "./currencies.ts";
import { endpoint } from "./endpoint.ts";
import {
  DollarText,
  field,
  flag,
  flagged,
  IdText,
  Offset,
  optional,
  PaymentId,
  UnixSeconds,
} from "./fields.ts";
import * as limits from "./limits.ts";
import { Since, Until } from "./lists.ts";

export const Wallet = field(
  z.string().check(
    z.trim(),
    z.toLowerCase(),
    z.refine((id) => currencyIds.includes(id), "a currency id"),
  ),
  "wallet",
  "Currency id",
  { kind: "choice", of: currencyIds },
);

const amountPattern = /^[0-9]{1,6}(\.[0-9]{1,2})?$/;
const withinTopUp = (amount: string) =>
  Number(amount) >= limits.topUpMinDollars && Number(amount) <= limits.topUpMaxDollars;

export const Amount = field(
  z.pipe(
    z.union([z.string(), z.number()]),
    z.pipe(
      z.transform((amount: string | number) => String(amount).trim()),
      z.string().check(z.regex(amountPattern), z.refine(withinTopUp, "from 1 to 100000")),
    ),
  ),
  "amount",
  "Amount of the top-up in dollars, at least 1",
  { kind: "dollars", min: limits.topUpMinDollars, max: limits.topUpMaxDollars, decimals: 2 },
);

export const createPayment = endpoint({
  name: "createPayment",
  method: "GET",
  alsoPost: true,
  path: "/payments/create",
  access: "user",
  summary: "Create a top-up: the payment gets its own wallet address and exact amount",
  ask: { wallet: Wallet, amount: Amount },
  reply: z.object({ id: IdText }),
  refusals: ["wallet", "amount", "no rate"],
});

/** Finer than the three numbers of spec B §4. */
export const paymentStates = [
  "awaiting",
  "underpaid",
  "confirming",
  "review",
  "credited",
  "expired",
  "expired_partial",
  "rejected",
] as const;
export type PaymentStateName = (typeof paymentStates)[number];

/**
 * A chain transfer at the payment's address: `seen`, `confirmed` (final), `credited`; `gone` when it left the chain.
 * Confirmations are absent where the chain counts none.
 */
export const PaymentTransfer = z.object({
  amount: z.string(),
  currency: z.string(),
  status: z.literal(["seen", "confirmed", "credited", "gone"]),
  confirmations: z.optional(z.int()),
  confirmations_wanted: z.optional(z.int()),
  at: UnixSeconds,
  txid: z.string(),
});
export type TransferStatus = z.output<typeof PaymentTransfer>["status"];

/** A payment on its page; `payment_status` is 0 pending, 1 confirmed, -1 rejected (spec B §4). */
export const PaymentState = z.object({
  id: IdText,
  payment_status: z.literal([-1, 0, 1]),
  state: z.literal(paymentStates),
  currency: z.string(),
  currency_name: z.string(),
  currency_amount: z.string(),
  wallet: z.string(),
  network: z.string(),
  amount: DollarText,
  credited: DollarText,
  received: z.string(),
  missing: z.string(),
  transfers: z.array(PaymentTransfer),
  uri: z.optional(z.string()),
  /** What came, in dollars, where `creditReceived` may be called now. */
  credit_now: z.optional(DollarText),
  /** How long a transfer of this amount usually takes until it is credited; absent where unknown. */
  seconds: z.optional(z.int()),
  sandbox: z.boolean(),
  created_at: UnixSeconds,
  expires_at: UnixSeconds,
  /** The buyer said that he will not pay it, and nothing came. */
  dropped: z.optional(z.literal(true)),
});

export const paymentStatus = endpoint({
  name: "paymentStatus",
  method: "GET",
  path: "/payments/status",
  access: "user",
  summary: "The status of a payment",
  ask: { id: PaymentId },
  reply: PaymentState,
  refusals: ["no payment"],
});

export const creditReceived = endpoint({
  name: "creditReceived",
  method: "POST",
  path: "/payments/credit",
  access: "user",
  idempotent: true,
  summary: "Have what has arrived credited now, though it is less than you were asked to send",
  ask: { id: PaymentId },
  reply: PaymentState,
  refusals: ["no payment", "nothing to credit"],
});

export const paymentGroups = ["open", "credited", "ended"] as const;
export type PaymentGroup = (typeof paymentGroups)[number];

export const PaymentGroup = optional(
  z.literal(paymentGroups),
  "request",
  "Only payments that are open, credited, or ended without a credit (those that you dropped are among the ended)",
  { kind: "choice", of: paymentGroups },
);

export const Undo = optional(flag, "request", "1: take it back", flagged);

export const dropPayment = endpoint({
  name: "dropPayment",
  method: "POST",
  path: "/payments/drop",
  access: "user",
  idempotent: true,
  summary:
    "Say that you will not pay a payment: it leaves the open ones. What comes all the same is credited",
  ask: { id: PaymentId, undo: Undo },
  reply: PaymentState,
  refusals: ["no payment", "payment closed", "request"],
});

/** Without the fields that only the payer needs. */
export const ListedPayment = z.omit(PaymentState, {
  transfers: true,
  uri: true,
  credit_now: true,
  seconds: true,
});

/** Beyond the specification: lets the buyer find a payment whose tab was closed. */
export const payments = endpoint({
  name: "payments",
  method: "GET",
  path: "/user/payments",
  access: "user",
  summary: "The account’s payments, newest first, ten per page",
  ask: { offset: Offset, group: PaymentGroup, since: Since, until: Until },
  reply: z.object({
    data: z.array(ListedPayment),
    next_page: z.boolean(),
    pages: z.int(),
    found: z.int().check(z.describe("How many payments fit")),
  }),
  refusals: ["offset", "request"],
});

export const playPayment = endpoint({
  name: "playPayment",
  method: "POST",
  path: "/payments/play",
  access: "user",
  idempotent: true,
  summary: "Pay one of your payments with play money, in a demo on the sandbox chain",
  ask: { id: PaymentId },
  reply: PaymentState,
  refusals: ["no payment", "payment closed"],
});

export const CurrencyOnSale = z.object({
  id: z.literal(currencies.map(({ id }) => id)),
  name: z.string(),
  network: z.string(),
  on_sale: z.boolean(),
  why: z.optional(z.literal(["wallet", "no rate"])),
  min: DollarText,
  decimals: z.int(),
  /** What a transfer usually costs its sender, and how long until it is credited; absent where unknown. */
  fee: z.optional(DollarText),
  seconds: z.optional(z.int()),
  /** From so many dollars on it takes longer: the last one that an amount reaches counts. */
  larger: z.optional(z.array(z.object({ from: DollarText, seconds: z.int() }))),
});

export const paymentCurrencies = endpoint({
  name: "paymentCurrencies",
  method: "GET",
  path: "/payments/currencies",
  access: "user",
  summary:
    "Which currencies you can pay in now, the minimum of each in dollars, and why others are not available",
  ask: {},
  reply: z.object({ data: z.array(CurrencyOnSale) }),
});

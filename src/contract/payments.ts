import * as z from "zod/mini";
import { currencyIds } from "./currencies.ts";
import { endpoint } from "./endpoint.ts";
import { DollarText, field, IdText, PaymentId, UnixSeconds } from "./fields.ts";
import * as limits from "./limits.ts";

const Wallet = field(
  z.string().check(
    z.trim(),
    z.toLowerCase(),
    z.refine((id) => currencyIds.includes(id), "a currency id"),
  ),
  "wallet",
  `Currency id: ${currencyIds.join(", ")}`,
);

const amountPattern = /^[0-9]{1,6}(\.[0-9]{1,2})?$/;
const withinTopUp = (amount: string) =>
  Number(amount) >= limits.topUpMinDollars && Number(amount) <= limits.topUpMaxDollars;

const Amount = field(
  z.pipe(
    z.union([z.string(), z.number()]),
    z.pipe(
      z.transform((amount: string | number) => String(amount).trim()),
      z.string().check(z.regex(amountPattern), z.refine(withinTopUp, "from 1 to 100000")),
    ),
  ),
  "amount",
  "Dollars to top up, from 1",
);

export const createPayment = endpoint({
  name: "createPayment",
  method: "GET",
  alsoPost: true,
  path: "/payments/create",
  access: "user",
  summary: "Ask for a top-up: gives the payment its own wallet address and exact amount",
  ask: { wallet: Wallet, amount: Amount },
  reply: z.object({ id: IdText }),
  refusals: ["token", "wallet", "amount", "no rate"],
});

/** A payment as the payment page shows it; `payment_status` is 0 pending, 1 confirmed, -1 rejected (spec B §4). */
export const PaymentState = z.object({
  id: IdText,
  payment_status: z.literal([-1, 0, 1]),
  currency: z.string(),
  currency_name: z.string(),
  currency_amount: z.string(),
  wallet: z.string(),
  network: z.string(),
  amount: DollarText,
  received: z.string(),
  missing: z.string(),
  sandbox: z.boolean(),
  created_at: UnixSeconds,
  expires_at: UnixSeconds,
});

export const paymentStatus = endpoint({
  name: "paymentStatus",
  method: "GET",
  path: "/payments/status",
  access: "user",
  summary: "How a payment stands",
  ask: { id: PaymentId },
  reply: PaymentState,
  refusals: ["token", "no payment"],
});

export const confirmPayment = endpoint({
  name: "confirmPayment",
  method: "POST",
  path: "/api/admin/payments/confirm/{id}",
  access: "admin",
  summary: "Play the payer of a sandbox payment (administrators)",
  ask: { id: PaymentId },
  reply: PaymentState,
  refusals: ["token", "no access", "no payment", "payment closed"],
});

import { z } from "zod/mini";
import type { CurrencyId } from "../../../../contract/currencies.ts";
import type { Btcpay } from "../../../platform/config/config.ts";
import { readCoins, terms } from "../../payments.terms.ts";
import type { ChainTransfer } from "../network.ts";
import { plainDecimal } from "../nodes/nodes.ts";

/** Amounts are decimal texts; a proxy in front of the server may turn them into numbers. */
const Decimal = z.pipe(z.union([z.string(), z.int(), z.bigint()]), z.transform(String));

const Paid = z.object({
  id: z.string(),
  receivedDate: z.int(),
  value: Decimal,
  status: z.enum(["Processing", "Settled", "Invalid"]),
});

/** What the server tells of one invoice cannot be read: that payment waits alone. */
export class Unreadable extends Error {}

export const Methods = z.array(
  z.object({
    paymentMethodId: z.string(),
    destination: z.nullish(z.string()),
    payments: z.array(Paid),
  }),
);

/** A replaced or double-spent transfer (not accounted) is left out. */
export interface Payment {
  readonly transfer: ChainTransfer;
  readonly isSettled: boolean;
}

/** What was paid to an invoice in our currencies. Throws Unreadable. */
export function paymentsOf(invoice: string, answer: unknown, methods: Btcpay["methods"]): Payment[] {
  const parsed = Methods.safeParse(answer);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Unreadable(
      `the invoice ${invoice} is of another shape: ${issue?.path.join(".")} ${issue?.message}`,
    );
  }
  return parsed.data.flatMap(({ paymentMethodId, payments }) => {
    const currency = currencyOf(paymentMethodId, methods);
    if (!currency) return [];
    return payments
      .filter(({ status }) => status !== "Invalid")
      .map((paid) => ({
        transfer: transferOf(invoice, currency, paid),
        isSettled: paid.status === "Settled",
      }))
      .filter(({ transfer }) => transfer.amount > 0n);
  });
}

function currencyOf(method: string, methods: Btcpay["methods"]): CurrencyId | undefined {
  const found = Object.entries(methods).find(([, one]) => one === method);
  return found?.[0] as CurrencyId | undefined;
}

function transferOf(invoice: string, currency: CurrencyId, paid: z.infer<typeof Paid>): ChainTransfer {
  const amount = amountOf(paid.value, currency);
  if (amount === undefined)
    throw new Unreadable(`a payment of ${currency} to the invoice ${invoice} is of "${paid.value}"`);
  // A payment id is the transaction and its output number, or the transaction alone.
  const [, txid = paid.id, index = "0"] = /^(.+)-(\d+)$/.exec(paid.id) ?? [];
  // The server reports no blocks, but when it first saw the transfer: a payment made while the shop was down is in time.
  const block = { height: 0n, hash: "btcpay", at: new Date(paid.receivedDate * 1000) };
  return { chain: "btcpay", txid, index, currency, address: invoice, amount, block };
}

/** Smallest units. What is finer than the coin is left out; the server may count with more decimals. */
function amountOf(value: string, currency: CurrencyId): bigint | undefined {
  const [whole = "", fraction = ""] = plainDecimal(value).split(".");
  const shown = fraction.slice(0, terms[currency].decimals).replace(/0+$/, "");
  return /^\d*$/.test(fraction) ? readCoins(shown === "" ? whole : `${whole}.${shown}`, currency) : undefined;
}

// An invoice of a BTCPay Server as its Greenfield API tells it, with what was paid to it.
import { z } from "zod/mini";
import type { CurrencyId } from "../../../../contract/currencies.ts";
import type { Btcpay } from "../../../platform/config/config.ts";
import { readCoins } from "../../payments.terms.ts";
import type { ChainTransfer } from "../network.ts";
import { NodeTrouble } from "../nodes/nodes.ts";

/** Amounts are decimal texts; what other programs have in front of the server may make numbers of them. */
const Decimal = z.pipe(z.union([z.string(), z.int(), z.bigint()]), z.transform(String));

const Paid = z.object({
  id: z.string(),
  receivedDate: z.int(),
  value: Decimal,
  status: z.enum(["Processing", "Settled", "Invalid"]),
});

/** The payment methods of an invoice; ours has one. */
export const Methods = z.array(
  z.object({
    paymentMethodId: z.string(),
    destination: z.nullish(z.string()),
    payments: z.array(Paid),
  }),
);

/** A transfer as the server sees it. One that is not accounted (replaced, double spent) is left out, as if it never was. */
export interface Payment {
  readonly transfer: ChainTransfer;
  readonly isSettled: boolean;
}

/** What was paid to an invoice in our currencies. Throws NodeTrouble when an amount cannot be read. */
export function paymentsOf(
  invoice: string,
  told: z.infer<typeof Methods>,
  methods: Btcpay["methods"],
): Payment[] {
  return told.flatMap(({ paymentMethodId, payments }) => {
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
  const amount = readCoins(paid.value.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, ""), currency);
  if (amount === undefined) throw new NodeTrouble(`a payment of ${currency} is of "${paid.value}"`);
  // A payment is named by its transaction and the number of its output, or by the transaction alone.
  const [, txid = paid.id, index = "0"] = /^(.+)-(\d+)$/.exec(paid.id) ?? [];
  // Blocks are not told, but when it was seen first: who paid while the shop could not ask has paid in time.
  const block = { height: 0n, hash: "btcpay", at: new Date(paid.receivedDate * 1000) };
  return { chain: "btcpay", txid, index, currency, address: invoice, amount, block };
}

import { expect, test } from "vitest";
import { type ListedPayment, waitingPayments } from "./usePayments.ts";

const payment = (id: string, more: Partial<ListedPayment>): ListedPayment => ({
  id,
  payment_status: 0,
  state: "awaiting",
  currency: "ltc",
  currency_name: "Litecoin",
  currency_amount: "0.06",
  wallet: "ltc1q",
  network: "Litecoin",
  amount: "5.0",
  credited: "0.0",
  received: "0",
  missing: "0.06",
  sandbox: false,
  created_at: 1000,
  expires_at: 4600,
  ...more,
});

test("of the payments that wait, one that has got coins comes first; a payment waits while coins can be sent to it: not once enough came, it has ended or its time is over", () => {
  const listed = [
    payment("1", {}),
    payment("2", { state: "underpaid", missing: "0.02" }),
    payment("3", { state: "confirming", missing: "0" }),
    payment("4", { state: "review" }),
    payment("5", { payment_status: 1, state: "credited" }),
    payment("6", { payment_status: -1, state: "expired" }),
    payment("7", { expires_at: 2000 }),
  ];
  expect(waitingPayments(listed, 2000).map(({ id }) => id)).toEqual(["2", "1"]);
});

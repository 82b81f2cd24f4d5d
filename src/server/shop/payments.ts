import type { Command } from "commander";
import { showUsd } from "../kit/money.ts";
import {
  openNetworks,
  openPayments,
  openRates,
  type Payments,
  type PaymentView,
  type State,
} from "../payments/payments.ts";
import {
  type Act,
  type Answer,
  asJson,
  type Desk,
  list,
  operator,
  refused,
  said,
  showTime,
  table,
} from "./answer.ts";
import type { Nouns } from "./program.ts";
import { readCount, readId } from "./read.ts";

const open: readonly State[] = ["awaiting", "underpaid", "confirming", "review"];
const states = [...open, "credited", "expired", "expired_partial", "rejected"] as const;

/** Adds the commands for payments; `pay` is a shorter name for the one that a newcomer needs. */
export function addPaymentCommands({ program, noun, verb, choice }: Nouns): void {
  const payments = noun("payments", "top-ups");
  const withAmount = (command: Command) =>
    command.option("--amount <coins>", "pays so much instead of what is missing");
  const confirms = (id: string, options: { amount?: string }) => confirm(readId(id), options.amount);
  withAmount(verb(payments, "confirm <id>", "plays the payer of a sandbox payment", confirms));
  verb(
    payments,
    "list",
    "shows payments, the newest first",
    (options: { state?: State; open?: true; size: number }) => listPayments(options),
  )
    .addOption(choice("--state <state>", "only those in a state", states).conflicts("open"))
    .option("--open", "only those that are not decided")
    .option("--size <count>", "how many at most", readCount(10_000), 50);
  verb(payments, "show <id>", "shows one payment and what happened to it", (id: string) => show(readId(id)));
  withAmount(verb(program, "pay <id>", "the same as payments confirm", confirms));
}

/** The payments of the settings. Nothing watches a chain here: that is the running shop's. */
export function paymentsOf({ db, config, log }: Desk): Payments {
  const networks = openNetworks(db, config);
  const rates = openRates(config, networks);
  return openPayments({ db, networks, rates, ttlSeconds: config.paymentTtlSeconds, log });
}

function confirm(id: bigint, amount: string | undefined): Act {
  return async (desk): Promise<Answer> => {
    const payment = await paymentsOf(desk).confirm(id, operator, amount);
    if (payment === "no payment") return refused(noPayment(id));
    if (payment === "payment closed")
      return refused(`The payment ${id} is confirmed, rejected or expired already.`);
    if (payment === "amount") return refused(`"${amount}" is not an amount of the payment's coin.`);
    if (payment === "not sandbox")
      return refused(`The payment ${id} is on a real chain: only who sends the coins pays it.`);
    const text =
      payment.state === "credited"
        ? `The payment ${id} is confirmed: ${showUsd(payment.credited)} dollars were credited.`
        : `The payment ${id} is ${payment.state}: ${payment.missing} ${payment.currencyName} are missing.`;
    return said(wire(payment), text);
  };
}

function listPayments({ state, open: onlyOpen, size }: { state?: State; open?: true; size: number }): Act {
  return async (desk) => {
    const filter = state ? { states: [state], size } : onlyOpen ? { states: open, size } : { size };
    const payments = await paymentsOf(desk).list(filter);
    const text = table(
      payments,
      [
        { title: "payment", of: ({ id }) => String(id), right: true },
        { title: "user", of: ({ userId }) => String(userId), right: true },
        { title: "state", of: (payment) => payment.state },
        { title: "dollars", of: ({ usd }) => showUsd(usd), right: true },
        { title: "credited", of: ({ credited }) => showUsd(credited), right: true },
        { title: "to pay", of: ({ currencyAmount }) => currencyAmount, right: true },
        { title: "received", of: ({ received }) => received, right: true },
        { title: "currency", of: ({ currencyName }) => currencyName },
        { title: "created", of: ({ createdAt }) => showTime(createdAt) },
      ],
      "There is no such payment.",
    );
    return said(payments.map(wire), text);
  };
}

function show(id: bigint): Act {
  return async (desk) => {
    const payments = paymentsOf(desk);
    const [payment] = await payments.list({ before: id + 1n, size: 1 });
    if (payment?.id !== id) return refused(noPayment(id));
    const history = await payments.history(id);
    const facts = list({
      payment: String(id),
      user: String(payment.userId),
      state: payment.state,
      dollars: showUsd(payment.usd),
      credited: showUsd(payment.credited),
      "to pay": `${payment.currencyAmount} ${payment.currencyName} (${payment.network})`,
      received: payment.received,
      address: payment.address,
      created: showTime(payment.createdAt),
      expires: showTime(payment.expiresAt),
    });
    const told = table(
      history,
      [
        { title: "when", of: ({ at }) => showTime(at) },
        { title: "what", of: ({ what }) => what },
        { title: "", of: ({ detail }) => asJson(detail) },
      ],
      "Nothing has happened to it yet.",
    );
    return said({ ...wire(payment), history }, `${facts}\n\n${told}`);
  };
}

function wire(payment: PaymentView) {
  return { ...payment, usd: showUsd(payment.usd), credited: showUsd(payment.credited) };
}

const noPayment = (id: bigint) => `There is no payment ${id}; "payments list" shows those that are.`;

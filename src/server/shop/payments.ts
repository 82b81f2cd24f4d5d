import type { Command } from "commander";
import { paymentStates } from "../../contract/payments.ts";
import { idsOf } from "../platform/ids.ts";
import { showUsd } from "../platform/money.ts";
import { paymentsOf, type PaymentView, type ReportedPayment, type State } from "../payments/payments.ts";
import {
  type Act,
  type Answer,
  type Column,
  type CommandContext,
  list,
  operator,
  refused,
  ok,
  showCount,
  showTime,
  table,
  withUser,
} from "./answer.ts";
import type { Nouns } from "./nouns.ts";
import { historyText } from "./payments.words.ts";
import { readCount, readId } from "./read.ts";

const open: readonly State[] = ["awaiting", "underpaid", "confirming", "review"];

export function addPaymentCommands({ program, noun, verb, choice }: Nouns): void {
  const payments = noun("payments", "top-ups");
  const withAmount = (command: Command) =>
    command.option("--amount <coins>", "pays this amount instead of what is missing");
  const confirms = (id: string, options: { amount?: string }) => confirm(readId(id), options.amount);
  withAmount(verb(payments, "confirm <id>", "simulates the payment of a sandbox top-up", confirms));
  verb(payments, "list", "shows payments, the newest first", (options: Listed) => listPayments(options))
    .addOption(choice("--state <state>", "only those in a state", paymentStates).conflicts(["open", "look"]))
    .addOption(choice("--open", "only those that are open").conflicts("look"))
    .option("--user <email>", "only those of an account")
    .option("--find <text>", "only those with this address, or to which this transaction came")
    .option("--look", "only those to review, and why: in review, late, too much, or open for too long")
    .option("--size <count>", "how many at most", readCount(10_000), 50);
  verb(payments, "reconcile", "compares the balance of every address with its transfers", () => reconcile);
  verb(payments, "show <id>", "shows one payment and what happened to it", (id: string) => show(readId(id)));
  withAmount(verb(program, "pay <id>", "the same as payments confirm", confirms));
}

function confirm(id: bigint, amount: string | undefined): Act {
  return async (context): Promise<Answer> => {
    const payment = await paymentsOf(context).confirm(idsOf(context.db).read(id), operator, amount);
    if (payment === "no payment") return refused(noPayment(id));
    if (payment === "payment closed")
      return refused(`The payment ${id} is confirmed, rejected or expired already.`);
    if (payment === "amount") return refused(`"${amount}" is not an amount of the payment's coin.`);
    if (payment === "not sandbox")
      return refused(`The payment ${id} is on a real chain: only a real transfer pays it.`);
    const text =
      payment.state === "credited"
        ? `The payment ${id} is confirmed: ${showUsd(payment.credited)} dollars were credited.`
        : `The payment ${id} is ${payment.state}: ${payment.missing} ${payment.currencyName} are missing.`;
    return ok(wire(withShownId(payment, context)), text);
  };
}

const reconcile: Act = async (context) => {
  const ran = await paymentsOf(context).reconcile();
  const text = table(
    ran,
    [
      { title: "chain", of: ({ chain }) => chain },
      { title: "addresses", of: ({ addresses }) => showCount(addresses), right: true },
      { title: "balances asked", of: ({ asked }) => showCount(asked), right: true },
      { title: "explained", of: ({ explained }) => showCount(explained), right: true },
      { title: "not explained", of: ({ unexplained }) => showCount(unexplained), right: true },
      { title: "trouble", of: ({ trouble }) => trouble ?? "" },
    ],
    "No chain has balances to compare.",
  );
  const ended = ran.filter(({ trouble }) => trouble !== undefined).map(({ chain }) => chain);
  const answer = ok(ran, text);
  return ended.length === 0
    ? answer
    : { ...answer, refused: `Not all addresses could be compared: ${ended.join(", ")}.` };
};

interface Listed {
  readonly state?: State;
  readonly open?: true;
  readonly look?: true;
  readonly user?: string;
  readonly find?: string;
  readonly size: number;
}

const columns: Column<PaymentView>[] = [
  { title: "payment", of: ({ id }) => String(id), right: true },
  { title: "user", of: ({ userId }) => String(userId), right: true },
  { title: "state", of: (payment) => payment.state },
  { title: "dollars", of: ({ usd }) => showUsd(usd), right: true },
  { title: "credited", of: ({ credited }) => showUsd(credited), right: true },
  { title: "to pay", of: ({ currencyAmount }) => currencyAmount, right: true },
  { title: "received", of: ({ received }) => received, right: true },
  { title: "currency", of: ({ currencyName }) => currencyName },
  { title: "created", of: ({ createdAt }) => showTime(createdAt) },
];

function listPayments(listed: Listed): Act {
  const { user } = listed;
  return user === undefined
    ? (context) => listOf(context, listed, undefined)
    : withUser(user, ({ id }, context) => listOf(context, listed, id));
}

async function listOf(
  context: CommandContext,
  { state, open: onlyOpen, look, find: place, size }: Listed,
  userId: bigint | undefined,
): Promise<Answer> {
  if (look) return listReported(await paymentsOf(context).reported(size), context);
  const filter = { size, place, ...(userId !== undefined && { userId }) };
  const states = state ? [state] : onlyOpen && open;
  const payments = await paymentsOf(context).list({ ...filter, ...(states && { states }) });
  const shown = payments.map((payment) => withShownId(payment, context));
  return ok(shown.map(wire), table(shown, columns, "There is no such payment."));
}

function listReported(reported: readonly ReportedPayment[], context: CommandContext): Answer {
  const payments = reported.map((payment) => withShownId(payment, context));
  const why = ({ reasons, reviewWhy }: ReportedPayment) =>
    reasons.map((reason) => (reason === "review" && reviewWhy ? `review: ${reviewWhy}` : reason)).join(", ");
  const text = table(
    payments,
    [...columns, { title: "review because", of: why }],
    "There is nothing to review.",
  );
  return ok(payments.map(wire), text);
}

function show(shownId: bigint): Act {
  return async (context) => {
    const payments = paymentsOf(context);
    const id = idsOf(context.db).read(shownId);
    const [payment] = await payments.list({ before: id + 1n, size: 1 });
    if (payment?.id !== id) return refused(noPayment(shownId));
    const history = await payments.history(id);
    const facts = list({
      payment: String(shownId),
      "in the log": String(id),
      user: String(payment.userId),
      state: payment.state,
      dollars: showUsd(payment.usd),
      credited: showUsd(payment.credited),
      "to pay": `${payment.currencyAmount} ${payment.currencyName} (${payment.network})`,
      rate: `${showUsd(payment.rate)} (${payment.rateSource})`,
      received: payment.received,
      address: payment.address,
      created: showTime(payment.createdAt),
      expires: showTime(payment.expiresAt),
    });
    const events = table(
      history,
      [
        { title: "when", of: ({ at }) => showTime(at) },
        { title: "what", of: historyText },
      ],
      "Nothing has happened to it yet.",
    );
    return ok({ ...wire(withShownId(payment, context)), history }, `${facts}\n\n${events}`);
  };
}

/** With its id as buyers know it. */
const withShownId = <Payment extends PaymentView>(payment: Payment, { db }: CommandContext): Payment => ({
  ...payment,
  id: BigInt(idsOf(db).show(payment.id)),
});

function wire(payment: PaymentView) {
  const { usd, rate, credited } = payment;
  return { ...payment, usd: showUsd(usd), rate: showUsd(rate), credited: showUsd(credited) };
}

const noPayment = (id: bigint) => `There is no payment ${id}; "payments list" shows those that are.`;

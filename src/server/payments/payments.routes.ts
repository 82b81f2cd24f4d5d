import {
  createPayment,
  creditReceived,
  dropPayment,
  payments as paymentsOf,
  paymentCurrencies,
  paymentStatus,
  playPayment,
} from "../../contract/payments.ts";
import { momentOf } from "../platform/clock.ts";
import { answer, Limited, type Route } from "../platform/http/answer.ts";
import { showUsd, usd } from "../platform/money.ts";
import { type CurrencyView, listedOnWire, onWire, type Payments } from "./payments.ts";

// A user with too many unpaid payments waits until one expires.
const tooManyWaitSeconds = 60;

/** The calls of payments (spec B §7). Buyers pay in the sandbox of a `demo`, else administrators. */
export function paymentRoutes({ payments, demo }: { payments: Payments; demo: boolean }): Route[] {
  return [
    answer(createPayment, async ({ asked, caller, refuse }) => {
      const created = await payments.create({
        userId: caller.userId,
        currency: asked.wallet,
        usd: usd(asked.amount),
      });
      if (created === "limit") return new Limited(tooManyWaitSeconds);
      if (created === "amount") return refuse("amount", { min: showUsd(payments.leastOf(asked.wallet)) });
      return typeof created === "string" ? refuse(created) : { id: String(created.id) };
    }),
    answer(paymentStatus, async ({ asked, caller, refuse }) => {
      const view = await payments.status({ userId: caller.userId, id: asked.id });
      return typeof view === "string" ? refuse(view) : onWire(view);
    }),
    answer(creditReceived, async ({ asked, caller, refuse }) => {
      const view = await payments.creditReceived({ userId: caller.userId, id: asked.id });
      return typeof view === "string" ? refuse(view) : onWire(view);
    }),
    answer(dropPayment, async ({ asked: { id, undo = false }, caller, refuse }) => {
      const view = await payments.drop({ userId: caller.userId, id, undo });
      return typeof view === "string" ? refuse(view) : onWire(view);
    }),
    answer(paymentsOf, async ({ asked: { offset = 1, group, since, until }, caller }) => {
      const narrowed = { group, since: momentOf(since), until: momentOf(until) };
      const {
        payments: listed,
        pages,
        nextPage,
        found,
      } = await payments.own(caller.userId, offset, narrowed);
      return { data: listed.map(listedOnWire), next_page: nextPage, pages, found };
    }),
    answer(playPayment, async ({ asked, caller, refuse }) => {
      const { userId } = caller;
      const own = demo ? await payments.status({ userId, id: asked.id }) : "no payment";
      if (typeof own === "string") return refuse(own);
      const view = await payments.confirm(asked.id, `user ${userId}`);
      if (view === "not sandbox" || view === "amount") return refuse("no payment");
      return typeof view === "string" ? refuse(view) : onWire(view);
    }),
    answer(paymentCurrencies, async () => ({
      data: (await payments.currencies()).map(currencyOnWire),
    })),
  ];
}

function currencyOnWire(view: CurrencyView) {
  const { currency, why, min, fee, seconds, larger } = view;
  const { id, name, network, decimals } = currency;
  return {
    id,
    name,
    network,
    on_sale: why === undefined,
    ...(why === undefined ? {} : { why }),
    min: showUsd(min),
    decimals,
    ...(fee === undefined ? {} : { fee: showUsd(fee) }),
    ...(seconds === undefined ? {} : { seconds }),
    ...(larger.length === 0
      ? {}
      : { larger: larger.map((one) => ({ from: showUsd(one.from), seconds: one.seconds })) }),
  };
}

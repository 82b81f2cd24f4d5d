import type { z } from "zod/mini";
import {
  askWithdrawal,
  cancelWithdrawal,
  type Withdrawal,
  withdrawals as listOf,
  type WithdrawalTerms,
} from "../../contract/account/withdrawals.ts";
import type { CurrencyId } from "../../contract/currencies.ts";
import { now, unixSeconds } from "../platform/clock.ts";
import { answer, type Route } from "../platform/http/answer.ts";
import { showUsd, usd, usdFromUnits } from "../platform/money.ts";
import { showCoins } from "../payments/payments.ts";
import type { Terms, WithdrawalRow, Withdrawals } from "./withdrawals.ts";

export function withdrawalRoutes({ withdrawals }: { readonly withdrawals: Withdrawals }): Route[] {
  return [
    answer(listOf, async ({ asked: { offset: page = 1 }, caller }) => {
      const [{ withdrawals: listed, pages }, terms] = await Promise.all([
        withdrawals.list(caller.userId, page),
        withdrawals.terms(caller.userId, now()),
      ]);
      return { data: listed.map(onWire), pages, ...(terms && { terms: termsOnWire(terms) }) };
    }),

    answer(askWithdrawal, async ({ asked, caller, request, refuse }) => {
      const { userId } = caller;
      const at = now();
      const from = { address: request.address, userAgent: request.userAgent };
      const done = await withdrawals.ask({ ...asked, userId, amount: usd(asked.amount), from }, at);
      if (typeof done !== "string") return { withdrawal: onWire(done) };
      if (done !== "too small" && done !== "too large") return refuse(done);
      const terms = await withdrawals.terms(userId, at);
      if (terms === undefined) return refuse(done);
      return refuse(
        done,
        done === "too small" ? { least: showUsd(terms.least) } : { most: showUsd(terms.most) },
      );
    }),

    answer(cancelWithdrawal, async ({ asked: { id }, caller, refuse }) => {
      const done = await withdrawals.cancel({ userId: caller.userId, id }, now());
      return typeof done === "string" ? refuse(done) : { withdrawal: onWire(done) };
    }),
  ];
}

const termsOnWire = ({ least, most, leftToday, wallets }: Terms): z.input<typeof WithdrawalTerms> => ({
  least: showUsd(least),
  most: showUsd(most),
  left_today: showUsd(leftToday),
  wallets: wallets.map(({ id, rate }) => ({ id, rate: showUsd(rate) })),
});

function onWire(row: WithdrawalRow): z.input<typeof Withdrawal> {
  const { id, book, amount, currency, units, address, state, askedAt, closedAt, txid, reason } = row;
  return {
    id: String(id),
    way: book,
    amount: showUsd(usdFromUnits(amount)),
    wallet: currency,
    coins: showCoins(units, currency as CurrencyId),
    address,
    state,
    asked_at: unixSeconds(askedAt),
    ...(closedAt !== null && { ended_at: unixSeconds(closedAt) }),
    ...(txid !== null && { transaction: txid }),
    ...(reason !== null && { reason }),
  };
}

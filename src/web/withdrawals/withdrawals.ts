import { keepPreviousData, type QueryClient, useQuery } from "@tanstack/react-query";
import { type Currency, currencies } from "../../contract/currencies.ts";
import type { Endpoints } from "../../contract/api.ts";
import type { Reply } from "../../contract/endpoint.ts";
import { api } from "../api.ts";
import { dataOf } from "../serverState.tsx";

type WithdrawalsReply = Reply<Endpoints["withdrawals"]>;
export type Withdrawal = WithdrawalsReply["data"][number];
export type Terms = NonNullable<WithdrawalsReply["terms"]>;

/** Earnings, and how many dollars are left of them; undefined while loading. */
export interface Purse {
  way: Withdrawal["way"];
  left: string | undefined;
}

/** As it is typed. */
export interface Draft {
  way: Purse["way"];
  amount: string;
  wallet: string;
  address: string;
}

/** A page of the withdrawals, and what can be asked for now. */
export const useWithdrawals = (page = 1) =>
  useQuery({
    queryKey: ["withdrawals", page],
    queryFn: ({ signal }) => dataOf(api.withdrawals({ offset: page }, { signal })),
    placeholderData: keepPreviousData,
  });

/** What was earned and is left changes with them. */
export function readAgain(client: QueryClient): void {
  for (const key of ["withdrawals", "account", "investorStats", "statement"])
    void client.invalidateQueries({ queryKey: [key] });
}

export const currencyOf = (id: string): Currency | undefined => currencies.find((one) => one.id === id);

/** "USDT · TRON (TRC20)". */
export const walletName = ({ coin, network }: Currency): string => `${coin} · ${network}`;

const decimalsShown = 6;

/** About what the dollars buy; the server fixes it. */
export function coinsFor(dollars: string, rate: string): string {
  const coins = Number(dollars) / Number(rate);
  const step = 10 ** decimalsShown;
  return String(Math.floor(coins * step) / step);
}

/** What may be asked for at once, of what is left. */
export const mostOf = ({ most }: Terms, left: string): number => Math.min(Number(most), Number(left));

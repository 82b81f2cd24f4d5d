import { newKey } from "../../../client/key.ts";
import type { Language } from "../../../i18n/languages.ts";
import type { AppKey, Translator } from "../../../i18n/t.ts";
import { type Answer, api, type Refused } from "../../api.ts";
import { isolated, price as priceText } from "../../format.ts";
import { sameAccount } from "../../session.ts";

const tries = 3;

/** The specification's answer for one order; a quantity answers a list. */
type Ordered = Exclude<Answer<"orderEmail">, { ok: true }> | Extract<Reordered, { ok: true }>;
type Reordered = Answer<"reorderEmail">;

export interface OrderAsk {
  site: string;
  domain: string;
  subject: string;
  regex: string;
  /** Dollars, as the page shows it. */
  price: number;
  note?: string | undefined;
}

/** An order that was not placed, or of which no answer came: then the same key asks for the same order. */
export type Unplaced = Refused<string> & { key: string };

/** Keys for so many orders: first those of which no answer came. */
export function keysFor(quantity: number, before: readonly Unplaced[]): string[] {
  const unsure = before.filter(({ value }) => value === "connection").map(({ key }) => key);
  return Array.from({ length: quantity }, (_, place) => unsure[place] ?? newKey());
}

/** Nobody pays more than the page showed; what is free has no highest price. */
const atMost = (price: number | undefined) => (price ? { max_price: price.toFixed(8) } : {});

/** The price today, where an order was refused since it is above the one that the page showed. */
export const risenPrice = ({ value, more }: Refused<string>): number | undefined =>
  value === "price too high" ? more.price : undefined;

/** Asks for another press at a price that has changed, in dollars. */
export const askAgainAt = (t: Translator<AppKey>, language: Language, dollars: number): string =>
  t("again.changed", { price: isolated(priceText(language, dollars)) });

/** Places one order. Without an answer it retries with the same key, so it cannot charge twice, nor another account. */
export function placeOrder({ price, ...ask }: OrderAsk, key: string): Promise<Ordered> {
  return repeat(async () => {
    const answer = await api.orderEmail({ ...ask, ...atMost(price), client_order_id: key });
    if (!answer.ok) return answer;
    if ("data" in answer.data) throw new Error("one order was answered by a list");
    return { ok: true as const, data: answer.data };
  });
}

export function placeReorder(
  { price, ...ask }: Omit<OrderAsk, "site" | "domain" | "price"> & { id: string; price: number | undefined },
  key: string,
): Promise<Reordered> {
  return repeat(() => api.reorderEmail({ ...ask, ...atMost(price), client_order_id: key }));
}

async function repeat<Answer extends { ok: true } | { ok: false; value: string }>(
  call: () => Promise<Answer>,
): Promise<Answer> {
  const isSame = sameAccount();
  for (let left = tries - 1; left > 0; left--) {
    const answer = await call();
    if (answer.ok || answer.value !== "connection" || !isSame()) return answer;
  }
  return call();
}

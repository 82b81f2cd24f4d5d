import type { Usd } from "../platform/money.ts";
import type { OrderLetter, OrderRow, ToldOrder } from "./orders.sql.ts";

/** An order as lists and readers see it; its letters are the newest first. */
export type Order = Omit<ToldOrder, "price"> & {
  price: Usd;
  letters: OrderLetter[];
  /** Whether the buyer may say that the letter is not from the site, or what became of that; told of an order that is read. */
  notFromSite?: NonNullable<OrderRow["notFromSite"]>;
};

/** Gathers rows of (order, letter) into orders, in the order in which they come. */
export function groupLetters(rows: readonly OrderRow[]): Order[] {
  const orders = new Map<bigint, Order>();
  for (const row of rows) {
    const {
      orderId,
      siteId,
      site,
      email,
      status,
      price,
      createdAt,
      expiresAt,
      regex,
      notFromSite,
      ...letter
    } = row;
    const known = { orderId, siteId, site, email, status, price: price as Usd, createdAt, expiresAt, regex };
    const order = orders.get(orderId) ?? { ...known, letters: [], ...(notFromSite && { notFromSite }) };
    orders.set(orderId, order);
    if (letter.letterId !== null) order.letters.push(letter);
  }
  return [...orders.values()];
}

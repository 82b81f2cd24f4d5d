import type { Usd } from "../platform/money.ts";
import type { OrderLetter, OrderRow, OrderFields } from "./orders.sql.ts";

export type Order = Omit<OrderFields, "price"> & {
  price: Usd;
  letters: OrderLetter[];
  /** Whether the buyer may complain about the letter, or the state of the complaint; only of a single order. */
  notFromSite?: NonNullable<OrderRow["notFromSite"]>;
};

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

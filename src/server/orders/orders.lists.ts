import type { Usd } from "../platform/money.ts";
import type { OrderRow } from "./orders.sql.ts";

/** A letter as its order shows it. `value` is what the order's pattern found in it. */
export type OrderLetter = {
  letterId: bigint;
  arrivedAt: Date;
  sender: string;
  subject: string;
  html: string | null;
  text: string | null;
  code: string | null;
  link: string | null;
  value: string | null;
  attachments: { name: string; type: string; size: number }[];
};

/** An order as lists and readers see it; its letters are the newest first. */
export type Order = {
  orderId: bigint;
  siteId: number;
  site: string;
  email: string;
  status: "pending" | "received" | "canceled" | "expired";
  price: Usd;
  createdAt: Date;
  expiresAt: Date;
  regex: string | null;
  letters: OrderLetter[];
  /** Whether the buyer may say that the letter is not from the site, or what became of that; told of an order that is read. */
  notFromSite?: NonNullable<OrderRow["notFromSite"]>;
};

/** Gathers rows of (order, letter) into orders, in the order in which they come. */
export function groupLetters(rows: OrderRow[]): Order[] {
  const orders = new Map<bigint, Order>();
  for (const row of rows) {
    const order = orders.get(row.orderId) ?? orderOf(row);
    orders.set(row.orderId, order);
    if (row.letterId !== null && row.arrivedAt !== null)
      order.letters.push({
        letterId: row.letterId,
        arrivedAt: row.arrivedAt,
        sender: row.sender ?? "",
        subject: row.subject ?? "",
        html: row.html,
        text: row.text,
        code: row.code,
        link: row.link,
        value: row.value,
        attachments: row.attachments ?? [],
      });
  }
  return [...orders.values()];
}

function orderOf(row: OrderRow): Order {
  const { orderId, siteId, site, email, status, price, createdAt, expiresAt, regex, notFromSite } = row;
  return {
    orderId,
    siteId,
    site,
    email,
    status,
    price: price as Usd,
    createdAt,
    expiresAt,
    regex,
    letters: [],
    ...(notFromSite && { notFromSite }),
  };
}

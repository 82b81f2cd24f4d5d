import { csv, guarded } from "../../platform/csv.ts";
import type { Ids } from "../../platform/ids.ts";
import { showUsd } from "../../platform/money.ts";
import type { Order } from "../orders.ts";

const columns = [
  "activation_id",
  "site",
  "email",
  "state",
  "price",
  "created_at",
  "received_at",
  "code",
  "link",
  "sender",
  "subject",
  "note",
];

/** Orders as CSV (RFC 4180), in pieces; the first begins with the column names. */
export async function* csvOf(
  pages: AsyncIterable<readonly Order[]>,
  ids: Ids,
): AsyncGenerator<string, void, undefined> {
  yield csv([columns]);
  for await (const orders of pages) yield csv(orders.map((order) => cellsOf(order, ids)));
}

function cellsOf(
  { orderId, site, email, status, price, createdAt, note, letters: [letter] }: Order,
  ids: Ids,
): string[] {
  return [
    ids.show(orderId),
    site,
    guarded(email),
    status,
    showUsd(price),
    createdAt.toISOString(),
    letter?.arrivedAt.toISOString() ?? "",
    guarded(letter?.value ?? letter?.code ?? ""),
    guarded(letter?.link ?? ""),
    guarded(letter?.sender ?? ""),
    guarded(letter?.subject ?? ""),
    guarded(note ?? ""),
  ];
}

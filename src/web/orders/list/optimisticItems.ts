import type { Item } from "./activations.ts";

type Started = Pick<Item, "key" | "site" | "email" | "note">;

export type OptimisticChange =
  | { do: "start"; items: readonly Started[] }
  | { do: "accept"; key: string; id: string; email: string; price: number; expiresAt: number; at: number }
  | { do: "drop"; key: string };

/** Orders that the list lacks: `wait` until answered, then `processing` (spec B §4). */
export function optimisticItems(items: readonly Item[], change: OptimisticChange): readonly Item[] {
  switch (change.do) {
    case "start":
      return [...change.items.map(started), ...items];
    case "accept":
      return items.map((item) => (item.key === change.key ? accepted(item, change) : item));
    case "drop":
      return items.filter((item) => item.key !== change.key);
  }
}

function started({ key, site, email, note }: Started): Item {
  const nothing = { id: undefined, code: undefined, link: undefined, value: undefined, price: undefined };
  return { key, site, email, note, state: "wait", expiresAt: undefined, ...nothing };
}

function accepted(item: Item, change: OptimisticChange & { do: "accept" }): Item {
  const { id, email, price, expiresAt, at } = change;
  // The key is the real id: the row stays the same when the list has it.
  return {
    ...item,
    key: id,
    id,
    email,
    price,
    expiresAt,
    state: "processing",
    acceptedAt: at,
    at: at / 1000,
  };
}

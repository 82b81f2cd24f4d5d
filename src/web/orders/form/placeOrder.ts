import { type Answer, api } from "../../api.ts";

const tries = 3;

/** The answer to an order of one, as the specification has it; the list is only for asks with a quantity. */
type Ordered = Exclude<Answer<"orderEmail">, { ok: true }> | Extract<Reordered, { ok: true }>;
type Reordered = Answer<"reorderEmail">;

/** What one order asks for. */
export interface OrderAsk {
  site: string;
  domain: string;
  subject: string;
  regex: string;
}

/** One order. When no answer comes it is asked again under the same key: it cannot be charged twice. */
export function placeOrder(ask: OrderAsk, key: string): Promise<Ordered> {
  return repeat(async () => {
    const answer = await api.orderEmail({ ...ask, client_order_id: key });
    if (!answer.ok) return answer;
    if ("data" in answer.data) throw new Error("one order was answered by a list");
    return { ok: true as const, data: answer.data };
  });
}

/** One more order on the address of an order that has its letter. */
export function placeReorder(
  ask: { id: string; subject: string; regex: string },
  key: string,
): Promise<Reordered> {
  return repeat(() => api.reorderEmail({ ...ask, client_order_id: key }));
}

async function repeat<Given extends { ok: true } | { ok: false; value: string }>(
  call: () => Promise<Given>,
): Promise<Given> {
  for (let left = tries - 1; left > 0; left--) {
    const answer = await call();
    if (answer.ok || answer.value !== "connection") return answer;
  }
  return call();
}

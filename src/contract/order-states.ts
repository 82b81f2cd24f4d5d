/** The states of one order (spec B §4). */
export type OrderState = "pending" | "received" | "canceled" | "expired";

const allowed = {
  cancel: ["pending", "received"],
  reorder: ["received"],
  read: ["received"],
} satisfies Record<string, OrderState[]>;

/** May this be done to an order in that state? The buttons and the server ask the same table. */
export function can(act: keyof typeof allowed, state: OrderState): boolean {
  return (allowed[act] as OrderState[]).includes(state);
}

/** The state in the activations list: 0 pending, 1 received, -1 canceled or expired (spec B §3). */
export const wireStatus = { pending: 0, received: 1, canceled: -1, expired: -1 } as const satisfies Record<
  OrderState,
  number
>;

/** The state in the history list (spec B §3). */
export const historyStatus = {
  pending: "wait",
  received: "ok",
  canceled: "cancel",
  expired: "cancel",
} as const satisfies Record<OrderState, string>;

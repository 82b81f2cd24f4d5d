/** Spec B §4. */
export const orderStates = ["pending", "received", "canceled", "expired"] as const;
export type OrderState = (typeof orderStates)[number];

const allowed = {
  cancel: ["pending", "received"],
  reorder: ["received"],
  read: ["received"],
} satisfies Record<string, OrderState[]>;

/** One table for the buttons and the server. */
export function can(act: keyof typeof allowed, state: OrderState): boolean {
  return (allowed[act] as OrderState[]).includes(state);
}

/** In the activations list (spec B §3). */
export const wireStatus = { pending: 0, received: 1, canceled: -1, expired: -1 } as const satisfies Record<
  OrderState,
  number
>;

/** In the history list (spec B §3). */
export const historyStatus = {
  pending: "wait",
  received: "ok",
  canceled: "cancel",
  expired: "cancel",
} as const satisfies Record<OrderState, string>;

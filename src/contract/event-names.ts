/** Every kind of event. Types, the database's rows, webhooks, the documentation and the pages follow from it. */
export const eventNames = [
  "activation",
  "letter",
  "balance",
  "refund",
  "payment",
  "balance_low",
  "backorder",
] as const;

export type EventName = (typeof eventNames)[number];

/** A row of a newer release may have another name. */
export const isEventName = (name: string): name is EventName =>
  (eventNames as readonly string[]).includes(name);

/** Why the price of an order went back; `operator`: the operator accepted a complaint. */
export const refundReasons = ["canceled", "expired", "not from site", "operator"] as const;

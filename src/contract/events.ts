import * as z from "zod/mini";
import { backorderBody } from "./orders/backorders.ts";
import { endpoint } from "./endpoint.ts";
import { type EventName, refundReasons } from "./event-names.ts";
import { DollarText, IdText, LastEventId } from "./fields.ts";
import { noteShape } from "./orders/notes.ts";
import { activationShape, letterShape } from "./orders.ts";

export const eventBodies = {
  activation: z.object(activationShape),
  letter: z.object({
    activation_id: IdText,
    from: z.string(),
    email: z.string(),
    ...noteShape,
    ...letterShape,
  }),
  balance: z.object({ balance: DollarText }),
  /** `amount` went back to the balance. */
  refund: z.object({
    activation_id: IdText,
    from: z.string(),
    email: z.string(),
    ...noteShape,
    amount: DollarText,
    balance: DollarText,
    reason: z.literal(refundReasons),
  }),
  /** `payment_status` as in /payments/status. */
  payment: z.object({ id: IdText, payment_status: z.literal([-1, 0, 1]) }),
  /** The balance fell below the threshold that the owner set. */
  balance_low: z.object({ balance: DollarText, threshold: DollarText }),
  backorder: backorderBody,
} as const satisfies Record<EventName, z.ZodMiniType>;

export type EventBody<Name extends EventName> = z.output<(typeof eventBodies)[Name]>;

export type ShopEvent = { [Name in EventName]: { name: Name; data: EventBody<Name> } }[EventName];

/** A stream begins with `ready` (nothing was missed since Last-Event-ID) or `reset` (read the lists anew); both carry the id to go on from. */
export const events = endpoint({
  name: "events",
  method: "GET",
  path: "/user/events",
  access: "user",
  limited: true,
  summary: "A stream of server-sent events; resumes by Last-Event-ID",
  ask: { last_event_id: LastEventId },
  reply: z.object({}),
  refusals: ["last_event_id", "too many"],
  carried: "events",
});

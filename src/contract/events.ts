import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { DollarText, IdText, LastEventId } from "./fields.ts";
import { toldOfActivation, toldOfLetter } from "./orders.ts";

/** What each event says in `data`, in a stream and in a webhook alike. */
export const eventBodies = {
  /** An activation was ordered, received its first letter, was canceled or expired. `status` is that of the lists. */
  activation: z.object(toldOfActivation),
  /** A letter came for an activation. */
  letter: z.object({
    activation_id: IdText,
    from: z.string(),
    email: z.string(),
    ...toldOfLetter,
  }),
  /** The balance changed. */
  balance: z.object({ balance: DollarText }),
  /** A payment was confirmed, was rejected, or something was seen of it; `payment_status` as in /payments/status. */
  payment: z.object({ id: IdText, payment_status: z.literal([-1, 0, 1]) }),
} as const;

export type EventName = keyof typeof eventBodies;
export type EventBody<Name extends EventName> = z.output<(typeof eventBodies)[Name]>;

/** One event, told apart by its name. */
export type ShopEvent = { [Name in EventName]: { name: Name; data: EventBody<Name> } }[EventName];

/**
 * A stream begins with `ready` (nothing was missed since Last-Event-ID, or none was given) or `reset` (something may have
 * been missed: read the lists anew); both carry the id from which the stream goes on.
 */
export const events = endpoint({
  name: "events",
  method: "GET",
  path: "/user/events",
  access: "user",
  limited: true,
  summary: "A stream of server-sent events: activation, letter, balance, payment; resumes by Last-Event-ID",
  ask: { last_event_id: LastEventId },
  reply: z.object({}),
  refusals: ["token", "last_event_id", "too many"],
  carried: "events",
});

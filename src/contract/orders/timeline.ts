import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { ActivationId, DollarText, IdText, UnixSeconds } from "../fields.ts";
import { newestSteps } from "../lists.ts";

/** One step of an activation. A letter of another site comes without sender and subject: it may be another buyer’s. `by`: support canceled, not the buyer. */
export const TimelineStep = z.object({
  at: UnixSeconds,
  step: z.literal(["ordered", "letter", "charged", "released", "canceled", "expired", "refunded"]),
  /** Of money: ordered (held), charged, refunded. */
  amount: z.optional(DollarText),
  letter_id: z.optional(IdText),
  sender: z.optional(z.string()),
  /** Of a letter that was not delivered: possible codes are hidden ("######"). */
  subject: z.optional(z.string()),
  /** Of a letter: whether it matches, and if not, why; the buyer can still get it by /email/release. */
  fits: z.optional(z.boolean()),
  missed: z.optional(z.literal(["sender", "subject", "regex"])),
  releasable: z.optional(z.boolean()),
  by: z.optional(z.literal("shop")),
});

export const timeline = endpoint({
  name: "timeline",
  method: "GET",
  path: "/email/timeline",
  access: "user",
  limited: true,
  summary:
    "What happened to an activation: the order, each letter and why it did or did not match, the charge, the refund",
  ask: { id: ActivationId },
  reply: z.object({ data: z.array(TimelineStep).check(newestSteps) }),
  refusals: ["no activation"],
});

import * as z from "zod/mini";
import { Invariant } from "./audit.ts";
import { endpoint } from "../endpoint.ts";
import { field, id, IdText, optional, UnixSeconds, wireId } from "../fields.ts";

const LetterId = field(wireId, "letter gone", "Id of the letter", id);
const BeforeLetter = optional(wireId, "before", "`next` of the previous page", id);

/** `from` is the letter's header; `envelope` the SMTP sender. */
const about = {
  id: IdText,
  arrived_at: UnixSeconds,
  bytes: z.int(),
  envelope: z.string(),
  from: z.optional(z.string()),
  subject: z.optional(z.string()),
};

export const postmasterLetters = endpoint({
  name: "postmasterLetters",
  method: "GET",
  path: "/api/admin/letters",
  access: "admin",
  session: "begun",
  summary:
    "Letters to postmaster@ and abuse@ of our mail domains, newest first, twenty-five per page (administrators)",
  ask: { before: BeforeLetter },
  reply: z.object({ data: z.array(z.object(about)), next: z.optional(IdText) }),
  refusals: ["before"],
});

export const inspectLetter = endpoint({
  name: "inspectLetter",
  method: "GET",
  path: "/api/admin/letters/{id}",
  access: "admin",
  session: "begun",
  summary:
    "A letter; of a buyer’s letter only how it arrived, never its text. Every view is written to the audit log (administrators)",
  ask: { id: LetterId },
  reply: z.object({
    ...about,
    helo: z.string(),
    remote: z.optional(z.string()),
    is: z.literal(["waiting", "given", "turned away", "postmaster"]),
    /** Absent when it was not checked. */
    spf: z.optional(z.string()),
    dkim: z.optional(z.string()),
    dmarc: z.optional(z.string()),
    signers: z.array(z.string()),
    /** Absent when the raw letter is deleted. */
    headers: z.optional(z.string()),
    /** Only of a letter to the postmaster. */
    text: z.optional(z.string()),
  }),
  refusals: ["letter gone"],
});

export const auditShop = endpoint({
  name: "auditShop",
  method: "GET",
  path: "/api/admin/audit",
  access: "admin",
  session: "begun",
  timeoutSeconds: 120,
  summary: "Check every invariant of ledger, orders, stock and payments (administrators)",
  ask: {},
  reply: z.object({
    holds: z.boolean(),
    invariants: z.array(z.extend(Invariant, { holds: z.boolean() })),
  }),
  refusals: ["audit under way", "audit too long"],
});

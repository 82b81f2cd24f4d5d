// What the pages of orders, payments and letters show beside the rows of the tables.
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { AnyUserId, Before, field, id, IdText, UnixSeconds, wireId } from "../fields.ts";
import { newestSteps } from "../lists.ts";
import { TimelineStep } from "../orders/timeline.ts";
import { paymentStates } from "../payments.ts";
import { statementAsk, statementReply } from "../statement.ts";
import type { OfficeTable } from "./table.ts";

/** What stands before a number where the pages write it, in any language. */
export const signOfNumber: RegExp = /^(?:#|№|n\.º)\s*/u;

const paymentSteps = [
  ...paymentStates,
  "created",
  "seen",
  "gone",
  "confirmed",
  "disputed",
  "unseen",
  "decided",
] as const;

export const objectTables = {
  /** Letters by the mailbox that they were sent to: a line for each, and for each order that got it. */
  arrivals: {
    key: "id",
    sort: "-at",
    time: "at",
    reach: 1_000,
    columns: {
      id: { kind: "text", hidden: true },
      letter: { kind: "id", filter: true },
      at: { kind: "time", sort: true },
      mailbox: { kind: "text", filter: true },
      from: { kind: "text" },
      subject: { kind: "text" },
      fate: { kind: "choice", of: ["judging", "delivered", "unclaimed"] },
      order: { kind: "id" },
      user: { kind: "id" },
    },
  },
  /** The history of payments. */
  payment_steps: {
    key: "id",
    sort: "id",
    time: "at",
    reach: 1_000,
    columns: {
      id: { kind: "id", sort: true, hidden: true },
      payment: { kind: "id", filter: true },
      at: { kind: "time" },
      what: { kind: "choice", of: paymentSteps },
      detail: { kind: "json" },
    },
  },
} as const satisfies Record<string, OfficeTable>;

export const officeOrder = endpoint({
  name: "officeOrder",
  method: "GET",
  path: "/api/admin/orders/{id}",
  access: "admin",
  session: "begun",
  summary:
    "What happened to an order: the steps that its buyer sees, and of each letter the sender and the subject without codes (administrators)",
  ask: { id: field(wireId, "no activation", "Id of the order", id) },
  reply: z.object({
    data: z.array(TimelineStep).check(newestSteps),
    expires_at: UnixSeconds,
    /** What the buyer wants of the letter. */
    subject: z.optional(z.string()),
    regex: z.optional(z.string()),
    /** The order whose address is used again. */
    reorder_of: z.optional(IdText),
    /** The investor’s batch of the mailbox. */
    batch: z.optional(IdText),
  }),
  refusals: ["no activation"],
});

export const officeStatement = endpoint({
  name: "officeStatement",
  method: "GET",
  path: "/api/admin/users/{id}/statement",
  access: "admin",
  session: "begun",
  summary: "The statement of a user, as the user reads it (administrators)",
  ask: { id: AnyUserId, ...statementAsk, before: Before },
  reply: statementReply,
  refusals: ["no user", "book", "before", "request"],
});

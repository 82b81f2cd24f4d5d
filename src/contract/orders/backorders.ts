// Beyond the specification: orders that wait until there is stock.
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import {
  ClientOrderId,
  Domains,
  dollarsAsked,
  DollarText,
  field,
  id,
  IdText,
  optional,
  Regex,
  Site,
  SoftId,
  spendable,
  Subject,
  UnixSeconds,
  wholeNumber,
  wireId,
} from "../fields.ts";
import type { Refusal } from "../refusals.ts";
import { noteShape, OrderNote } from "./notes.ts";

export const BackorderPrice = field(
  dollarsAsked,
  "max_price",
  "Highest price to pay for the order, in dollars: while it is higher, nothing is ordered",
  spendable,
);
const timeMax = 9_999_999_999;
export const BackorderUntil = optional(
  wholeNumber(1, timeMax),
  "until",
  "Until when the order may wait, in unix seconds: 7 days at most, and if omitted",
  { kind: "time", min: 1, max: timeMax },
);
export const BackorderId = field(
  wireId,
  "no backorder",
  "Id of the waiting order, from /email/backorders",
  id,
);

/** Why an order was not placed although there was stock. */
export const backorderRefusals = [
  "no balance",
  "price too high",
  "too many open",
  "limit",
  "token limit",
  "not confirmed",
  "site",
  "token",
] as const satisfies readonly Refusal[];
const Refused = z
  .optional(z.literal(backorderRefusals))
  .check(
    z.describe(
      "Why it was not placed although there was stock; it is tried again until its end, unless it is `token`",
    ),
  );

export const Backorder = z.object({
  id: IdText,
  site: z.string(),
  domains: z.array(z.string()),
  max_price: DollarText,
  state: z.literal(["waiting", "placed", "ended", "removed"]),
  refused: Refused,
  activation_id: z.optional(IdText),
  created_at: UnixSeconds,
  until: UnixSeconds,
  ...noteShape,
});

/** An event of one. */
export const backorderBody = z.object({
  backorder_id: IdText,
  from: z.string(),
  state: z.literal(["waiting", "placed", "ended"]),
  refused: Refused,
  /** Of one that was placed. */
  activation_id: z.optional(IdText),
  email: z.optional(z.string()),
});

export const backorders = endpoint({
  name: "backorders",
  method: "GET",
  path: "/email/backorders",
  access: "user",
  limited: true,
  summary: "Orders that wait for stock, and what became of those of the last 7 days, the newest first",
  ask: {},
  reply: z.object({ data: z.array(Backorder) }),
});

export const addBackorder = endpoint({
  name: "addBackorder",
  method: "POST",
  path: "/email/backorders/add",
  access: "active",
  limited: true,
  caution: "spends",
  summary:
    "Order when it is back: once one of the mail domains has an address for the site, the order is placed, the oldest first, if the balance suffices; nothing is held until then; at most ten wait",
  ask: {
    site: Site,
    domain: Domains,
    max_price: BackorderPrice,
    until: BackorderUntil,
    subject: Subject,
    regex: Regex,
    note: OrderNote,
    soft_id: SoftId,
    client_order_id: ClientOrderId,
  },
  reply: z.object({ data: Backorder }),
  refusals: [
    "not confirmed",
    "token",
    "site",
    "domain",
    "max_price",
    "until",
    "subject",
    "regex",
    "note",
    "client_order_id",
    "key used",
    "no balance",
    "too many",
  ],
});

export const removeBackorder = endpoint({
  name: "removeBackorder",
  method: "POST",
  path: "/email/backorders/remove",
  access: "user",
  idempotent: true,
  limited: true,
  summary: "Remove an order that waits for stock: it is not placed any more",
  ask: { id: BackorderId },
  reply: z.object({}),
  refusals: ["no backorder"],
});

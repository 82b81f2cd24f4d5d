import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { Site, Stats } from "./fields.ts";

/** `own`: mail comes to us by SMTP; `hosted`: on a registered IMAP server. */
export const domainKinds = ["own", "hosted"] as const;

export const tlsWays = ["implicit", "starttls", "none"] as const;
export type TlsWay = (typeof tlsWays)[number];

/** Results of ended orders: count, the share that got a letter (0 to 1), the median seconds to it. The last two are absent at zero. */
const Outcome = z.object({
  orders: z.int(),
  share: z.optional(z.number()),
  seconds: z.optional(z.number()),
});

export const Offer = z.object({
  count: z.int(),
  price: z.number(),
  /** With `stats=1`: the last 24 hours and 7 days, and the price per letter, from the day if that has enough orders, else from the week. */
  stats: z.optional(z.object({ day: Outcome, week: Outcome, letter_price: z.optional(z.number()) })),
});

export const quantity = endpoint({
  name: "quantity",
  method: "GET",
  path: "/email/quantity",
  access: "active",
  limited: true,
  summary: "Which mail domains have addresses for a site, and the price of one",
  ask: { site: Site, stats: Stats },
  reply: z.object({ site: z.string(), data: z.record(z.string(), Offer) }),
  refusals: ["site", "stats"],
});

export const aggregators = endpoint({
  name: "aggregators",
  method: "GET",
  path: "/email/aggregators",
  access: "anyone",
  summary: "Names of groups of mail domains; `domain` accepts them like a domain",
  ask: {},
  reply: z.object({ data: z.record(z.string(), z.array(z.string())) }),
});

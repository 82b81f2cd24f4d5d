import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { Site, Stats } from "./fields.ts";

/** Whose a mail domain is: its mail comes to us, or it lies on a registered IMAP server. */
export const domainKinds = ["own", "hosted"] as const;

/** How the IMAP server of a hosted domain is spoken to: with TLS from the first byte, after STARTTLS, or without any. */
export const tlsWays = ["implicit", "starttls", "none"] as const;
export type TlsWay = (typeof tlsWays)[number];

/**
 * How orders of a site and mail domain went: of those that ended, how many, the share that got a letter (0 to 1) and the
 * median seconds to it. Share and seconds are left out while there is nothing to count.
 */
const Outcome = z.object({
  orders: z.int(),
  share: z.optional(z.number()),
  seconds: z.optional(z.number()),
});

/** One mail type on sale (spec B §3 "Mail type offer"): how many addresses are left for the site, at what price. */
export const Offer = z.object({
  count: z.int(),
  price: z.number(),
  /** With `stats=1`: the last 24 hours and 7 days, and the price divided by the share, of the day if it says enough, else of the week. */
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
  refusals: ["token", "site", "stats"],
});

export const aggregators = endpoint({
  name: "aggregators",
  method: "GET",
  path: "/email/aggregators",
  access: "anyone",
  summary: "Names of groups of mail domains; `domain` accepts them like a domain",
  ask: {},
  reply: z.object({ data: z.record(z.string(), z.array(z.string())) }),
  refusals: [],
});

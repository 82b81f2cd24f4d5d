import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { Site } from "./fields.ts";

/** One mail type on sale (spec B §3 "Mail type offer"): how many addresses are left for the site, at what price. */
export const Offer = z.object({ count: z.int(), price: z.number() });

export const quantity = endpoint({
  name: "quantity",
  method: "GET",
  path: "/email/quantity",
  access: "active",
  summary: "Which mail domains have addresses for a site, and what one costs",
  ask: { site: Site },
  reply: z.object({ site: z.string(), data: z.record(z.string(), Offer) }),
  refusals: ["token", "site"],
});

export const aggregators = endpoint({
  name: "aggregators",
  method: "GET",
  path: "/email/aggregators",
  access: "anyone",
  summary: "Names that stand for a list of mail domains; `domain` takes them like a domain",
  ask: {},
  reply: z.object({ data: z.record(z.string(), z.array(z.string())) }),
  refusals: [],
});

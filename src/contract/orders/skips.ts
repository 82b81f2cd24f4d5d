// Mail domains that a buyer's orders for a site pass over.
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { bounded, field, Site, textOf, UnixSeconds } from "../fields.ts";
import { domainLengthMax } from "../limits.ts";

export const SkippedDomain = field(
  bounded(domainLengthMax),
  "domain",
  "One mail domain",
  textOf(domainLengthMax),
);

export const Skip = z.object({ site: z.string(), domain: z.string(), expires_at: UnixSeconds });

export const skips = endpoint({
  name: "skips",
  method: "GET",
  path: "/email/skips",
  access: "user",
  limited: true,
  summary: "Mail domains that orders pass over for a site, and until when",
  ask: {},
  reply: z.object({ data: z.array(Skip) }),
});

export const addSkip = endpoint({
  name: "addSkip",
  method: "POST",
  path: "/email/skips/add",
  access: "user",
  idempotent: true,
  limited: true,
  summary:
    "Pass over a mail domain for a site for seven days, in orders that name several; one that names it alone is placed there",
  ask: { site: Site, domain: SkippedDomain },
  reply: Skip,
  refusals: ["site", "domain", "too many"],
});

export const removeSkip = endpoint({
  name: "removeSkip",
  method: "POST",
  path: "/email/skips/remove",
  access: "user",
  idempotent: true,
  limited: true,
  summary: "Order from a mail domain for a site again",
  ask: { site: Site, domain: SkippedDomain },
  reply: z.object({}),
  refusals: ["site", "domain"],
});

import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import {
  BatchLimit,
  BatchOffset,
  bounded,
  DollarText,
  idempotencyKey,
  IdText,
  optional,
  textOf,
  UnixSeconds,
} from "./fields.ts";
import * as limits from "./limits.ts";

const sitesLengthMax = limits.restrictedSitesMax * (limits.siteLengthMax + 1);

export const RestrictedSites = optional(
  bounded(sitesLengthMax),
  "sites",
  "Sites that the batch must not serve, separated by commas; if omitted, it serves every site",
  textOf(sitesLengthMax),
);
export const BatchKey = optional(
  idempotencyKey,
  "client_order_id",
  "Makes a retry safe: the same file with the same value is one batch, however often you send it",
  textOf(limits.idempotencyKeyLengthMax),
);
/** Lines that were not taken, by why; the lines themselves are never told. */
export const RejectedLines = z.object({
  /** Not `login:password` in UTF-8, or with a login that is no address. */
  malformed: z.int(),
  /** Of a mail domain that the shop has not registered. */
  unknown_domain: z.int(),
  /** In the file before. */
  duplicate_in_file: z.int(),
  /** In the shop before, whoever brought it. */
  duplicate: z.int(),
});

/** What a batch can be. */
export const batchStates = ["stored", "sampling", "review", "active", "refused"] as const;
/** Why one is refused, or waits for the operator. */
export const batchReasons = ["unopened", "personal", "own_domain", "unreachable", "operator"] as const;

/** Mailboxes that came in one file (spec O §3). */
export const InvestorBatch = z.object({
  id_batch: IdText,
  created_at: UnixSeconds,
  /** How many mailboxes were taken. */
  count: z.int(),
  /** How many of them are on sale and living. */
  alive: z.int(),
  /** What they have earned. */
  amount: DollarText,
  /** Earned by letters that nothing proves to be from the site, and held for now; not in `amount`. */
  held: z.optional(DollarText),
  /** The investor's part of each price: 0.3 is 30 %. */
  percent: z.number(),
  domain_names: z.array(z.string()),
  /** stored: waits for its check; sampling: a few mailboxes are tried; review: the operator decides; active: on sale. */
  state: z.literal(batchStates),
  /** Why it was refused (unopened, personal, operator) or is under review (own_domain, unreachable); else null. */
  reason: z.nullable(z.literal(batchReasons)),
  /** How much of the check is done, 0 to 1. */
  checked: z.number(),
  rejected: RejectedLines,
  /** Sites that it does not serve. */
  restricted: z.array(z.string()),
});

export const uploadBatch = endpoint({
  name: "uploadBatch",
  method: "POST",
  path: "/investor/upload",
  access: "user",
  file: { types: ["text/plain"], bytesMax: limits.uploadBytesMax },
  summary:
    "Upload mailboxes: the body is a UTF-8 text file with one login:password per line, at most 150 MB. Send the parameters as headers; the token may go in the Token header",
  ask: { sites: RestrictedSites, client_order_id: BatchKey },
  reply: z.object({
    id_batch: IdText,
    accepted: z.int(),
    rejected: RejectedLines,
    domains: z.array(z.string()),
  }),
  refusals: [
    "token",
    "not an investor",
    "type",
    "size",
    "sites",
    "too few mailboxes",
    "account under review",
    "upload under way",
    "upload too slow",
    "client_order_id",
  ],
});

export const batches = endpoint({
  name: "batches",
  method: "GET",
  path: "/investor/packsinfo",
  access: "user",
  summary: "Your batches, newest first, each under its number on the page",
  ask: { limit: BatchLimit, offset: BatchOffset },
  // Every other key is the number of a batch on the page: 0, 1, 2 …
  reply: z.catchall(
    z.object({ next_offset: z.nullable(z.int()), total: z.int() }),
    z.union([InvestorBatch, z.int(), z.null(), z.literal("success")]),
  ),
  refusals: ["token", "not an investor", "request"],
});

export const investorStats = endpoint({
  name: "investorStats",
  method: "GET",
  path: "/investor/stats",
  access: "user",
  summary: "What your mailboxes have earned",
  ask: {},
  reply: z.object({
    /** All that was ever earned. */
    total_amount: DollarText,
    /** Earned today, UTC. */
    today_amount: DollarText,
    /** Earned and not yet paid out. */
    need_to_pay: DollarText,
    /** The day of the last payout, YYYY-MM-DD. */
    last_payment_date: z.nullable(z.string()),
    /** Earned by letters that nothing proves to be from the site, and held for now; in none of the others. */
    held_amount: z.optional(DollarText),
    /** Of this, what waits for the operator. */
    held_operator: z.optional(DollarText),
    /** When the next of it is decided by itself; null when all of it waits for the operator. */
    held_next: z.optional(z.nullable(UnixSeconds)),
  }),
  refusals: ["token", "not an investor"],
});

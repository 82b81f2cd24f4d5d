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
import { EarningsDay } from "./partners.ts";

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
export const RejectedLines = z.object({
  /** Not `login:password` in the file's encoding, or the login is no address. */
  malformed: z.int(),
  /** The shop has no such mail domain. */
  unknown_domain: z.int(),
  /** Earlier in the same file: the same login, or one that differs behind a plus alone. */
  duplicate_in_file: z.int(),
  /** Already in the shop, from any owner, under this login or one that differs behind a plus alone. */
  duplicate: z.int(),
});

export const batchStates = [
  "stored",
  "sampling",
  "review",
  "active",
  "withdrawn",
  "refused",
  "freed",
] as const;
export const batchReasons = [
  "unopened",
  "personal",
  "own_domain",
  "unreachable",
  "operator",
  "busy",
] as const;

/** Mailboxes of one uploaded file (spec O §3). */
export const InvestorBatch = z.object({
  id_batch: IdText,
  created_at: UnixSeconds,
  count: z.int(),
  /** Mailboxes that passed the check and work. */
  alive: z.int(),
  amount: DollarText,
  /** Earned by unproved letters and held; not in `amount`. */
  held: z.optional(DollarText),
  /** The investor's part of each price: 0.3 is 30 %. */
  percent: z.number(),
  domain_names: z.array(z.string()),
  /** stored: waits for its check; sampling: a few mailboxes are tried; review: an administrator decides; active: on sale;
   * withdrawn: off sale, only open orders get letters; freed: refused, but its addresses can be uploaded once more. */
  state: z.literal(batchStates),
  /** refused: unopened, personal, operator; under review: own_domain, unreachable; being checked: busy, while the
   * server refuses all after it let some in, and is asked again in an hour; else null. */
  reason: z.nullable(z.literal(batchReasons)),
  /** Progress of the check, 0 to 1, in quarters. */
  checked: z.number(),
  rejected: RejectedLines,
  /** Sites that it is not sold for. */
  restricted: z.array(z.string()),
  /** Mailboxes found to open the box of another login: they are not sold. */
  same_box: z.optional(z.int()),
});

export const uploadBatch = endpoint({
  name: "uploadBatch",
  method: "POST",
  path: "/investor/upload",
  access: "user",
  file: { types: ["text/plain"], bytesMax: limits.uploadBytesMax },
  summary:
    "Upload mailboxes: the body is a text file (UTF-8 or UTF-16) with one login:password per line, at most 150 MB. Logins that differ behind a plus alone are one mailbox: the others count as duplicates. Send the parameters as headers; the token may go in the Token header",
  ask: { sites: RestrictedSites, client_order_id: BatchKey },
  reply: z.object({
    id_batch: IdText,
    accepted: z.int(),
    rejected: RejectedLines,
    domains: z.array(z.string()),
    restricted: z.optional(
      z
        .array(z.string())
        .check(
          z.describe("Sites that it is not sold for, as they were read: xn-- shows letters of other scripts"),
        ),
    ),
  }),
  refusals: [
    "not an investor",
    "type",
    "size",
    "sites",
    "columns",
    "too few mailboxes",
    "account under review",
    "upload under way",
    "upload too slow",
    "key used",
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
  refusals: ["not an investor", "request"],
});

export const investorStats = endpoint({
  name: "investorStats",
  method: "GET",
  path: "/investor/stats",
  access: "user",
  summary: "What your mailboxes have earned",
  ask: {},
  reply: z.object({
    total_amount: DollarText,
    /** UTC. */
    today_amount: DollarText,
    need_to_pay: DollarText,
    /** YYYY-MM-DD. */
    last_payment_date: z.nullable(z.string()),
    /** Earned by unproved letters and held; not in the other amounts. */
    held_amount: z.optional(DollarText),
    /** The part of it that an administrator decides about. */
    held_operator: z.optional(DollarText),
    /** When the next part is decided automatically; null when all of it waits for an administrator. */
    held_next: z.optional(z.nullable(UnixSeconds)),
    /** The investor's part of each price at mailboxes that are uploaded now: 0.3 is 30 %. */
    percent: z.optional(z.number()),
    /** The mail domains whose mailboxes are accepted. */
    accepted_domains: z.optional(z.array(z.string())),
    /** Of the last 30 (UTC) those with earnings, oldest first. */
    days: z.optional(z.array(EarningsDay)),
  }),
  refusals: ["not an investor"],
});

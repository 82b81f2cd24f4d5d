import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import {
  bounded,
  dollarsAsked,
  DollarText,
  field,
  id,
  IdText,
  optional,
  Page,
  spendable,
  textOf,
  UnixSeconds,
  wireId,
} from "../fields.ts";
import * as limits from "../limits.ts";
import { ReferralEarnings, SoftEarnings } from "../partners.ts";

const ways = ["referrals", "soft", "investor"] as const;
const Way = field(z.literal(ways), "way", "Which earnings: referrals, soft or investor", {
  kind: "choice",
  of: ways,
});
const PartnerId = field(wireId, "no partner", "Id of the partner’s account", id);
const BuyerId = field(wireId, "nothing held", "Id of the buyer’s account", id);
const decisions = ["release", "refuse"] as const;
const Decision = field(
  z.literal(decisions),
  "decision",
  "release: the held earnings go to the partner; refuse: to the shop",
  { kind: "choice", of: decisions },
);
const PayoutAmount = field(
  dollarsAsked,
  "payout",
  "Dollars that were paid, at most the amount due",
  spendable,
);
const Note = optional(
  bounded(limits.noteLengthMax),
  "note",
  "The reason, or how it was paid; stored permanently, and the partner sees it in the statement",
  textOf(limits.noteLengthMax),
);
const PayoutKey = optional(
  bounded(limits.idempotencyKeyLengthMax),
  "key",
  "A name for this payout: if repeated with the same name, it is recorded once",
  textOf(limits.idempotencyKeyLengthMax),
);

export const PartnerAccount = z.object({
  id: IdText,
  email: z.string(),
  blocked: z.boolean(),
  referrals: ReferralEarnings,
  soft: SoftEarnings,
});

/** Earnings held because of one buyer who may be the partner. */
export const HeldEarnings = z.object({
  partner: z.object({ id: IdText, email: z.string() }),
  buyer: z.object({ id: IdText, email: z.string() }),
  reasons: z.array(z.literal(["telegram", "wallet", "address", "email", "blocked", "inactive"])),
  since: UnixSeconds,
  referrals: DollarText,
  referrals_count: z.int(),
  soft: DollarText,
  soft_count: z.int(),
});

export const partnerList = endpoint({
  name: "partnerList",
  method: "GET",
  path: "/api/admin/partners",
  access: "admin",
  summary: "All partners, the largest amounts due first, twenty per page (administrators)",
  ask: { page: Page },
  reply: z.object({ data: z.array(PartnerAccount), pages: z.int() }),
  refusals: ["token", "no access", "page"],
});

export const heldEarnings = endpoint({
  name: "heldEarnings",
  method: "GET",
  path: "/api/admin/partners/held",
  access: "admin",
  summary: "Held earnings that need a decision, oldest first, twenty per page (administrators)",
  ask: { page: Page },
  reply: z.object({ data: z.array(HeldEarnings), pages: z.int() }),
  refusals: ["token", "no access", "page"],
});

export const payPartner = endpoint({
  name: "payPartner",
  method: "POST",
  path: "/api/admin/partners/payout",
  access: "admin",
  summary: "Record a payout to a partner or an investor outside of the shop (administrators)",
  ask: { partner: PartnerId, way: Way, amount: PayoutAmount, note: Note, key: PayoutKey },
  reply: z.object({ to_withdraw: DollarText, repeated: z.boolean() }),
  refusals: [
    "token",
    "no access",
    "no partner",
    "way",
    "payout",
    "more than due",
    "note",
    "key",
    "key used",
    "yourself",
  ],
});

export const decideHeld = endpoint({
  name: "decideHeld",
  method: "POST",
  path: "/api/admin/partners/decide",
  access: "admin",
  idempotent: true,
  summary: "Decide permanently about a buyer and a partner who seem to be one person (administrators)",
  ask: { partner: PartnerId, buyer: BuyerId, decision: Decision, note: Note },
  reply: z.object({ data: HeldEarnings }),
  refusals: ["token", "no access", "no partner", "nothing held", "decision", "note", "yourself"],
});

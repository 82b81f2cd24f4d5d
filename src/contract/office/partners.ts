import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { DollarText, IdText, Page, UnixSeconds } from "../fields.ts";
import { ReferralEarnings, SoftEarnings } from "../partners.ts";

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
  session: "begun",
  summary: "All partners, the largest amounts due first, twenty per page (administrators)",
  ask: { page: Page },
  reply: z.object({ data: z.array(PartnerAccount), pages: z.int() }),
  refusals: ["page"],
});

export const heldEarnings = endpoint({
  name: "heldEarnings",
  method: "GET",
  path: "/api/admin/partners/held",
  access: "admin",
  session: "begun",
  summary: "Held earnings that need a decision, oldest first, twenty per page (administrators)",
  ask: { page: Page },
  reply: z.object({ data: z.array(HeldEarnings), pages: z.int() }),
  refusals: ["page"],
});

import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { DollarText, IdText, ReferralWord } from "./fields.ts";

/** UTC, YYYY-MM-DD (spec O §3). */
const Day = z.string().check(z.regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/));

const earnings = {
  /** All-time, before payouts. */
  earned: DollarText,
  payed: DollarText,
  /** Of the last payout. */
  payed_date: z.nullable(Day),
  /** Earned and not paid out; never below 0. */
  to_withdraw: DollarText,
  /** Held for an administrator; not in `earned` or `to_withdraw`. */
  held: DollarText,
};

/** Earnings by referrals (spec O §3). */
export const ReferralEarnings = z.object({
  /** Null until a word was chosen. */
  link: z.nullable(z.string()),
  word: z.nullable(z.string()),
  ...earnings,
  date: z.nullable(Day),
  count: z.int(),
});

/** Earnings by orders with its Soft ID (spec O §3). */
export const SoftEarnings = z.object({
  id: IdText,
  ...earnings,
  count: z.int(),
});

export const EarningsDay = z.object({ date: Day, earned: DollarText, count: z.int() });

export const addReferralWord = endpoint({
  name: "addReferralWord",
  method: "GET",
  alsoPost: true,
  path: "/user/addReferralWord",
  access: "user",
  idempotent: true,
  summary: "Choose or change the word of the referral link; links with an earlier word keep working",
  ask: { word: ReferralWord },
  reply: z.object({ success: z.literal(true), word: z.string(), link: z.string() }),
  refusals: ["word", "word taken", "account not activated", "too many words"],
});

export const statsReferral = endpoint({
  name: "statsReferral",
  method: "GET",
  path: "/stats/referral",
  access: "user",
  summary: "Earnings from referrals per day (UTC), only days with earnings, oldest first",
  ask: {},
  reply: z.object({ data: z.array(EarningsDay) }),
});

export const statsSoft = endpoint({
  name: "statsSoft",
  method: "GET",
  path: "/stats/soft",
  access: "user",
  summary: "Earnings from the Soft ID per day (UTC), only days with earnings, oldest first",
  ask: {},
  reply: z.object({ data: z.array(EarningsDay) }),
});

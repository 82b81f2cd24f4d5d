import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { DollarText, IdText, ReferralWord } from "./fields.ts";

/** A day of the ledger, UTC: YYYY-MM-DD (spec O §3). */
const Day = z.string().check(z.regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/));

const earnings = {
  /** All that was ever earned, less nothing. */
  earned: DollarText,
  /** What an operator has paid out of it. */
  payed: DollarText,
  /** The day of the last payout. */
  payed_date: z.nullable(Day),
  /** Earned and not yet paid out: never below 0. */
  to_withdraw: DollarText,
  /** Earned, but kept apart until an operator has looked at it; part of neither `earned` nor `to_withdraw`. */
  held: DollarText,
};

/** What an account earns by the people whom it brought (spec O §3). */
export const ReferralEarnings = z.object({
  /** Null until a word was chosen. */
  link: z.nullable(z.string()),
  word: z.nullable(z.string()),
  ...earnings,
  /** The day on which the word was chosen. */
  date: z.nullable(Day),
  /** How many have registered under its words. */
  count: z.int(),
});

/** What an account earns by programs that order with its Soft ID (spec O §3). */
export const SoftEarnings = z.object({
  /** The Soft ID. */
  id: IdText,
  ...earnings,
  /** How many orders have earned something. */
  count: z.int(),
});

/** What was earned on one day, and by how many orders. */
export const EarningsDay = z.object({ date: Day, earned: DollarText, count: z.int() });

export const addReferralWord = endpoint({
  name: "addReferralWord",
  method: "GET",
  alsoPost: true,
  path: "/user/addReferralWord",
  access: "user",
  summary: "Choose or change the word of the referral link; links with an earlier word keep working",
  ask: { word: ReferralWord },
  reply: z.object({ success: z.literal(true), word: z.string(), link: z.string() }),
  refusals: ["token", "word", "word taken", "account not activated", "too many words"],
});

export const statsReferral = endpoint({
  name: "statsReferral",
  method: "GET",
  path: "/stats/referral",
  access: "user",
  summary: "Earnings from referrals per day (UTC), only days with earnings, oldest first",
  ask: {},
  reply: z.object({ data: z.array(EarningsDay) }),
  refusals: ["token"],
});

export const statsSoft = endpoint({
  name: "statsSoft",
  method: "GET",
  path: "/stats/soft",
  access: "user",
  summary: "Earnings from the Soft ID per day (UTC), only days with earnings, oldest first",
  ask: {},
  reply: z.object({ data: z.array(EarningsDay) }),
  refusals: ["token"],
});

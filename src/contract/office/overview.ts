import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { field, flag, flagged } from "../fields.ts";

export const WaitingCounts = z.object({
  questions: z.int(),
  payments: z.int(),
  /** Beyond the limits: a second person decides. */
  adjustments: z.int(),
  /** Invariants broken at the last audit. */
  audit: z.int(),
  /** Pairs of a site and a mail domain whose stock lasts for less than three days. */
  stock: z.int(),
  /** 1: no backup has followed the last one, or none was made since backups were switched on. */
  backup: z.int(),
  /** Work and deliveries of webhooks that were given up, and wait for somebody to try them again. */
  tasks: z.int(),
  batches: z.int(),
  /** Batches and sites with held shares that an administrator decides about. */
  shares: z.int(),
  complaints: z.int(),
  partners: z.int(),
  /** Withdrawals that wait to be paid. */
  withdrawals: z.int(),
  rates: z.int(),
  turned_away: z.int(),
});

/** Ended orders of seven days, how many of them got a letter, and those of the seven days before (null: not counted for so long). */
export const WeekChange = z.object({
  name: z.string(),
  orders: z.int(),
  received: z.int(),
  before: z.nullable(z.int()),
});

/** For how many days the stock lasts if as much is sold a day as in the last seven. */
export const StockPace = z.object({
  site: z.string(),
  domain: z.string(),
  available: z.int(),
  days: z.number(),
});

/** What the shop goes on with, but somebody should mend: the alerts of docs/alerts.yml ring for the same. */
export const troubles = ["disk", "certificate", "letters", "stock", "mail", "jobs"] as const;
export type Trouble = (typeof troubles)[number];

export const officeOverview = endpoint({
  name: "officeOverview",
  method: "GET",
  path: "/api/admin/overview",
  access: "admin",
  session: "begun",
  summary: "The state of the shop at this moment (administrators)",
  ask: {},
  reply: z.object({
    living: z.int(),
    waiting: WaitingCounts,
    /** Of up to ten minutes ago; null before the first time. */
    week: z.nullable(
      z.object({
        at: z.int(),
        sites: z.array(WeekChange),
        domains: z.array(WeekChange),
        stock: z.array(StockPace),
      }),
    ),
    health: z.object({
      down: z.array(z.string()),
      failing: z.array(z.string()),
      troubles: z.array(z.literal(troubles)),
    }),
    /** Null before the first audit. */
    audited_at: z.nullable(z.int()),
    /** The moment that the last daily backup shows, null before the first; late: it should have been followed by another one. */
    backup: z.object({ at: z.nullable(z.int()), late: z.boolean() }),
  }),
});

/** 24 hours, 30 days, 12 months. */
export const figurePeriods = ["day", "month", "year"] as const;
export type FigurePeriod = (typeof figurePeriods)[number];

const Sums = z.object({
  /** Placed. */
  orders: z.int(),
  letters: z.int(),
  registrations: z.int(),
  revenue: z.string(),
  top_ups: z.string(),
  /** Prices that went back to buyers: how many, and dollars. */
  refunds: z.int(),
  refunded: z.string(),
  /** Orders that ended, without those that were canceled within a minute, and those of them that got a letter. */
  ended: z.int(),
  received: z.int(),
  /** The median from the order to its first letter; null without a letter. */
  seconds: z.nullable(z.number()),
});

export const officeFigures = endpoint({
  name: "officeFigures",
  method: "GET",
  path: "/api/admin/figures",
  access: "admin",
  session: "begun",
  summary: "What the shop did in 24 hours, 30 days or 12 months, and in the time before (administrators)",
  ask: {
    period: field(
      z.enum(figurePeriods),
      "request",
      "Which period: day (24 hours), month (30 days), year (12 months)",
      {
        kind: "choice",
        of: figurePeriods,
      },
    ),
  },
  reply: z.object({
    /** Up to the last whole hour. */
    since: z.int(),
    until: z.int(),
    now: Sums,
    /** As long, right before it, of 12 months those of the year before; null where the shop has not been there for all of it. */
    before: z.nullable(Sums),
    /** Whether ended orders were counted in all of the time before. */
    before_outcomes: z.boolean(),
    /** Hours, days or months (UTC), each beside the one before; the last one is not over yet. */
    steps: z.array(z.object({ at: z.int(), now: Sums, before: Sums })),
  }),
  refusals: ["request"],
});

const DailySummary = z.object({ data: z.object({ wanted: z.boolean() }) });

export const dailySummary = endpoint({
  name: "dailySummary",
  method: "GET",
  path: "/api/admin/summary",
  access: "admin",
  session: "begun",
  summary: "Whether the caller gets the daily summary by email (administrators)",
  ask: {},
  reply: DailySummary,
});

export const setDailySummary = endpoint({
  name: "setDailySummary",
  method: "POST",
  path: "/api/admin/summary/set",
  access: "admin",
  session: "begun",
  idempotent: true,
  summary: "Get the daily summary by email, at 08:00 UTC, or not (administrators)",
  ask: {
    wanted: field(
      flag,
      "request",
      "1: the summary is sent to the email address of the account, 0: it is not",
      flagged,
    ),
  },
  reply: DailySummary,
  refusals: ["request"],
});

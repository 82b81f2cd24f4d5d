import * as z from "zod/mini";
import { currencies } from "../currencies.ts";
import { endpoint } from "../endpoint.ts";
import { DollarText, field, UnixSeconds } from "../fields.ts";

const coins = [...new Set(currencies.map(({ coin }) => coin))];
export const Coin = field(z.enum(coins), "coin", "Which coin", { kind: "choice", of: coins });

const RateState = z.object({
  coin: z.enum(coins),
  usd: z.optional(DollarText),
  why: z.optional(z.literal(["few", "disagree", "jump", "held", "depeg"])),
  /** A jump that an administrator has not released. */
  held: z.optional(z.object({ since: UnixSeconds, from: DollarText, to: DollarText })),
  quotes: z.array(
    z.object({
      source: z.string(),
      usd: z.optional(DollarText),
      told_at: UnixSeconds,
      use: z.literal(["used", "old", "off"]),
    }),
  ),
});

export const rates = endpoint({
  name: "rates",
  method: "GET",
  path: "/api/admin/rates",
  access: "admin",
  session: "begun",
  summary: "The rates of coins and their sources (administrators)",
  ask: {},
  reply: z.object({
    data: z.array(RateState),
    sources: z.array(
      z.object({
        name: z.string(),
        answered_at: z.optional(UnixSeconds),
        rests_until: z.optional(UnixSeconds),
        trouble: z.optional(z.string()),
      }),
    ),
  }),
});

// Beyond the specification: the owner of an account is told when the balance falls below a threshold.
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { dollarsAsked, DollarText, optional, spendable } from "../fields.ts";

export const Threshold = optional(
  dollarsAsked,
  "threshold",
  "Dollars: you are told when the balance falls below; omit it to be told nothing",
  spendable,
);

export const LowBalance = z.object({
  threshold: z.optional(DollarText),
  balance: DollarText,
  low: z.boolean().check(z.describe("Whether the balance is below the threshold now")),
});

export const lowBalance = endpoint({
  name: "lowBalance",
  method: "GET",
  path: "/user/lowbalance",
  access: "user",
  limited: true,
  summary: "The threshold of the low-balance warning, if one is set, and whether the balance is below it",
  ask: {},
  reply: z.object({ data: LowBalance }),
});

export const setLowBalance = endpoint({
  name: "setLowBalance",
  method: "POST",
  path: "/user/lowbalance/set",
  access: "user",
  idempotent: true,
  summary:
    "Be told when the balance falls below a threshold: by email, by the Telegram bot and by the event `balance_low`; not again until it was above, and at most once an hour",
  ask: { threshold: Threshold },
  reply: z.object({ data: LowBalance }),
  refusals: ["threshold"],
});

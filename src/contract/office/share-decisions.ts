import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { DollarText, field, id, wireId } from "../fields.ts";
import { BatchId, Reason, SiteName } from "./acts.ts";

const decisions = ["release", "refuse"] as const;
const Decision = field(
  z.literal(decisions),
  "decision",
  "release: the held shares go to the investor; refuse: to the shop, and later ones without proof too, after three days",
  { kind: "choice", of: decisions },
);
const verdicts = ["refund", "refuse"] as const;
const Verdict = field(
  z.literal(verdicts),
  "decision",
  "refund: the buyer gets the price back; refuse: the share stays held as if there was no complaint",
  { kind: "choice", of: verdicts },
);
const Order = field(wireId, "no complaint", "Id of the order", id);

export const decideShares = endpoint({
  name: "decideShares",
  method: "POST",
  path: "/api/admin/shares/decide",
  access: "admin",
  idempotent: true,
  summary:
    "Decide about the held shares of an investor’s batch for a site, with the complaints about it (administrators)",
  ask: { batch: BatchId, site: SiteName, decision: Decision, reason: Reason },
  reply: z.object({ count: z.int(), amount: DollarText, complaints: z.int() }),
  refusals: ["token", "no access", "no batch", "site", "decision", "reason", "nothing held"],
});

export const decideComplaint = endpoint({
  name: "decideComplaint",
  method: "POST",
  path: "/api/admin/complaints/decide",
  access: "admin",
  idempotent: true,
  summary: "Decide about a buyer’s complaint that a letter was not from the site (administrators)",
  ask: { order: Order, decision: Verdict, reason: Reason },
  reply: z.object({ price: DollarText }),
  refusals: ["token", "no access", "no complaint", "decision", "reason"],
});

import * as z from "zod/mini";
import {
  dollarsAsked,
  DollarText,
  bounded,
  field,
  id,
  optional,
  PaymentId,
  spendable,
  textOf,
  wireId,
} from "../fields.ts";
import * as limits from "../limits.ts";
import { PaymentState } from "../payments.ts";
import { HeldEarnings } from "./partners.ts";
import { Coin } from "./rates.ts";
import { act } from "./act.ts";
import { account, BatchId, Reason } from "./people-acts.ts";
import { SiteName } from "./stock-acts.ts";

const ways = ["referrals", "soft", "investor"] as const;
const Way = field(z.literal(ways), "way", "Which earnings: referrals, soft or investor", {
  kind: "choice",
  of: ways,
});
const PartnerId = field(wireId, "no partner", "Id of the partner’s account", account);
const BuyerId = field(wireId, "nothing held", "Id of the buyer’s account", account);
const decisions = ["release", "refuse"] as const;
const ofChoice = <const Words extends readonly string[]>(words: Words, summary: string) =>
  field(z.literal(words), "decision", summary, { kind: "choice", of: words });
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

const payPartner = act({
  name: "payPartner",
  path: "/api/admin/partners/payout",
  role: "money",
  proof: true,
  reason: "by page",
  summary: "Record a payout to a partner or an investor outside of the shop (administrators)",
  ask: { partner: PartnerId, way: Way, amount: PayoutAmount, note: Note, key: PayoutKey },
  reply: z.object({ to_withdraw: DollarText, repeated: z.boolean() }),
  refusals: ["no partner", "way", "payout", "more than due", "note", "key", "key used", "yourself"],
  commands: {
    "partners payout <partner> <way> <amount>": {
      about: "records what was paid to a partner or an investor outside of the shop",
      done: "{amount} dollars were paid to {partner}; {to_withdraw} are left to withdraw.",
      undo: false,
    },
  },
});

const decideHeld = act({
  name: "decideHeld",
  path: "/api/admin/partners/decide",
  role: "money",
  proof: true,
  reason: "by page",
  idempotent: true,
  summary: "Decide permanently about a buyer and a partner who seem to be one person (administrators)",
  ask: {
    partner: PartnerId,
    buyer: BuyerId,
    decision: ofChoice(decisions, "release: the held earnings go to the partner; refuse: to the shop"),
    note: Note,
  },
  reply: z.object({ data: HeldEarnings }),
  refusals: ["no partner", "nothing held", "decision", "note", "yourself"],
  commands: {
    "partners release <partner> <buyer>": {
      about: "pays a partner what a buyer's orders earned, now and later",
      done: "{referrals} dollars by referral and {soft} by soft belong to {partner} now.",
      sets: { decision: "release" },
      called: { note: "reason" },
      undo: false,
    },
    "partners refuse <partner> <buyer>": {
      about: "keeps for the shop what a partner earned by an own account, now and later",
      done: "{referrals} dollars by referral and {soft} by soft belong to the shop now.",
      sets: { decision: "refuse" },
      called: { note: "reason" },
      undo: false,
    },
  },
});

const decideShares = act({
  name: "decideShares",
  path: "/api/admin/shares/decide",
  role: "money",
  proof: true,
  reason: "by page",
  idempotent: true,
  summary:
    "Decide about the held shares of an investor’s batch for a site, with the complaints about it (administrators)",
  ask: {
    batch: BatchId,
    site: SiteName,
    decision: ofChoice(
      decisions,
      "release: the held shares go to the investor; refuse: to the shop, and later ones without proof too, after three days",
    ),
    reason: Reason,
  },
  reply: z.object({ count: z.int(), amount: DollarText, complaints: z.int() }),
  refusals: ["no batch", "site", "decision", "reason", "nothing held"],
  commands: {
    "shares release <batch> <site>": {
      about: "pays the investor what is held of a batch for a site",
      done: "{amount} dollars of {count} orders belong to the investor now.",
      sets: { decision: "release" },
      undo: false,
    },
    "shares refuse <batch> <site>": {
      about: "keeps for the shop what is held of a batch for a site, and later shares without a proof",
      done: "{amount} dollars of {count} orders belong to the shop and buyers who complained now.",
      sets: { decision: "refuse" },
      undo: false,
    },
  },
});

const decideComplaint = act({
  name: "decideComplaint",
  path: "/api/admin/complaints/decide",
  role: "money",
  proof: true,
  reason: "by page",
  idempotent: true,
  summary: "Decide about a buyer’s complaint that a letter was not from the site (administrators)",
  ask: {
    order: field(wireId, "no complaint", "Id of the order", id),
    decision: ofChoice(
      ["refund", "refuse"],
      "refund: the buyer gets the price back; refuse: the share stays held as if there was no complaint",
    ),
    reason: Reason,
  },
  reply: z.object({ price: DollarText }),
  refusals: ["no complaint", "decision", "reason"],
  commands: {
    "complaints refund <order>": {
      about: "accepts a complaint: refunds the buyer",
      done: "The buyer has {price} dollars back.",
      sets: { decision: "refund" },
      undo: false,
    },
    "complaints refuse <order>": {
      about: "rejects a complaint: the share is held as before",
      done: "The complaint is rejected.",
      sets: { decision: "refuse" },
      undo: false,
    },
  },
});

const verdicts = ["credit", "credit_locked", "reject"] as const;
const PaymentVerdict = field(
  z.literal(verdicts),
  "verdict",
  "credit (late transfers at the current rate), credit_locked (all of them at the locked rate) or reject",
  { kind: "choice", of: verdicts },
);
const PaymentReason = field(
  bounded(limits.noteLengthMax),
  "reason",
  "The reason, for the history of the payment and the audit log",
  textOf(limits.noteLengthMax),
);

const decidePayment = act({
  name: "decidePayment",
  path: "/api/admin/payments/decide/{id}",
  role: "money",
  proof: true,
  reason: "always",
  summary:
    "Credit or reject the transfers of a payment that is under review or ended without a credit (administrators)",
  ask: { id: PaymentId, verdict: PaymentVerdict, reason: PaymentReason },
  reply: PaymentState,
  refusals: ["no payment", "verdict", "reason", "no review", "nothing confirmed", "no rate"],
  commands: {
    "payments decide <id> <verdict>": {
      about: "credits or rejects a payment under review",
      done: {
        credited: "The payment {id} is credited: {credited} dollars in all.",
        rejected: "The payment {id} is rejected.",
      },
      undo: false,
    },
  },
});

const confirmPayment = act({
  name: "confirmPayment",
  path: "/api/admin/payments/confirm/{id}",
  role: "money",
  proof: true,
  reason: "never",
  summary: "Simulate the transfer of a sandbox payment (administrators)",
  ask: { id: PaymentId },
  reply: PaymentState,
  refusals: ["no payment", "payment closed"],
  commands: {
    "payments confirm <id>": {
      about: "simulates the payment of a sandbox top-up",
      done: "The payment {id} is confirmed: {credited} dollars were credited.",
      undo: false,
    },
  },
});

const releaseRate = act({
  name: "releaseRate",
  path: "/api/admin/rates/release",
  role: "money",
  proof: true,
  reason: "never",
  summary: "Release the held rate of a coin: payments in it are accepted again (administrators)",
  ask: { coin: Coin },
  reply: z.object({ coin: z.string() }),
  refusals: ["coin", "not held"],
  commands: {
    "rates release <coin>": {
      about: "accepts a coin again whose rate has jumped",
      done: "{coin} is accepted again at the rate that its sources agree on.",
      undo: false,
    },
  },
});

export const moneyActs = {
  payPartner,
  decideHeld,
  decideShares,
  decideComplaint,
  decidePayment,
  confirmPayment,
  releaseRate,
};

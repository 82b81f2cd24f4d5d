import * as z from "zod/mini";
import {
  books,
  bounded,
  DollarText,
  field,
  flag,
  flagged,
  id,
  IdText,
  optional,
  textOf,
  wholeNumber,
  wholeOf,
  wireId,
} from "../fields.ts";
import { type Form, officeRoles } from "../endpoint.ts";
import { batchStates } from "../investors.ts";
import * as limits from "../limits.ts";
import { act } from "./act.ts";
import { Blocked } from "./stock-acts.ts";

/** By its number on the wire, by its email address in a command. */
export const account: Form = { kind: "id", names: "account" };
const User = field(wireId, "no user", "Id of the account", account);
export const Reason = field(
  bounded(limits.noteLengthMax),
  "reason",
  "The reason; stored permanently in the audit log",
  textOf(limits.noteLengthMax),
);
const adjustMax = 999_999;
export const Change = field(
  z
    .pipe(
      z.union([z.string(), z.number()]),
      z.transform((amount: string | number) => String(amount).trim()),
    )
    .check(
      z.refine(
        (amount) => /^[-+]?[0-9]{1,6}(\.[0-9]{1,8})?$/.test(amount) && /[1-9]/.test(amount),
        "dollars, not 0",
      ),
      z.overwrite((amount) => amount.replace(/^\+/, "")),
    ),
  "change",
  "Dollars, with a minus sign to deduct",
  { kind: "dollars", min: -adjustMax, max: adjustMax, decimals: 8 },
);
export const Key = field(
  bounded(limits.idempotencyKeyLengthMax),
  "key",
  "A name for this change: if repeated with the same name, it is made once",
  textOf(limits.idempotencyKeyLengthMax),
);
const AdjustedBook = optional(
  z.literal(books),
  "book",
  "What is changed: balance (if omitted), or the earnings referrals, soft or investor",
  { kind: "choice", of: books },
);
/** `admin` is the older word for owner. */
const roles = [...officeRoles, "investor", "admin"] as const;
const Role = field(
  z.literal(roles),
  "role",
  "owner (may do everything), money (payments, credits, payouts, prices), support (reads, cancels orders, resets access), editor (stories, announcements) or investor; admin is owner",
  { kind: "choice", of: roles },
);
const Granted = field(flag, "granted", "1 gives the role, 0 removes it", flagged);
const Percent = field(
  z
    .pipe(
      z.union([z.string(), z.number()]),
      z.transform((percent: string | number) => String(percent).trim()),
    )
    .check(
      z.refine(
        (percent) => /^[0-9]{1,2}(\.[0-9]{1,4})?$/.test(percent) && Number(percent) <= limits.sharePercentMax,
        "0 to 90",
      ),
    ),
  "percent",
  "Share of each price for batches uploaded from now on, in percent",
  { kind: "number", min: 0, max: limits.sharePercentMax, decimals: 4 },
);

const blockUser = act({
  name: "blockUser",
  path: "/api/admin/users/block",
  role: "owner",
  proof: true,
  reason: "by page",
  idempotent: true,
  summary: "Block an account (its tokens stop working), or unblock it (administrators)",
  ask: { user: User, blocked: Blocked, reason: Reason },
  reply: z.object({ blocked: z.boolean() }),
  refusals: ["no user", "blocked", "reason", "yourself", "named in settings"],
  commands: {
    "users block <user>": {
      about: "blocks an account: its token stops working",
      done: "{user} is blocked: the token does not work.",
      sets: { blocked: "1" },
      undo: "users unblock",
    },
    "users unblock <user>": {
      about: "unblocks an account",
      done: "{user} is not blocked.",
      sets: { blocked: "0" },
      undo: "users block",
    },
  },
});

const resetFactors = act({
  name: "resetFactors",
  path: "/api/admin/users/resetfactors",
  role: "support",
  proof: true,
  reason: "always",
  summary:
    "Remove all second factors and recovery codes of an account whose owner has lost them, and end its sessions (administrators)",
  ask: { user: User, reason: Reason },
  reply: z.object({ factors: z.int() }),
  refusals: ["no user", "reason", "office account", "no factors"],
  commands: {
    "users factor reset <user>": {
      about: "removes the second factors of an account whose owner has lost them",
      done: "{user} signs in with the password alone. Removed factors: {factors}. All sessions have ended.",
      undo: false,
    },
  },
});

const resetAccess = act({
  name: "resetAccess",
  path: "/api/admin/users/reset",
  role: "support",
  proof: true,
  reason: "by page",
  summary:
    "End all access to an account and make its password unusable; its owner gets a code for a new one by mail, which nobody else sees (administrators)",
  ask: { user: User, reason: Reason },
  reply: z.object({ email: z.string() }),
  refusals: ["no user", "reason", "office account"],
  commands: {
    "users reset <user>": {
      about: "ends all access to an account, and mails its owner a code for a new password",
      done: "Nobody is signed in to {user} any more; a code for a new password is mailed.",
      undo: false,
    },
  },
});

const adjustBalance = act({
  name: "adjustBalance",
  path: "/api/admin/users/adjust",
  role: "money",
  proof: true,
  reason: "always",
  idempotent: true,
  summary:
    "Change a balance or earnings up or down; the owner sees the reason in the statement; above the limits it waits until a second person decides, and waits names it (administrators)",
  ask: { user: User, book: AdjustedBook, amount: Change, reason: Reason, key: Key },
  reply: z.object({ balance: DollarText, repeated: z.boolean(), waits: z.optional(IdText) }),
  refusals: ["no user", "book", "change", "reason", "key", "key used", "more than there is"],
  commands: {
    "users credit <user> <amount>": {
      about: "changes a balance or earnings, up or (with a minus sign) down; the owner reads the reason",
      done: "{user} had {before} and has {balance} dollars ({book}).",
      usually: { book: "balance" },
      undo: "users credit",
    },
  },
});

const grantRole = act({
  name: "grantRole",
  path: "/api/admin/users/grant",
  role: "owner",
  proof: true,
  reason: "never",
  idempotent: true,
  summary:
    "Give an account a role of the back office, in place of another one, or make it an investor, or take the role away (administrators)",
  ask: { user: User, role: Role, granted: Granted },
  reply: z.object({
    admin: z.boolean(),
    investor: z.boolean(),
    office_role: z.optional(z.literal(officeRoles)),
  }),
  refusals: [
    "no user",
    "role",
    "granted",
    "yourself",
    "last administrator",
    "named in settings",
    "account not activated",
  ],
  commands: {
    "users grant <user> <role>": {
      about: "gives a role of the back office (owner, money, support, editor), or makes an investor",
      done: "{user} is {role} from now on.",
      sets: { granted: "1" },
      undo: "users revoke",
    },
    "users revoke <user> <role>": {
      about: "takes a role away",
      done: "{user} is no {role} any more.",
      sets: { granted: "0" },
      undo: "users grant",
    },
  },
});

const AdjustmentId = field(wireId, "no adjustment", "Id of the adjustment", id);
const Agreed = field(
  z.literal(["approve", "refuse"]),
  "decision",
  "approve: the money is moved; refuse: it is not",
  { kind: "choice", of: ["approve", "refuse"] },
);

const decideAdjustment = act({
  name: "decideAdjustment",
  path: "/api/admin/adjustments/decide",
  role: "money",
  proof: true,
  reason: "by page",
  summary:
    "Decide as a second person about an adjustment above the limits; who asked for it can only refuse it (administrators)",
  ask: { id: AdjustmentId, decision: Agreed, reason: Reason },
  reply: z.object({ state: z.literal(["approved", "refused"]), amount: DollarText, balance: DollarText }),
  refusals: [
    "no adjustment",
    "decision",
    "reason",
    "yourself",
    "second person",
    "more than there is",
    "key used",
  ],
  commands: {
    "adjustments approve <id>": {
      about: "moves the money of an adjustment that waits",
      done: "{amount} dollars were moved; now there are {balance}.",
      sets: { decision: "approve" },
      undo: false,
    },
    "adjustments refuse <id>": {
      about: "refuses an adjustment that waits",
      done: "The adjustment of {amount} dollars is refused.",
      sets: { decision: "refuse" },
      undo: false,
    },
  },
});

const setShare = act({
  name: "setShare",
  path: "/api/admin/users/share",
  role: "money",
  proof: true,
  reason: "never",
  idempotent: true,
  summary: "Set an investor’s share of each price for batches uploaded from now on (administrators)",
  ask: { user: User, percent: Percent },
  reply: z.object({ percent: z.number(), before: z.number() }),
  refusals: ["no user", "percent"],
  commands: {
    "users share <user> <percent>": {
      about: "sets an investor's share of each price, for later batches (30)",
      done: "{user} gets {percent} % of the price of each order on later batches; until now {before} %.",
      undo: "users share",
    },
  },
});

const batchDecisions = ["approve", "refuse", "withdraw", "restore", "free"] as const;
export const BatchId = field(
  wholeNumber(1, limits.batchIdMax),
  "no batch",
  "Number of the batch",
  wholeOf(1, limits.batchIdMax),
);
const BatchVerdict = field(
  z.literal(batchDecisions),
  "decision",
  "approve: on sale, or checked again if nothing was checked; refuse: its passwords are erased; withdraw: off sale, open orders still receive their letters; restore: on sale again; free: the addresses of a refused batch of which no mailbox opened can be uploaded once more",
  { kind: "choice", of: batchDecisions },
);

const decideBatch = act({
  name: "decideBatch",
  path: "/api/admin/batches/decide",
  role: "owner",
  proof: false,
  reason: "by page",
  summary:
    "Put a batch under review on sale, refuse one that was never on sale, take one off sale and put it back, or free the addresses of a refused one (administrators)",
  ask: { batch: BatchId, decision: BatchVerdict, reason: Reason },
  reply: z.object({ state: z.literal(batchStates) }),
  refusals: [
    "no batch",
    "decision",
    "reason",
    "not under review",
    "batch decided",
    "not on sale",
    "not off sale",
    "owner may not sell",
    "not refused",
    "mailboxes opened",
    "freed before",
  ],
  commands: {
    "batches approve <batch>": {
      about: "puts a batch under review on sale, or checks it again",
      done: { active: "Batch {batch} is on sale.", stored: "Batch {batch} is checked again." },
      sets: { decision: "approve" },
      undo: false,
    },
    "batches refuse <batch>": {
      about: "refuses a batch that was never on sale; its passwords are wiped",
      done: "Batch {batch} is refused, and its passwords are wiped.",
      sets: { decision: "refuse" },
      undo: false,
    },
    "batches withdraw <batch>": {
      about: "takes a batch off sale; open orders still get their letters",
      done: "Batch {batch} is off sale. Open orders still get their letters, and what they earn is held.",
      sets: { decision: "withdraw" },
      undo: "batches restore",
    },
    "batches restore <batch>": {
      about: "puts a batch back on sale",
      done: "Batch {batch} is on sale again.",
      sets: { decision: "restore" },
      undo: "batches withdraw",
    },
    "batches free <batch>": {
      about: "lets the addresses of a refused batch be uploaded once more, if no mailbox of it opened",
      done: "{freed} addresses of batch {batch} are free: each can be uploaded once more.",
      sets: { decision: "free" },
      undo: false,
    },
  },
});

const clearBatches = act({
  name: "clearBatches",
  path: "/api/admin/batches/seen",
  role: "support",
  proof: false,
  reason: "by page",
  summary: "Allow an investor to upload mailboxes again after a batch was refused (administrators)",
  ask: { user: User, reason: Reason },
  reply: z.object({ batches: z.int() }),
  refusals: ["no user", "reason", "nothing to see"],
  commands: {
    "batches seen <user>": {
      about: "lets an investor upload again after a batch was refused",
      done: "{user} may upload mailboxes again.",
      undo: false,
    },
  },
});

export const peopleActs = {
  blockUser,
  resetFactors,
  resetAccess,
  adjustBalance,
  decideAdjustment,
  grantRole,
  setShare,
  decideBatch,
  clearBatches,
};

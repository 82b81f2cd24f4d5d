import * as z from "zod/mini";
import { domainKinds, tlsWays } from "../catalog.ts";
import { endpoint } from "../endpoint.ts";
import {
  bounded,
  dollarsAsked,
  DollarText,
  field,
  flag,
  flagged,
  id,
  optional,
  spendable,
  textOf,
  wholeNumber,
  wholeOf,
  wireId,
} from "../fields.ts";
import { batchStates } from "../investors.ts";
import * as limits from "../limits.ts";

const kindSummary = "own: its mail arrives here; hosted: its mail is on an IMAP server";
const DomainName = field(
  bounded(limits.siteLengthMax),
  "mail domain",
  "The mail domain by its full name",
  textOf(limits.siteLengthMax),
);
const Kind = field(z.literal(domainKinds), "kind", kindSummary, { kind: "choice", of: domainKinds });
const priceSummary = "What one address costs from now on, in dollars";
const Price = field(dollarsAsked, "price", priceSummary, spendable);
const PriceOptional = optional(dollarsAsked, "price", priceSummary, spendable);
const On = optional(
  flag,
  "on",
  "1 starts selling it, 0 stops; open orders still receive their letters",
  flagged,
);
const Count = field(
  wholeNumber(1, limits.stockAddMax),
  "count",
  "How many mailboxes to add, at most 100,000 per call",
  wholeOf(1, limits.stockAddMax),
);

const MailDomain = z.object({
  name: z.string(),
  kind: z.literal(domainKinds),
  price: DollarText,
  on: z.boolean(),
});

export const addDomain = endpoint({
  name: "addDomain",
  method: "POST",
  path: "/api/admin/domains/add",
  access: "admin",
  summary: "Put a mail domain on sale (administrators)",
  ask: { name: DomainName, price: Price, kind: Kind },
  reply: MailDomain,
  refusals: ["token", "no access", "mail domain", "price", "kind", "domain exists"],
});

export const changeDomain = endpoint({
  name: "changeDomain",
  method: "POST",
  path: "/api/admin/domains/set",
  access: "admin",
  idempotent: true,
  summary: "Change the price of a mail domain, or start or stop selling it (administrators)",
  ask: { name: DomainName, price: PriceOptional, on: On },
  reply: MailDomain,
  refusals: ["token", "no access", "mail domain", "price", "on", "no domain", "nothing to change"],
});

export const addStock = endpoint({
  name: "addStock",
  method: "POST",
  path: "/api/admin/stock/add",
  access: "admin",
  timeoutSeconds: 120,
  summary: "Add mailboxes to an own domain (administrators)",
  ask: { domain: DomainName, count: Count },
  reply: z.object({ added: z.int(), mailboxes: z.int() }),
  refusals: ["token", "no access", "mail domain", "count", "no domain", "not own", "stock busy"],
});

const imapLengthMax = limits.siteLengthMax + 8;
const Imap = field(
  bounded(imapLengthMax),
  "imap",
  "Where the server is, host and port: imap.example.com:993",
  textOf(imapLengthMax),
);
const Tls = field(z.literal(tlsWays), "tls", "implicit, starttls, or none for a server on this machine", {
  kind: "choice",
  of: tlsWays,
});
const Connections = optional(
  wholeNumber(1, limits.hostConnectionsMax),
  "connections",
  "Connections at the same time, of all processes; 20 for a new server",
  wholeOf(1, limits.hostConnectionsMax),
);
const Logins = optional(
  wholeNumber(1, limits.hostLoginsMax),
  "logins",
  "Logins per minute; 600 for a new server",
  wholeOf(1, limits.hostLoginsMax),
);
const Certificates = optional(
  bounded(limits.certificatesLengthMax),
  "ca",
  "Certificates (PEM) to trust instead of the public certificate authorities",
  textOf(limits.certificatesLengthMax),
);
const KnownAuthorities = optional(flag, "known_ca", "1: trust public authorities again", flagged);

export const addHost = endpoint({
  name: "addHost",
  method: "POST",
  path: "/api/admin/hosts/add",
  access: "admin",
  idempotent: true,
  summary: "Register the IMAP server of a hosted domain, or change its settings (administrators)",
  ask: {
    domain: DomainName,
    imap: Imap,
    tls: Tls,
    connections: Connections,
    logins: Logins,
    ca: Certificates,
    known_ca: KnownAuthorities,
  },
  reply: z.object({ domain: z.string(), imap: z.string(), tls: z.literal(tlsWays) }),
  refusals: [
    "token",
    "no access",
    "mail domain",
    "imap",
    "tls",
    "connections",
    "logins",
    "ca",
    "known_ca",
    "no domain",
    "not hosted",
    "tls needed",
  ],
});

export const SiteName = field(
  bounded(limits.siteLengthMax),
  "site",
  "The site by its domain",
  textOf(limits.siteLengthMax),
);
const SenderDomains = field(
  bounded(limits.domainListLengthMax),
  "senders",
  "Domains whose letters count for the site, separated by commas",
  textOf(limits.domainListLengthMax),
);
const Blocked = field(flag, "blocked", "1 blocks, 0 unblocks", flagged);

export const addSenders = endpoint({
  name: "addSenders",
  method: "POST",
  path: "/api/admin/sites/senders",
  access: "admin",
  idempotent: true,
  timeoutSeconds: 120,
  summary:
    "Let letters from more domains count for a site, and deliver unclaimed ones of the last 24 hours (administrators)",
  ask: { site: SiteName, domains: SenderDomains },
  reply: z.object({
    site: z.string(),
    senders: z.array(z.string()),
    /** Sender domains that are used for other sites too: buyers of a shared mailbox, one for each site, all get such a letter. */
    shared: z.array(z.object({ domain: z.string(), sites: z.array(z.string()) })),
    /** Unclaimed letters: now delivered; of an order that was over and refunded; a mismatch for another reason. */
    delivered: z.int(),
    too_late: z.int(),
    unfit: z.int(),
  }),
  refusals: ["token", "no access", "site", "senders"],
});

export const removeSenders = endpoint({
  name: "removeSenders",
  method: "POST",
  path: "/api/admin/sites/senders/remove",
  access: "admin",
  summary: "Let letters from domains no longer count for a site; delivered letters stay (administrators)",
  ask: { site: SiteName, domains: SenderDomains },
  reply: z.object({ site: z.string(), senders: z.array(z.string()) }),
  refusals: ["token", "no access", "site", "senders", "no sender"],
});

export const blockSite = endpoint({
  name: "blockSite",
  method: "POST",
  path: "/api/admin/sites/block",
  access: "admin",
  idempotent: true,
  summary: "Stop serving a site (no offers, no orders), or serve it again (administrators)",
  ask: { site: SiteName, blocked: Blocked },
  reply: z.object({ site: z.string(), blocked: z.boolean() }),
  refusals: ["token", "no access", "site", "blocked"],
});

const User = field(wireId, "no user", "Id of the account", id);
export const Reason = field(
  bounded(limits.noteLengthMax),
  "reason",
  "The reason; stored permanently in the audit log",
  textOf(limits.noteLengthMax),
);
const adjustMax = 999_999;
const Change = field(
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
const Key = field(
  bounded(limits.idempotencyKeyLengthMax),
  "key",
  "A name for this change: if repeated with the same name, it is made once",
  textOf(limits.idempotencyKeyLengthMax),
);
export const books = ["balance", "referrals", "soft", "investor"] as const;
const AdjustedBook = optional(
  z.literal(books),
  "book",
  "What is changed: balance (if omitted), or the earnings referrals, soft or investor",
  { kind: "choice", of: books },
);
export const roles = ["admin", "investor"] as const;
const Role = field(z.literal(roles), "role", "admin or investor", { kind: "choice", of: roles });
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

export const blockUser = endpoint({
  name: "blockUser",
  method: "POST",
  path: "/api/admin/users/block",
  access: "admin",
  idempotent: true,
  summary: "Block an account (its tokens stop working), or unblock it (administrators)",
  ask: { user: User, blocked: Blocked, reason: Reason },
  reply: z.object({ blocked: z.boolean() }),
  refusals: ["token", "no access", "no user", "blocked", "reason", "yourself"],
});

export const adjustBalance = endpoint({
  name: "adjustBalance",
  method: "POST",
  path: "/api/admin/users/adjust",
  access: "admin",
  idempotent: true,
  summary:
    "Change a balance or earnings up or down; the owner sees the reason in the statement (administrators)",
  ask: { user: User, book: AdjustedBook, amount: Change, reason: Reason, key: Key },
  reply: z.object({ balance: DollarText, repeated: z.boolean() }),
  refusals: [
    "token",
    "no access",
    "no user",
    "book",
    "change",
    "reason",
    "key",
    "key used",
    "more than there is",
  ],
});

export const grantRole = endpoint({
  name: "grantRole",
  method: "POST",
  path: "/api/admin/users/grant",
  access: "admin",
  idempotent: true,
  summary: "Make an account an administrator or an investor, or remove that role (administrators)",
  ask: { user: User, role: Role, granted: Granted },
  reply: z.object({ admin: z.boolean(), investor: z.boolean() }),
  refusals: [
    "token",
    "no access",
    "no user",
    "role",
    "granted",
    "yourself",
    "last administrator",
    "account not activated",
  ],
});

export const setShare = endpoint({
  name: "setShare",
  method: "POST",
  path: "/api/admin/users/share",
  access: "admin",
  idempotent: true,
  summary: "Set an investor’s share of each price for batches uploaded from now on (administrators)",
  ask: { user: User, percent: Percent },
  reply: z.object({ percent: z.number(), before: z.number() }),
  refusals: ["token", "no access", "no user", "percent"],
});

const batchDecisions = ["approve", "refuse", "withdraw", "restore", "free"] as const;
export type BatchDecision = (typeof batchDecisions)[number];
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

export const decideBatch = endpoint({
  name: "decideBatch",
  method: "POST",
  path: "/api/admin/batches/decide",
  access: "admin",
  summary:
    "Put a batch under review on sale, refuse one that was never on sale, take one off sale and put it back, or free the addresses of a refused one (administrators)",
  ask: { batch: BatchId, decision: BatchVerdict, reason: Reason },
  reply: z.object({ state: z.literal(batchStates) }),
  refusals: [
    "token",
    "no access",
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
});

export const clearBatches = endpoint({
  name: "clearBatches",
  method: "POST",
  path: "/api/admin/batches/seen",
  access: "admin",
  summary: "Allow an investor to upload mailboxes again after a batch was refused (administrators)",
  ask: { user: User, reason: Reason },
  reply: z.object({ batches: z.int() }),
  refusals: ["token", "no access", "no user", "reason", "nothing to see"],
});

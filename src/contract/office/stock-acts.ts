import * as z from "zod/mini";
import { domainKinds, tlsWays } from "../catalog.ts";
import {
  bounded,
  dollarsAsked,
  DollarText,
  field,
  flag,
  flagged,
  optional,
  spendable,
  textOf,
  wholeNumber,
  wholeOf,
} from "../fields.ts";
import * as limits from "../limits.ts";
import { act } from "./act.ts";

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

const addDomain = act({
  name: "addDomain",
  path: "/api/admin/domains/add",
  role: "money",
  proof: true,
  reason: "never",
  summary: "Put a mail domain on sale (administrators)",
  ask: { name: DomainName, price: Price, kind: Kind },
  reply: MailDomain,
  refusals: ["mail domain", "price", "kind", "domain exists"],
  commands: {
    "domains add <name>": {
      about: "puts a mail domain on sale",
      done: '{name} is on sale for {price}. Next: "stock add" makes mailboxes of an own domain, "hosts add" names the server of a hosted one.',
      usually: { kind: "own" },
      undo: "domains set",
    },
  },
});

const changeDomain = act({
  name: "changeDomain",
  path: "/api/admin/domains/set",
  role: "money",
  proof: true,
  reason: "never",
  idempotent: true,
  summary: "Change the price of a mail domain, or start or stop selling it (administrators)",
  ask: { name: DomainName, price: PriceOptional, on: On },
  reply: MailDomain,
  refusals: ["mail domain", "price", "on", "no domain", "nothing to change"],
  commands: {
    "domains set <name>": {
      about: "changes the price of a mail domain, or takes it off or on sale",
      done: "{name} costs {price} and is {on} sale.",
      undo: "domains set",
    },
  },
});

const addStock = act({
  name: "addStock",
  path: "/api/admin/stock/add",
  role: "owner",
  proof: false,
  reason: "never",
  timeoutSeconds: 120,
  summary: "Add mailboxes to an own domain (administrators)",
  ask: { domain: DomainName, count: Count },
  reply: z.object({ added: z.int(), mailboxes: z.int() }),
  refusals: ["mail domain", "count", "no domain", "not own", "stock busy"],
  commands: {
    "stock add <domain> <count>": {
      about: "makes mailboxes of an own domain",
      done: "{added} mailboxes added; {domain} has {mailboxes}.",
      undo: false,
    },
  },
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

const addHost = act({
  name: "addHost",
  path: "/api/admin/hosts/add",
  role: "owner",
  proof: true,
  reason: "never",
  idempotent: true,
  summary: "Register the IMAP server of a hosted domain, or change its settings (administrators)",
  ask: {
    domain: DomainName,
    imap: Imap,
    tls: Tls,
    ca: Certificates,
    known_ca: KnownAuthorities,
    connections: Connections,
    logins: Logins,
  },
  reply: z.object({ domain: z.string(), imap: z.string(), tls: z.literal(tlsWays) }),
  refusals: [
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
  commands: {
    "hosts add <domain>": {
      about: "adds the IMAP server of a hosted domain, or changes its settings",
      done: "The mailboxes of {domain} are on {imap} (TLS: {tls}).",
      usually: { tls: "implicit" },
      undo: "hosts add",
    },
  },
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
export const Blocked = field(flag, "blocked", "1 blocks, 0 unblocks", flagged);

const addSenders = act({
  name: "addSenders",
  path: "/api/admin/sites/senders",
  role: "owner",
  proof: false,
  reason: "never",
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
  refusals: ["site", "senders"],
  commands: {
    "sites alias <site> <domains...>": {
      about: "adds sender domains of a site, and delivers their letters of the last 24 hours",
      done: "Letters from {senders} count for {site}. Of those that waited {delivered} were delivered, {too_late} came too late, {unfit} did not fit their orders.",
      undo: "sites unalias",
    },
  },
});

const removeSenders = act({
  name: "removeSenders",
  path: "/api/admin/sites/senders/remove",
  role: "owner",
  proof: false,
  reason: "never",
  summary: "Let letters from domains no longer count for a site; delivered letters stay (administrators)",
  ask: { site: SiteName, domains: SenderDomains },
  reply: z.object({ site: z.string(), senders: z.array(z.string()) }),
  refusals: ["site", "senders", "no sender"],
  commands: {
    "sites unalias <site> <domains...>": {
      about: "removes sender domains of a site; delivered letters stay",
      done: "Letters from {senders} no longer count for {site}, also for orders that wait. What was delivered stays.",
      undo: "sites alias",
    },
  },
});

const blockSite = act({
  name: "blockSite",
  path: "/api/admin/sites/block",
  role: "owner",
  proof: false,
  reason: "never",
  idempotent: true,
  summary: "Stop serving a site (no offers, no orders), or serve it again (administrators)",
  ask: { site: SiteName, blocked: Blocked },
  reply: z.object({ site: z.string(), blocked: z.boolean() }),
  refusals: ["site", "blocked"],
  commands: {
    "sites block <site>": {
      about: "stops serving a site: no offers, no orders",
      done: "{site} is not served from now on.",
      sets: { blocked: "1" },
      undo: "sites unblock",
    },
    "sites unblock <site>": {
      about: "serves a site again",
      done: "{site} is served.",
      sets: { blocked: "0" },
      undo: "sites block",
    },
  },
});

export const stockActs = { addDomain, changeDomain, addStock, addHost, addSenders, removeSenders, blockSite };

// The first run. Settings are of the environment; these calls check them and say which line to write.
import { walletFamilies } from "../currencies.ts";
import * as z from "zod/mini";
import { domainKinds } from "../catalog.ts";
import { endpoint } from "../endpoint.ts";
import { bounded, DollarText, field, optional, textOf, UnixSeconds } from "../fields.ts";
import { domainLengthMax, publicKeyLengthMax } from "../limits.ts";

export const setupSteps = ["admin", "mail", "domain", "stock", "letter", "wallets", "bot"] as const;
/** `warning`: set, but some of it fails or is unchecked. */
export const stepStates = ["done", "todo", "warning"] as const;

/** How far a change of SECRET_KEY is: `sealed`: some would be lost without the key before; `over`: nothing. */
export const keyStates = ["sealing", "sealed", "over"] as const;

const Step = z.object({
  name: z.enum(setupSteps),
  state: z.enum(stepStates),
  needed: z.boolean(),
});

const Tried = z.object({
  right: z.boolean(),
  /** False after its settings changed: key, selector, relay or name of the reception. */
  current: z.boolean(),
  at: UnixSeconds,
});

export const setup = endpoint({
  name: "setup",
  method: "GET",
  path: "/api/admin/setup",
  access: "admin",
  session: "begun",
  summary: "Which steps of the setup are done (administrators)",
  ask: {},
  reply: z.object({
    done: z.boolean(),
    /** A demonstration: domains and payments are played. */
    demo: z.boolean(),
    steps: z.array(Step),
    /** A proxy is in front that TRUST_PROXY does not name: all its visitors are counted as one. */
    proxy_untrusted: z.boolean(),
    /** OFFICE_TOKEN_ACTS: the token of an administrator is the whole shop. */
    token_acts: z.boolean(),
    /** By how many seconds the clock of the process that answers is ahead of the database's; 0 where that does not matter. */
    clock_ahead: z.int(),
    admin: z.object({
      administrators: z.array(z.string()),
      /** Addresses of ADMIN_EMAILS without an activated account. */
      awaited: z.array(z.string()),
    }),
    mail: z.object({
      from: z.string(),
      domain: z.string(),
      /** The host of MAIL_URL; absent while mail is written to the outbox. */
      relay: z.optional(z.string()),
      signed: z.boolean(),
      dns: z.optional(Tried),
    }),
    domains: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(domainKinds),
        on: z.boolean(),
        price: DollarText,
        mailboxes: z.int(),
        dns: z.optional(Tried),
      }),
    ),
    reception: z.object({
      /** The SMTP address, host:port. */
      listener: z.string(),
      /** The name in its greeting and in MX records. */
      name: z.string(),
      /** The name can be resolved. */
      named: z.boolean(),
      encrypted: z.boolean(),
      /** The last test letter. */
      letter: z.optional(Tried),
      /** The last letter to postmaster@ from outside. */
      outside_at: z.optional(UnixSeconds),
    }),
    wallets: z.array(
      z.object({
        wallet: z.enum(walletFamilies),
        key: z.string(),
        first: z.string(),
        /** The first address; absent without a wallet. */
        address: z.optional(z.string()),
        chains: z.array(z.object({ chain: z.string(), missing: z.array(z.string()) })),
      }),
    ),
    /** Present when all processes may open more connections than the database gives. */
    connections: z.optional(z.object({ processes: z.int(), need: z.int(), given: z.int() })),
    /** Present while SECRET_KEY_OLD is set. */
    key: z.optional(
      z.object({
        state: z.enum(keyStates),
        /** Sealed texts, and how many of them are looked at. */
        total: z.int(),
        seen: z.int(),
        /** Limited tokens that end without the key before. */
        tokens: z.int(),
        /** Until then links in mails, and places where accounts are at home, are known by the key before. */
        until: UnixSeconds,
      }),
    ),
    /** The shop is a superuser of its database, which it need not be. */
    superuser: z.boolean(),
    btcpay: z.boolean(),
    bot: z.object({
      set: z.boolean(),
      name: z.optional(z.string()),
    }),
  }),
});

const Domain = field(
  bounded(domainLengthMax),
  "domain name",
  "The name of a domain, for example letters.example",
  textOf(domainLengthMax),
);

export const recordTroubles = [
  "other_host",
  "not_first",
  "no_mail",
  "private",
  "many",
  "open",
  "forbids",
  "relay",
  "other_key",
] as const;

export const recordKinds = ["mx", "address", "spf", "dkim", "dmarc"] as const;

export const checkDns = endpoint({
  name: "checkDns",
  method: "POST",
  path: "/api/admin/setup/dns",
  access: "admin",
  session: "begun",
  idempotent: true,
  summary: "Look up the DNS records that a domain needs, and check each of them (administrators)",
  ask: { domain: Domain },
  reply: z.object({
    domain: z.string(),
    right: z.boolean(),
    records: z.array(
      z.object({
        kind: z.enum(recordKinds),
        name: z.string(),
        type: z.enum(["MX", "A", "TXT"]),
        /** What to set; absent where only the operator knows it. */
        value: z.optional(z.string()),
        needed: z.boolean(),
        /** `unknown`: the name servers did not answer. `doubt`: it exists and may not work. */
        state: z.enum(["right", "missing", "wrong", "doubt", "unknown"]),
        trouble: z.optional(z.enum(recordTroubles)),
        found: z.array(z.string()),
      }),
    ),
  }),
  refusals: ["domain name"],
});

export const checkWalletKey = endpoint({
  name: "checkWalletKey",
  method: "POST",
  reads: true,
  path: "/api/admin/setup/wallet",
  access: "admin",
  session: "begun",
  summary:
    "Show the first addresses of an extended public key, to compare with your wallet; nothing is stored (administrators)",
  ask: {
    wallet: field(z.enum(walletFamilies), "family", "evm, tron, ltc or ton", {
      kind: "choice",
      of: walletFamilies,
    }),
    key: field(
      bounded(publicKeyLengthMax),
      "public key",
      "The extended public key of the account (for TON the public key in hex)",
      textOf(publicKeyLengthMax),
    ),
    first: optional(
      bounded(publicKeyLengthMax),
      "first address",
      "The first address as your wallet shows it; needed for TON, whose private keys look like public ones",
      textOf(publicKeyLengthMax),
    ),
  },
  reply: z.object({
    addresses: z.array(z.object({ index: z.int(), address: z.string(), path: z.string() })),
    /** Compares the first address with the operator's; absent when none was given. */
    matches: z.optional(z.boolean()),
    /** The phrase is public: anyone could take the payments. */
    published: z.boolean(),
    lines: z.array(z.string()),
  }),
  refusals: ["family", "public key", "private key", "first address"],
});

/** How far an undelivered test letter came. */
export const letterTroubles = ["closed", "refused", "lost"] as const;

export const sendTestLetter = endpoint({
  name: "sendTestLetter",
  method: "POST",
  path: "/api/admin/setup/letter",
  access: "admin",
  session: "begun",
  summary: "Send a letter to the postmaster of a mail domain through our own mail receiver (administrators)",
  ask: { domain: Domain },
  reply: z.object({
    to: z.string(),
    /** The SMTP address, host:port. */
    listener: z.string(),
    arrived: z.boolean(),
    /** From the connection to the stored letter or the failure. */
    milliseconds: z.int(),
    trouble: z.optional(z.enum(letterTroubles)),
    said: z.optional(z.string()),
  }),
  refusals: ["domain name", "domain"],
});

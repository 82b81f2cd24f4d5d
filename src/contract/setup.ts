// The first run: what a shop needs before its first sale. Settings are of the environment; these calls look at them, try
// them, and say which line to write.
import * as z from "zod/mini";
import { domainKinds } from "./catalog.ts";
import { endpoint } from "./endpoint.ts";
import { bounded, DollarText, field, optional, textOf, UnixSeconds } from "./fields.ts";
import { domainLengthMax, publicKeyLengthMax } from "./limits.ts";

/** The steps in the order in which they are taken. */
export const setupSteps = ["admin", "mail", "domain", "stock", "letter", "wallets", "bot"] as const;
/** `warning`: it is set and something of it does not work, or nobody has looked. */
export const stepStates = ["done", "todo", "warning"] as const;

/** Families of keys; chains that share keys share a wallet. */
export const walletFamilies = ["evm", "tron", "ltc", "ton"] as const;

const Step = z.object({
  name: z.enum(setupSteps),
  state: z.enum(stepStates),
  /** The shop cannot sell without it. */
  needed: z.boolean(),
});

/** What was found when it was tried last. */
const Tried = z.object({
  right: z.boolean(),
  /** It was tried as it would be today; false after another key, selector, relay or name of the reception was set. */
  current: z.boolean(),
  at: UnixSeconds,
});

export const setup = endpoint({
  name: "setup",
  method: "GET",
  path: "/api/admin/setup",
  access: "admin",
  summary: "Which steps of the setup are done (administrators)",
  ask: {},
  reply: z.object({
    /** Every step that is needed is done. */
    done: z.boolean(),
    /** It is a demonstration, whose domains and payments are played. */
    demo: z.boolean(),
    steps: z.array(Step),
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
    /** The first of them. */
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
      /** Where letters come in, as host:port. */
      door: z.string(),
      /** How it greets, and what MX records name. */
      name: z.string(),
      /** The name is one that others can look up. */
      named: z.boolean(),
      encrypted: z.boolean(),
      /** The last test letter. */
      letter: z.optional(Tried),
      /** When a letter to postmaster@ came last from outside. */
      outside_at: z.optional(UnixSeconds),
    }),
    wallets: z.array(
      z.object({
        wallet: z.enum(walletFamilies),
        /** The names of its two settings. */
        key: z.string(),
        first: z.string(),
        /** The first address; absent while the wallet is not set. */
        address: z.optional(z.string()),
        /** The chains that are paid to it, and the settings that each of them still needs. */
        chains: z.array(z.object({ chain: z.string(), missing: z.array(z.string()) })),
      }),
    ),
    /** A BTCPay Server serves currencies. */
    btcpay: z.boolean(),
    bot: z.object({
      set: z.boolean(),
      /** Its name, as it said it now; absent when it did not answer. */
      name: z.optional(z.string()),
    }),
  }),
  refusals: ["token", "no access"],
});

const Domain = field(
  bounded(domainLengthMax),
  "domain name",
  "The name of a domain, for example letters.example",
  textOf(domainLengthMax),
);

/** Why a record is not right, or may not be. */
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
  summary: "Look up the DNS records that a domain needs, and check each of them (administrators)",
  ask: { domain: Domain },
  reply: z.object({
    domain: z.string(),
    /** Every record that is needed is right. */
    right: z.boolean(),
    records: z.array(
      z.object({
        kind: z.enum(recordKinds),
        name: z.string(),
        type: z.enum(["MX", "A", "TXT"]),
        /** What to set; absent where only the operator knows it. */
        value: z.optional(z.string()),
        needed: z.boolean(),
        /** `unknown`: the name servers did not answer. `doubt`: it is there, and it may not do what it should. */
        state: z.enum(["right", "missing", "wrong", "doubt", "unknown"]),
        trouble: z.optional(z.enum(recordTroubles)),
        /** What is there. */
        found: z.array(z.string()),
      }),
    ),
  }),
  refusals: ["token", "no access", "domain name"],
});

export const checkWalletKey = endpoint({
  name: "checkWalletKey",
  method: "POST",
  reads: true,
  path: "/api/admin/setup/wallet",
  access: "admin",
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
    /** Whether the first address is the told one; absent when none was told. */
    matches: z.optional(z.boolean()),
    /** It is of a recovery phrase that everybody knows: anybody could take what is paid. */
    published: z.boolean(),
    /** What to write into the environment; nothing before the first address was told and is right. */
    lines: z.array(z.string()),
  }),
  refusals: ["token", "no access", "family", "public key", "private key", "first address"],
});

/** How far a test letter came that did not arrive. */
export const letterTroubles = ["closed", "refused", "lost"] as const;

export const sendTestLetter = endpoint({
  name: "sendTestLetter",
  method: "POST",
  path: "/api/admin/setup/letter",
  access: "admin",
  summary: "Send a letter to the postmaster of a mail domain through our own mail receiver (administrators)",
  ask: { domain: Domain },
  reply: z.object({
    to: z.string(),
    /** The reception, as host:port. */
    door: z.string(),
    arrived: z.boolean(),
    /** From the connection to the letter in the database, or to what went wrong. */
    milliseconds: z.int(),
    trouble: z.optional(z.enum(letterTroubles)),
    /** What the other side said, when it refused. */
    said: z.optional(z.string()),
  }),
  refusals: ["token", "no access", "domain name", "domain"],
});

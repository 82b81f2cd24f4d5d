import * as z from "zod/mini";
import type { Field } from "./endpoint.ts";
import * as limits from "./limits.ts";
import type { Refusal } from "./refusals.ts";

/** A parameter that must be given. */
export function field<Schema extends z.ZodMiniType>(
  schema: Schema,
  refusal: Refusal,
  summary: string,
): Field<Schema> {
  return { schema, refusal, summary, optional: false };
}

/** A parameter that may be left out; an empty one counts as left out. */
export function optional<Schema extends z.ZodMiniType>(
  schema: Schema,
  refusal: Refusal,
  summary: string,
): Field<z.ZodMiniOptional<Schema>> {
  return { schema: z.optional(schema), refusal, summary, optional: true };
}

const digits = /^[0-9]{1,18}$/;

/** An id on the wire: a string of digits, taken back as string or number (clients keep it either way). */
const wireId = z.pipe(
  z.union([z.string(), z.number()]).check(z.refine((id) => digits.test(String(id)), "digits only")),
  z.transform((id: string | number) => BigInt(id)),
);

/** Any text that can be kept: PostgreSQL takes no NUL. */
const text = () => z.string().check(z.regex(/^[^\0]*$/));

const bounded = (max: number) => text().check(z.trim(), z.minLength(1), z.maxLength(max));

/** Printable ASCII without the plus sign, which form encoding turns into a space (spec B §5). */
const passwordPattern = /^[\x20-\x2a\x2c-\x7e]*$/;
const password = z
  .string()
  .check(z.regex(passwordPattern), z.minLength(1), z.maxLength(limits.passwordLengthMax));

// The browser's own rule for type=email, so that page and server agree (HTML Living Standard, "valid e-mail address").
const emailPattern =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;
const emailText = z
  .string()
  .check(z.trim(), z.toLowerCase(), z.maxLength(limits.emailLengthMax), z.regex(emailPattern));

const flagWords = ["0", "1", "false", "true", 0, 1, false, true] as const;
const flag = z.pipe(
  z.literal(flagWords),
  z.transform((word: (typeof flagWords)[number]) => ["1", "true"].includes(String(word))),
);

const wholeNumber = (min: number, max: number, digitsMax = 10) =>
  z.pipe(
    z
      .union([z.string(), z.number()])
      .check(
        z.refine(
          (text) =>
            /^[0-9]+$/.test(String(text)) &&
            String(text).length <= digitsMax &&
            Number(text) >= min &&
            Number(text) <= max,
          `a whole number from ${min} to ${max}`,
        ),
      ),
    z.transform(Number),
  );

// Clients count pages from 0 or from 1: both mean the first.
const pageNumber = z.pipe(
  wholeNumber(0, limits.pageMax, 7),
  z.transform((page: number) => Math.max(1, page)),
);

export const Email = field(emailText, "invalid email", "E-mail address");
export const Password = field(
  password,
  "invalid password",
  "Password, Latin characters without the plus sign",
);
export const Captcha = field(
  bounded(limits.captchaLengthMax),
  "captcha",
  "Solution of the captcha: for ALTCHA the base64 payload made from GET /api/captcha",
);
export const Code = field(
  z.string().check(z.trim(), z.regex(new RegExp(`^[0-9]{${limits.codeDigits}}$`))),
  "invalid code",
  "The six digits from the mail",
);
export const LocalizationField = optional(
  z.string().check(z.trim(), z.toLowerCase(), z.regex(/^[a-z]{2}$/)),
  "localization",
  "Language of the client; the pages send `ru`, as the first shops of this kind did",
);
export const LanguageField = optional(
  z.string().check(z.trim(), z.toLowerCase(), z.regex(/^[a-z]{2}$/)),
  "localization",
  "Language in which we write to the user: en, ru, es, zh, ar or hi",
);

export const Site = field(
  bounded(limits.siteLengthMax),
  "site",
  "Target site: a domain, an address or a well-known short name; `any` takes a letter from any sender; `sandbox-ok` and its like are free, for tests",
);
export const Domains = field(
  bounded(limits.domainListLengthMax),
  "domain",
  "Mail domain, or several (or groups, see aggregators) separated by commas, tried in order",
);
export const Subject = optional(
  z.pipe(
    bounded(limits.subjectLengthMax),
    z.transform((text: string) => text.split(/\s+/u)[0] ?? ""),
  ),
  "subject",
  "A word that the letter's subject must hold; only the first word is kept",
);
export const Regex = optional(
  text().check(z.minLength(1), z.maxLength(limits.regexLengthMax)),
  "regex",
  "RE2 pattern (no lookaround) that the letter's text or its subject must match; its first group (or the whole match) is answered as `value`",
);
export const SoftId = optional(
  z.catch(
    z.optional(
      z.pipe(
        z.string().check(z.regex(digits)),
        z.transform((id: string) => BigInt(id)),
      ),
    ),
    undefined,
  ),
  "request",
  "Soft ID of the program that orders; an unknown one is ignored",
);
export const ClientOrderId = optional(
  z.string().check(z.regex(new RegExp(`^[\\x21-\\x7e]{1,${limits.idempotencyKeyLengthMax}}$`))),
  "client_order_id",
  "Makes a repeat safe: the same value within 24 h answers the same order and charges once (also as header Idempotency-Key)",
);
export const ActivationId = field(
  wireId,
  "no activation",
  "Id of the activation, as /email/order answered it",
);
export const ActivationIdOptional = optional(wireId, "no activation", "Id of the activation");
export const EmailOptional = optional(
  emailText,
  "no activation",
  "The ordered address, together with `site`",
);
export const SiteOptional = optional(
  bounded(limits.siteLengthMax),
  "site",
  "Site of the activation, together with `email`",
);
export const Quantity = optional(
  wholeNumber(1, limits.orderQuantityMax),
  "quantity",
  "How many addresses, 1 to 10: the answer is then a list, of as many as could be had and paid",
);
export const Wait = optional(
  wholeNumber(0, limits.waitSecondsMax),
  "wait",
  "Seconds to wait for the letter, up to 60: answers the moment it is there, at the latest with `wait message`",
);
export const Stats = optional(
  flag,
  "stats",
  "1: with the share of orders that got a letter and the median time to it; an order canceled within a minute is not counted",
);
export const LetterId = field(wireId, "letter", "Id of the letter, as /email/timeline answered it");
export const LetterIdOptional = optional(
  wireId,
  "letter",
  "Which letter of the activation, by the `letter_id` that another call told; the newest if left out",
);
export const LastEventId = optional(
  wireId,
  "last_event_id",
  "Resume after this event (also as header Last-Event-ID)",
);
export const Before = optional(
  z.pipe(
    z.string().check(z.regex(/^[0-9]{1,18}\.-?[0-9]{1,18}$/)),
    z.transform((cursor: string) => {
      const [id = "", balance = ""] = cursor.split(".");
      return { id: BigInt(id), balance: BigInt(balance) };
    }),
  ),
  "before",
  "Where the next page begins: `next` of the page before",
);
export const Book = optional(
  z.literal(["balance", "referrals", "soft", "investor"]),
  "book",
  "Which money: balance (if left out), referrals, soft or investor",
);
export const TokenName = field(
  bounded(limits.nameLengthMax).check(z.regex(/^\P{Cc}*$/u)),
  "name",
  "What the token is for, to tell it from others",
);
export const TokenSites = optional(
  bounded(limits.tokenSitesMax * (limits.siteLengthMax + 1)),
  "sites",
  "Sites that the token may order for, separated by commas; every site if left out",
);

// Dollars as people write them, exact to the ledger's 8 decimals.
const dollarsAsked = z
  .pipe(
    z.union([z.string(), z.number()]),
    z.transform((amount: string | number) => String(amount).trim()),
  )
  .check(
    z.refine(
      (amount) => /^[0-9]{1,6}(\.[0-9]{1,8})?$/.test(amount) && /[1-9]/.test(amount),
      "dollars above 0",
    ),
  );

export const PriceMax = optional(dollarsAsked, "price_max", "The highest price of one order, in dollars");
export const BudgetDay = optional(
  dollarsAsked,
  "budget_day",
  "What the token may spend on one day (UTC), in dollars; refunds of that day give it back",
);
export const ExpiresAt = optional(
  wholeNumber(1, 9_999_999_999),
  "expires_at",
  "When the token stops working, in unix seconds",
);
export const TokenId = field(wireId, "no token", "Id of the limited token");
export const WebhookId = field(wireId, "no webhook", "Id of the webhook");
export const WebhookUrl = field(
  bounded(limits.urlLengthMax),
  "url",
  "Where the events are sent: an https address of a public host",
);
export const WebhookUrlOptional = optional(bounded(limits.urlLengthMax), "url", "Another address");
const eventNames = ["activation", "letter", "balance", "payment"] as const;
export const EventNames = optional(
  z.pipe(
    bounded(200),
    z.pipe(
      z.transform((list: string) => [...new Set(list.split(",").map((name) => name.trim()))]),
      z.array(z.enum(eventNames)),
    ),
  ),
  "events",
  "Which events, separated by commas: activation, letter, balance, payment; all if left out",
);
export const Enabled = optional(flag, "enabled", "1 to switch it on again, 0 to switch it off");
export const DeliveryId = field(
  wireId,
  "no delivery",
  "Id of the delivery, as /user/webhooks/deliveries answered it",
);
export const Preview = optional(flag, "preview", "1: answer the letter itself as an HTML document");
export const Images = optional(
  flag,
  "images",
  "1: also with the pictures that are not in the letter itself; fetching them tells the sender that, when and from where it is read",
);
export const Page = optional(pageNumber, "page", "Page number from 1");
export const Offset = optional(pageNumber, "offset", "Page number from 1");
export const PaymentId = field(wireId, "no payment", "Id of the payment, as /payments/create answered it");

// What answers are made of.

/** An id in an answer: digits in a string, larger than 32 bits (api.md). */
export const IdText = z.string().check(z.regex(digits));
/** An exact amount of dollars in an answer, as a decimal string. */
export const DollarText = z.string().check(z.regex(/^-?[0-9]+\.[0-9]{1,8}$/));
/** A point in time in an answer: unix seconds. */
export const UnixSeconds = z.int();

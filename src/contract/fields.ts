import * as z from "zod/mini";
import { languageCodes } from "../i18n/languages.ts";
import { withoutEdges, type Field, type Form } from "./endpoint.ts";
import { eventNames } from "./event-names.ts";
import * as limits from "./limits.ts";
import type { Refusal } from "./refusals.ts";

export function field<Schema extends z.ZodMiniType>(
  schema: Schema,
  refusal: Refusal,
  summary: string,
  form: Form,
): Field<Schema> {
  return { schema, refusal, summary, form, optional: false };
}

/** Declares an optional parameter; an empty one counts as absent. */
export function optional<Schema extends z.ZodMiniType>(
  schema: Schema,
  refusal: Refusal,
  summary: string,
  form: Form,
): Field<z.ZodMiniOptional<Schema>> {
  return { schema: z.optional(schema), refusal, summary, form, optional: true };
}

export const id: Form = { kind: "id" };
export const flagged: Form = { kind: "flag" };
export const textOf = (max: number): Form => ({ kind: "text", max });
export const wholeOf = (min: number, max: number): Form => ({ kind: "whole", min, max });

const digits = /^[0-9]{1,18}$/;

/** Digits in a string; taken back as string or number. */
export const wireId = z.pipe(
  z.union([z.string(), z.number()]).check(z.refine((id) => digits.test(String(id)), "digits only")),
  z.transform((id: string | number) => BigInt(id)),
);

/** PostgreSQL takes no NUL and no lone surrogate. */
export const text = () => z.string().check(z.regex(/^[^\0\p{Cs}]*$/u));

const bare = z.overwrite(withoutEdges);

/** Without blanks at its edges, with a length limit. */
export const bounded = (max: number) => text().check(bare, z.minLength(1), z.maxLength(max));

/** Printable ASCII without the plus sign, which form encoding turns into a space (spec B §5). */
const passwordPattern = /^[\x20-\x2a\x2c-\x7e]*$/;
const password = z
  .string()
  .check(z.regex(passwordPattern), z.minLength(1), z.maxLength(limits.passwordLengthMax));

// The rule of browsers for type=email (HTML Living Standard, "valid email address").
const emailPattern =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;
const emailText = z
  .string()
  .check(bare, z.toLowerCase(), z.maxLength(limits.emailLengthMax), z.regex(emailPattern));

const flagWords = ["0", "1", "false", "true", 0, 1, false, true] as const;
export const flag = z.pipe(
  z.literal(flagWords),
  z.transform((word: (typeof flagWords)[number]) => ["1", "true"].includes(String(word))),
);

export const wholeNumber = (min: number, max: number, digitsMax = 10) =>
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

// Clients count pages from 0 or 1: both mean the first.
const pageNumber = z.pipe(
  wholeNumber(0, limits.pageMax, 7),
  z.transform((page: number) => Math.max(1, page)),
);

export const Email = field(emailText, "invalid email", "Email address", {
  kind: "email",
  max: limits.emailLengthMax,
});
export const Password = field(
  password,
  "invalid password",
  "Password, Latin characters without the plus sign",
  { kind: "password", max: limits.passwordLengthMax },
);
export const Captcha = field(
  bounded(limits.captchaLengthMax),
  "captcha",
  "Captcha solution: for ALTCHA, the base64 payload made from GET /api/captcha",
  { kind: "captcha", max: limits.captchaLengthMax },
);
export const LoginCaptcha = optional(
  bounded(limits.captchaLengthMax),
  "captcha",
  "Captcha solution, which the pages send when you sign in with a token; if given, it must be right",
  { kind: "captcha", max: limits.captchaLengthMax },
);
export const KeepPrograms = optional(
  flag,
  "request",
  "1: keep the account’s limited tokens and webhooks; otherwise they end",
  flagged,
);
export const Code = field(
  z
    .string()
    .check(bare, z.regex(new RegExp(`^([0-9]{${limits.codeDigits}}|[A-Za-z]{${limits.linkLetters}})$`))),
  "invalid code",
  "The six digits from the email, or the letters of the link in it",
  { kind: "digits", count: limits.codeDigits },
);
export const LocalizationField = optional(
  z.string().check(bare, z.toLowerCase(), z.regex(/^[a-z]{2}$/)),
  "localization",
  "Language of the client; the pages send `ru`, as the first shops of this kind did",
  textOf(2),
);
export const LanguageField = optional(
  z.string().check(bare, z.toLowerCase(), z.regex(/^[a-z]{2}$/)),
  "localization",
  "Language in which we write to the user",
  { kind: "choice", of: languageCodes },
);

export const Site = field(
  bounded(limits.siteLengthMax),
  "site",
  "Target site: a domain, a URL or a well-known short name; `any` accepts a letter from any sender, unless it could belong to another buyer; `sandbox-ok` and similar are free test sites",
  textOf(limits.siteLengthMax),
);
export const Domains = field(
  bounded(limits.domainListLengthMax),
  "domain",
  "Mail domain, or several (or groups, see aggregators) separated by commas, tried in order",
  textOf(limits.domainListLengthMax),
);
export const Subject = optional(
  z.pipe(
    bounded(limits.subjectLengthMax),
    z.transform((text: string) => text.split(/\s+/u)[0] ?? ""),
  ),
  "subject",
  "A word that the letter’s subject must contain; only the first word is used",
  textOf(limits.subjectLengthMax),
);
export const Regex = optional(
  text().check(z.minLength(1), z.maxLength(limits.regexLengthMax)),
  "regex",
  "RE2 pattern (no lookaround) that the letter’s text or its subject must match; its first group (or the whole match) is returned as `value`; `^` and `$` also match at the ends of a line",
  { kind: "regex", max: limits.regexLengthMax },
);
export const SoftId = optional(
  z.catch(
    z.optional(
      z.pipe(
        z.string().check(z.trim(), z.regex(digits)),
        z.transform((id: string) => BigInt(id)),
      ),
    ),
    undefined,
  ),
  "request",
  "Soft ID of the program that orders; unknown ones are ignored",
  id,
);
/** Spec O §5. */
export const referralWordPattern = new RegExp(`^[A-Za-z0-9_-]{1,${limits.referralWordLengthMax}}$`);
export const referralCookie = "ref_code";
const referralWord = z.string().check(bare, z.regex(referralWordPattern));

export const ReferralWord = field(
  referralWord,
  "word",
  "Word of the referral link; upper and lower case are the same",
  textOf(limits.referralWordLengthMax),
);
export const ReferredBy = optional(
  referralWord,
  "word",
  "Referral word of the person who invited the user, used instead of the ref_code cookie; unknown words are ignored",
  textOf(limits.referralWordLengthMax),
);
export const idempotencyKey = z
  .string()
  .check(bare, z.regex(new RegExp(`^[\\x21-\\x7e]{1,${limits.idempotencyKeyLengthMax}}$`)));
export const ClientOrderId = optional(
  idempotencyKey,
  "client_order_id",
  "Makes a retry safe: the same value within 24 hours returns the same order and charges once (also as the header Idempotency-Key)",
  textOf(limits.idempotencyKeyLengthMax),
);
export const ActivationId = field(wireId, "no activation", "Id of the activation, from /email/order", id);
export const ActivationIdOptional = optional(wireId, "no activation", "Id of the activation", id);
export const EmailOptional = optional(
  emailText,
  "no activation",
  "The ordered address, together with `site`",
  { kind: "email", max: limits.emailLengthMax },
);
export const SiteOptional = optional(
  bounded(limits.siteLengthMax),
  "site",
  "Site of the activation, together with `email`",
  textOf(limits.siteLengthMax),
);
export const Quantity = optional(
  wholeNumber(1, limits.orderQuantityMax),
  "quantity",
  "How many addresses, 1 to 10: the answer is then a list of every address that could be ordered and paid for",
  wholeOf(1, limits.orderQuantityMax),
);
export const Wait = optional(
  wholeNumber(0, limits.waitSecondsMax),
  "wait",
  "Seconds to wait for the letter, up to 60: answers as soon as it arrives, or with `wait message` when time runs out, after 55 at most",
  wholeOf(0, limits.waitSecondsMax),
);
export const Stats = optional(
  flag,
  "stats",
  "1: also return the share of orders that received a letter and the median wait; orders canceled within a minute are not counted",
  flagged,
);
export const LetterId = field(wireId, "letter", "Id of the letter, from /email/timeline", id);
export const CodeChoice = field(
  bounded(32),
  "no candidate",
  "One of the `code_candidates` of the letter, or its `code`",
  textOf(32),
);
export const LetterIdOptional = optional(
  wireId,
  "letter",
  "Which letter of the activation: a `letter_id` from another call; the newest if omitted",
  id,
);
export const LastEventId = optional(
  wireId,
  "last_event_id",
  "Resume after this event (also as the header Last-Event-ID)",
  id,
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
  "Where the next page begins: `next` of the previous page",
  { kind: "cursor" },
);
export const books = ["balance", "referrals", "soft", "investor"] as const;

export const Book = optional(
  z.literal(books),
  "book",
  "Which money: balance (if omitted), referrals, soft or investor",
  { kind: "choice", of: books },
);
export const UserId = field(wireId, "token", "Id of the account; the token must be its own", id);
export const AnyUserId = field(wireId, "no user", "Id of an account", id);
export const AvatarIndex = field(
  wholeNumber(0, limits.avatarMax, 1),
  "avatar",
  "Which of the six pictures, 0 to 5",
  wholeOf(0, limits.avatarMax),
);
export const TokenName = field(
  bounded(limits.nameLengthMax).check(z.regex(/^\P{Cc}*$/u)),
  "name",
  "What the token is for, to tell it apart from others",
  textOf(limits.nameLengthMax),
);
const tokenSitesLengthMax = limits.tokenSitesMax * (limits.siteLengthMax + 1);

export const TokenSites = optional(
  bounded(tokenSitesLengthMax),
  "sites",
  "Sites that the token may order for, separated by commas; every site if omitted",
  textOf(tokenSitesLengthMax),
);

/** Dollars with at most the ledger's 8 decimals. */
export const dollarsAsked = z
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

export const spendable: Form = { kind: "dollars", max: 999_999, decimals: 8 };

const dollarsOptional = (refusal: Refusal, summary: string) =>
  optional(dollarsAsked, refusal, summary, spendable);

export const PriceMax = dollarsOptional("price_max", "Highest price of one order, in dollars");
export const MaxPrice = dollarsOptional(
  "max_price",
  "Highest price to pay for each order, in dollars: where it is higher now, nothing is ordered",
);
export const BudgetDay = dollarsOptional(
  "budget_day",
  "What the token may spend per day (UTC), in dollars; refunds on the same day are added back",
);
const timeMax = 9_999_999_999;

export const ExpiresAt = optional(
  wholeNumber(1, timeMax),
  "expires_at",
  "When the token stops working, in unix seconds",
  { kind: "time", min: 1, max: timeMax },
);
export const SessionId = field(wireId, "no session", "Id of the session", id);
export const TokenId = field(wireId, "no token", "Id of the limited token", id);
export const WebhookId = field(wireId, "no webhook", "Id of the webhook", id);
export const WebhookUrl = field(
  bounded(limits.urlLengthMax),
  "url",
  "Where to send the events: an https address of a public host",
  { kind: "url", max: limits.urlLengthMax },
);
export const WebhookUrlOptional = optional(bounded(limits.urlLengthMax), "url", "Another address", {
  kind: "url",
  max: limits.urlLengthMax,
});
export const EventNames = optional(
  z.pipe(
    bounded(200),
    z.pipe(
      z.transform((list: string) => [...new Set(list.split(",").map((name) => name.trim()))]),
      z.array(z.enum(eventNames)),
    ),
  ),
  "events",
  "Which events, separated by commas; all if omitted",
  { kind: "choices", of: eventNames },
);
export const Enabled = optional(flag, "enabled", "1 to switch it on again, 0 to switch it off", flagged);
export const DeliveryId = field(
  wireId,
  "no delivery",
  "Id of the delivery, from /user/webhooks/deliveries",
  id,
);
export const Preview = optional(flag, "preview", "1: return the letter itself as an HTML document", flagged);
export const Images = optional(
  flag,
  "images",
  "1: also load images that are not part of the letter; this tells the sender when and from where it is read",
  flagged,
);
export const Page = optional(pageNumber, "page", "Page number from 1", wholeOf(1, limits.pageMax));
export const Offset = optional(pageNumber, "offset", "Page number from 1", wholeOf(1, limits.pageMax));
export const BatchLimit = optional(
  wholeNumber(1, limits.batchesMax),
  "request",
  "How many batches, at most 100; 10 if omitted",
  wholeOf(1, limits.batchesMax),
);
export const BatchOffset = optional(
  wholeNumber(0, limits.pageMax),
  "request",
  "How many batches to skip: `next_offset` of the previous answer",
  wholeOf(0, limits.pageMax),
);
export const PaymentId = field(wireId, "no payment", "Id of the payment, from /payments/create", id);

// What answers are made of.

/** Digits in a string, larger than 32 bits. */
export const IdText = z.string().check(z.regex(digits));
/** Exact dollars as a decimal string. */
export const DollarText = z.string().check(z.regex(/^-?[0-9]+\.[0-9]{1,8}$/));
export const UnixSeconds = z.int();

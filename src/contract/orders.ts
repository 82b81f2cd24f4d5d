import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import {
  ActivationId,
  ActivationIdOptional,
  ClientOrderId,
  CodeChoice,
  Domains,
  DollarText,
  EmailOptional,
  IdText,
  Images,
  LetterId,
  LetterIdOptional,
  Offset,
  LoginCaptcha,
  MaxPrice,
  Page,
  Preview,
  Quantity,
  Regex,
  Site,
  SiteOptional,
  SoftId,
  Subject,
  UnixSeconds,
  Wait,
} from "./fields.ts";
import { Cut, Found, filterAsk, gone, listAsk, ListedMessage, ListedMessages } from "./lists.ts";
import { noteShape, OrderNote } from "./orders/notes.ts";

export const Ordered = z.object({
  id: IdText,
  email: z.string(),
  site: z.string(),
  domain: z.string(),
  price: z.number(),
  balance: DollarText,
  expires_at: UnixSeconds,
  soft_id: z.optional(IdText.check(z.describe("As it was read; absent where none was given"))),
});

/** With `quantity`: the orders, and why there are fewer than asked for. */
export const OrderedList = z.object({
  data: z.array(Ordered),
  balance: DollarText,
  refused: z.optional(z.string()),
});

/** What a buyer may ask of any order, and how it is refused. */
const wishes = {
  subject: Subject,
  regex: Regex,
  max_price: MaxPrice,
  note: OrderNote,
  client_order_id: ClientOrderId,
};
const wishRefusals = ["subject", "regex", "max_price", "note", "client_order_id", "key used"] as const;

export const orderEmail = endpoint({
  name: "orderEmail",
  method: "GET",
  alsoPost: true,
  path: "/email/order",
  access: "active",
  limited: true,
  caution: "spends",
  summary: "Order one address for a site, or several with `quantity`",
  ask: {
    site: Site,
    domain: Domains,
    ...wishes,
    soft_id: SoftId,
    quantity: Quantity,
  },
  reply: z.union([Ordered, OrderedList]),
  refusals: [
    "not confirmed",
    "token",
    "site",
    "domain",
    ...wishRefusals,
    "quantity",
    "no emails",
    "too many open",
    "price too high",
    "no balance",
  ],
});

/** Metadata of an attachment; the file is not kept. */
export const Attachment = z.object({
  name: z.string(),
  type: z.string().check(z.describe("Media type that the letter states")),
  size: z.int().check(z.describe("In bytes")),
});
const Attachments = z.array(Attachment).check(z.describe("Files of the letter: listed, not stored"));
/** Absent when nothing was found or the letter is deleted. */
const found = {
  code: z.optional(z.string().check(z.describe("As it is typed: digits are 0 to 9 whatever the script"))),
  link: z.optional(z.string()),
  value: z.optional(z.string()),
  code_confidence: z.optional(
    z
      .literal(["sure", "likely", "unsure", "chosen"])
      .check(z.describe("How sure the code is; chosen: the buyer said so (/email/choosecode)")),
  ),
  code_candidates: z.optional(
    z
      .array(z.string())
      .check(
        z.describe(
          "What else may be the code, the likeliest first; absent when the code is sure or nothing else looks like one",
        ),
      ),
  ),
};

export const letterShape = {
  letter_id: IdText,
  sender: z.string(),
  subject: z.string(),
  received_at: UnixSeconds,
  ...found,
};

/** Fields of an activation in lists, events and webhooks; `status` is 0 pending, 1 received, -1 canceled or expired. */
export const activationShape = {
  activation_id: IdText,
  from: z.string(),
  email: z.string(),
  status: z.literal([-1, 0, 1]),
  price: z.number(),
  created_at: UnixSeconds,
  expires_at: UnixSeconds,
  ...noteShape,
};

export const ReadLetter = z.object({
  message: z
    .string()
    .check(
      z.describe(`The letter as HTML that can do no harm, or its text escaped and preformatted; ${gone}`),
    ),
  ...letterShape,
  attachments: Attachments,
  remote_images: z
    .int()
    .check(z.describe("How many images are not in the letter itself and are omitted without images=1")),
  messages: z.int().check(z.describe("How many letters the activation has")),
  not_from_site: z.optional(
    z
      .literal(["possible", "review", "refunded", "rejected"])
      .check(
        z.describe(
          "Whether /email/notfromsite accepts a complaint (possible), or its outcome; absent where there can be none",
        ),
      ),
  ),
});

export const getMessage = endpoint({
  name: "getMessage",
  method: "GET",
  alsoPost: true,
  reads: true,
  path: "/email/getmessage",
  access: "user",
  limited: true,
  summary: "Read the newest letter of an activation, or any other of its letters; reading does not use it up",
  ask: { id: ActivationId, letter: LetterIdOptional, preview: Preview, images: Images, wait: Wait },
  reply: ReadLetter,
  refusals: [
    "no activation",
    "letter",
    "preview",
    "images",
    "wait",
    "wait message",
    "activation canceled",
    "no letter",
  ],
  carried: "html",
});

export const letterSource = endpoint({
  name: "letterSource",
  method: "GET",
  alsoPost: true,
  reads: true,
  path: "/email/lettersource",
  access: "user",
  limited: true,
  summary: "Read a letter of an activation as it came, headers and files included, while it is still stored",
  ask: { id: ActivationId, letter: LetterIdOptional },
  reply: z.object({}),
  refusals: ["no activation", "letter", "wait message", "activation canceled", "no letter"],
  carried: "eml",
});

export const reorderEmail = endpoint({
  name: "reorderEmail",
  method: "GET",
  alsoPost: true,
  path: "/email/reorder",
  access: "active",
  limited: true,
  caution: "spends",
  summary: "Wait for another letter at an address that has received one, by id or by email and site",
  ask: {
    id: ActivationIdOptional,
    email: EmailOptional,
    site: SiteOptional,
    ...wishes,
  },
  reply: Ordered,
  refusals: [
    "not confirmed",
    "token",
    "no activation",
    "site",
    ...wishRefusals,
    "reorder waits",
    "email banned",
    "price too high",
    "no balance",
  ],
});

export const cancelEmail = endpoint({
  name: "cancelEmail",
  method: "GET",
  alsoPost: true,
  path: "/email/cancel",
  access: "user",
  idempotent: true,
  limited: true,
  caution: "ends",
  summary:
    "Cancel an activation: you are refunded at once if no letter has arrived; otherwise it only leaves the list",
  ask: { id: ActivationId },
  reply: z.object({ value: z.literal("activation canceled"), balance: DollarText }),
  refusals: ["no activation", "activation already canceled"],
});

export const notFromSite = endpoint({
  name: "notFromSite",
  method: "GET",
  alsoPost: true,
  path: "/email/notfromsite",
  access: "user",
  idempotent: true,
  limited: true,
  caution: "ends",
  summary:
    "Report that the letter of an activation is not from its site: the price is refunded, or support reviews it first",
  ask: { id: ActivationId },
  reply: z.object({ value: z.literal(["refunded", "under review"]), balance: DollarText }),
  refusals: [
    "no activation",
    "wait message",
    "activation canceled",
    "letter proved",
    "letter not checked",
    "not complainable",
    "already complained",
  ],
});

export const chooseCode = endpoint({
  name: "chooseCode",
  method: "GET",
  alsoPost: true,
  path: "/email/choosecode",
  access: "user",
  idempotent: true,
  limited: true,
  summary:
    "Say which of the `code_candidates` of a letter is its code; later letters of the site prefer what several buyers chose",
  ask: { id: ActivationId, code: CodeChoice, letter: LetterIdOptional },
  reply: z.object({ letter_id: IdText, ...found }),
  refusals: ["no activation", "letter", "no letter", "activation canceled", "no candidate"],
});

export const Activation = z.object({
  ...activationShape,
  message: ListedMessage,
  attachments: Attachments,
  ...found,
  /** Of the newest letter, as above; absent without one. */
  letter_id: z.optional(IdText),
  sender: z.optional(z.string()),
  subject: z.optional(z.string()),
  received_at: z.optional(UnixSeconds),
});

export const activations = endpoint({
  name: "activations",
  method: "GET",
  path: "/user/activations",
  access: "user",
  limited: true,
  summary: "Activations that are waiting for a letter or have received one, newest first, ten per page",
  ask: { page: Page, captcha: LoginCaptcha, ...listAsk },
  reply: z.object({
    data: z.array(Activation),
    pages: z.int(),
    waiting: z.optional(
      z.int().check(z.describe("How many activations of the account wait for a letter, on all pages")),
    ),
    found: Found,
    cut: Cut,
  }),
  refusals: ["page", "captcha", "request"],
});

/** One order; `messages` and `letters` have the same order, newest first. */
export const HistoryItem = z.object({
  id: IdText,
  from: z.string(),
  email: z.string(),
  status: z.literal(["ok", "wait", "cancel"]),
  /** How an order without a letter ended. */
  ended: z.optional(z.literal(["canceled", "expired"])),
  messages: ListedMessages,
  letters: z.array(z.object({ ...letterShape, attachments: Attachments })),
  price: z.number(),
  ...noteShape,
  created_at: UnixSeconds,
  received_at: UnixSeconds,
});

export const history = endpoint({
  name: "history",
  method: "GET",
  path: "/email/history",
  access: "user",
  limited: true,
  summary: "Every order, newest first, ten per page, grouped by day (YYYY-MM-DD, UTC)",
  ask: { offset: Offset, ...listAsk },
  reply: z.object({
    data: z.record(z.string(), z.array(HistoryItem)),
    next_page: z.boolean(),
    pages: z.int(),
    found: Found,
    cut: Cut,
  }),
  refusals: ["offset", "request"],
});

export const historyFile = endpoint({
  name: "historyFile",
  method: "GET",
  path: "/email/history.csv",
  access: "user",
  summary: "The same as a CSV file, complete and streamed, with the codes that are still stored",
  ask: filterAsk,
  reply: z.object({}),
  refusals: ["request"],
  carried: "csv",
});

export const releaseLetter = endpoint({
  name: "releaseLetter",
  method: "GET",
  alsoPost: true,
  path: "/email/release",
  access: "user",
  limited: true,
  caution: "spends",
  summary:
    "Accept a letter from the site that failed only the subject word or the regex, while the activation is open",
  ask: { id: ActivationId, letter: LetterId },
  reply: ReadLetter,
  refusals: ["no activation", "letter", "no letter", "activation canceled"],
});

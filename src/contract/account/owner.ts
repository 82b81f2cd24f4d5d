// Beyond the specification: what the owner of an account does with it, in a session.
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { DollarText, Email, field, IdText, optional, Password, UnixSeconds } from "../fields.ts";
import { codeDigits, exportTimeoutSeconds } from "../limits.ts";

const digits = z.string().check(z.trim(), z.regex(new RegExp(`^[0-9]{${codeDigits}}$`)));
const sixDigits = { kind: "digits", count: codeDigits } as const;

export const OldEmailCode = field(
  digits,
  "invalid code",
  "The six digits from the email to the old address",
  sixDigits,
);
export const NewEmailCode = field(
  digits,
  "invalid code",
  "The six digits from the email to the new address",
  sixDigits,
);
export const GiveUp = optional(
  z.string().check(z.trim(), z.regex(/^(?=.*[1-9])[0-9]{1,10}(\.[0-9]{1,8})?$/)),
  "give_up",
  "The dollars that are left in the account and are given up: exactly the give_up of /user/closing, or omitted when nothing is left",
  { kind: "dollars", max: 9_999_999_999, decimals: 8 },
);

export const setPassword = endpoint({
  name: "setPassword",
  method: "POST",
  path: "/user/password",
  access: "user",
  session: "proved",
  caution: "ends",
  summary:
    "Set a new password with the current one; all other sessions end, and programs keep the token, limited tokens and webhooks",
  ask: { current: Password, password: Password },
  reply: z.object({ message: z.string(), ended: z.int() }),
  refusals: ["invalid password", "password too short", "password too common"],
});

export const changeEmail = endpoint({
  name: "changeEmail",
  method: "POST",
  path: "/user/email",
  access: "active",
  session: "proved",
  spaced: true,
  summary:
    "Begin to change the email address: one code is sent to the old address and another one to the new; refused with `try again N seconds` within a minute of the last ones",
  ask: { email: Email },
  reply: z.object({ message: z.string() }),
  refusals: ["invalid email", "email already registered"],
});

export const confirmEmail = endpoint({
  name: "confirmEmail",
  method: "POST",
  path: "/user/email/confirm",
  access: "active",
  session: "begun",
  caution: "ends",
  summary:
    "Change the email address with both codes; sessions and programs stay, and for 7 days an email to the old address can undo it",
  ask: { email: Email, code: OldEmailCode, new_code: NewEmailCode },
  reply: z.object({ message: z.string() }),
  refusals: ["invalid email", "invalid code", "token expired", "email already registered"],
});

const Row = z.looseObject({});

/** What is known of an account, without what opens it: no token, no hash, no secret. Times are unix seconds, money decimal strings. */
export const OwnData = z.object({
  made_at: UnixSeconds,
  account: Row,
  sessions: z.array(Row),
  tokens: z.array(Row),
  webhooks: z.array(Row),
  telegram_chats: z.array(Row),
  notices: z.array(Row),
  identifiers: z.array(Row),
  code_choices: z.array(Row),
  questions: z.array(Row),
  skipped_domains: z.array(Row),
  security: z.array(Row),
  batches: z.array(Row),
  withdrawals: z.array(Row),
  statement: z.object({
    balance: z.array(Row),
    referrals: z.array(Row),
    soft: z.array(Row),
    investor: z.array(Row),
  }),
  payments: z.array(Row),
  backorders: z.array(Row),
  orders: z.array(z.looseObject({ id: IdText, letters: z.array(Row) })),
});

export const ownData = endpoint({
  name: "ownData",
  method: "GET",
  path: "/user/data.json",
  access: "user",
  session: "proved",
  timeoutSeconds: exportTimeoutSeconds,
  summary:
    "Everything that the shop keeps of the account as one JSON file, streamed: the account, sessions, names and limits of tokens, webhooks, Telegram, emails about the account, statement, payments, and orders with their letters as far as they are kept; no secrets",
  ask: {},
  reply: OwnData,
  carried: "bare",
});

/** What keeps an account open. */
export const openThings = [
  "orders",
  "payments",
  "reports",
  "earnings",
  "batches",
  "withdrawals",
  "role",
] as const;
export type OpenThing = (typeof openThings)[number];

export const Closing = z.object({
  /** How many of each; none of what is not here. */
  open: z.partialRecord(z.literal(openThings), z.int()),
  left: z.object({
    balance: DollarText,
    referrals: DollarText,
    soft: DollarText,
    investor: DollarText,
  }),
  give_up: DollarText,
});

export const closing = endpoint({
  name: "closing",
  method: "GET",
  path: "/user/closing",
  access: "user",
  session: "begun",
  summary:
    "What closing the account would mean now: what is still open and must end first, and the money that is left and would be given up",
  ask: {},
  reply: z.object({ data: Closing }),
});

export const closeAccount = endpoint({
  name: "closeAccount",
  method: "POST",
  path: "/user/close",
  access: "user",
  session: "proved",
  caution: "ends",
  timeoutSeconds: exportTimeoutSeconds,
  summary:
    "Close the account for ever: its name, address, password, tokens, sessions, webhooks, Telegram link and the bodies of its letters go; orders, payments and the books stay without the name",
  ask: { email: Email, give_up: GiveUp },
  reply: z.object({ message: z.string() }),
  refusals: ["invalid email", "account in use", "give_up"],
});

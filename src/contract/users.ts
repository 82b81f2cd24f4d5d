import * as z from "zod/mini";
import { endpoint, officeRoles } from "./endpoint.ts";
import {
  AnyUserId,
  AvatarIndex,
  Captcha,
  Code,
  DollarText,
  Email,
  IdText,
  KeepPrograms,
  LanguageField,
  LocalizationField,
  Password,
  ReferredBy,
  UnixSeconds,
  UserId,
} from "./fields.ts";
import { avatarMax, registrationTimeoutSeconds } from "./limits.ts";
import { ReferralEarnings, SoftEarnings } from "./partners.ts";

export const authorize = endpoint({
  name: "authorize",
  method: "POST",
  path: "/user/authorize",
  access: "anyone",
  summary:
    "Sign in with email and password: begins a session, whose token ends after 30 days without use and after 90 days; programs use the token of the account",
  ask: { email: Email, password: Password, captcha: Captcha },
  reply: z.object({ message: z.string(), data: z.object({ token: z.string() }) }),
  refusals: ["invalid email", "invalid password", "captcha", "user not found", "second factor"],
});

/** Multipart as in the specification; form and JSON bodies are taken too. */
export const registration = endpoint({
  name: "registration",
  method: "POST",
  path: "/user/registration",
  access: "anyone",
  body: "multipart",
  timeoutSeconds: registrationTimeoutSeconds,
  summary: "Create an account; we send a six-digit code to the email address",
  ask: {
    email: Email,
    password: Password,
    localization: LocalizationField,
    language: LanguageField,
    recaptcha: Captcha,
    ref: ReferredBy,
  },
  reply: z.object({ message: z.string(), token: z.string(), data: z.object({ token: z.string() }) }),
  refusals: [
    "invalid email",
    "invalid password",
    "password too short",
    "password too common",
    "localization",
    "captcha",
    "word",
    "email already registered",
  ],
});

export const activate = endpoint({
  name: "activate",
  method: "GET",
  alsoPost: true,
  path: "/user/activate",
  access: "user",
  summary: "Activate the account with the code from the email",
  ask: { code: Code },
  reply: z.object({ message: z.string() }),
  refusals: ["invalid code", "token expired"],
});

export const sendNewCode = endpoint({
  name: "sendNewCode",
  method: "GET",
  alsoPost: true,
  path: "/user/sendnewcode",
  access: "user",
  summary: "Send a new activation code; refused with `try again N seconds` within a minute of the last one",
  ask: {},
  reply: z.object({ message: z.string() }),
  refusals: ["account already activated"],
  spaced: true,
});

export const sendCodeReset = endpoint({
  name: "sendCodeReset",
  method: "GET",
  alsoPost: true,
  path: "/user/sendCodeReset",
  access: "anyone",
  summary:
    "Send a code to set a new password; refused with `try again N seconds` within a minute of the last one",
  ask: { email: Email, captcha: Captcha },
  reply: z.object({ message: z.string() }),
  refusals: ["invalid email", "captcha", "user not found"],
  spaced: true,
});

export const changePassword = endpoint({
  name: "changePassword",
  method: "GET",
  alsoPost: true,
  path: "/user/changepassword",
  access: "anyone",
  caution: "ends",
  summary:
    "Set a new password with the code from the email; the account gets a new token, its chat with the bot is unlinked, and its limited tokens and webhooks end",
  ask: {
    email: Email,
    code: Code,
    password: Password,
    keep_programs: KeepPrograms,
    language: LanguageField,
  },
  reply: z.object({ message: z.string() }),
  refusals: [
    "invalid email",
    "invalid code",
    "invalid password",
    "password too short",
    "password too common",
    "token expired",
    "localization",
    "request",
  ],
});

/** Beyond the specification: the link in a mail that told of a change. */
export const disown = endpoint({
  name: "disown",
  method: "POST",
  path: "/user/disown",
  access: "anyone",
  caution: "ends",
  summary:
    "“This was not me”: with the code in the link of an email about the account, end all access to it; the token is replaced, limited tokens and webhooks end, the chat with the bot is unlinked, the password stops working, and a code to set a new one is emailed",
  ask: { email: Email, code: Code },
  reply: z.object({ message: z.string() }),
  refusals: ["invalid email", "invalid code", "token expired"],
});

/** One of the six preset pictures. */
export const Avatar = z.int().check(z.gte(0), z.lte(avatarMax));

/** The account (spec B §3, O §3). */
export const UserInformation = z.object({
  id: IdText,
  name: z.string(),
  email: z.string(),
  avatar: Avatar,
  active: z.boolean(),
  token: z.string(),
  balance: DollarText,
  is_investor: z.boolean(),
  is_admin: z.boolean(),
  /** Of an administrator. */
  office_role: z.optional(z.literal(officeRoles)),
  telegramConfirmed: z.boolean(),
  socials: z.array(z.object({ is_auth: z.literal([0, 1]) })),
  mode: z.literal(["user", "investor", "partner"]),
  referrals: ReferralEarnings,
  soft: SoftEarnings,
  created_at: z.int(),
});

export const information = endpoint({
  name: "information",
  method: "GET",
  path: "/user/information",
  access: "user",
  summary: "The account: name, activation, token, balance",
  ask: {},
  reply: z.object({ data: UserInformation }),
});

export const balance = endpoint({
  name: "balance",
  method: "GET",
  path: "/user/balance",
  access: "user",
  limited: true,
  summary: "The balance in dollars, as a decimal string",
  ask: {},
  reply: z.object({ balance: DollarText }),
});

/** Beyond the specification: replaces a token that others may know. */
export const replaceToken = endpoint({
  name: "replaceToken",
  method: "POST",
  path: "/user/replacetoken",
  access: "user",
  session: "proved",
  caution: "ends",
  summary:
    "Replace the account’s token: every program that uses the old one ends at once; sessions and limited tokens stay",
  ask: {},
  reply: z.object({ message: z.string(), data: z.object({ token: z.string() }) }),
});

/** Beyond the specification: the link has no API token, works once and expires. */
export const telegramLink = endpoint({
  name: "telegramLink",
  method: "POST",
  path: "/user/telegramlink",
  access: "user",
  session: "proved",
  summary: "A link that opens the Telegram bot and confirms the account there; it works once",
  ask: {},
  reply: z.object({ data: z.object({ link: z.string(), expires_at: UnixSeconds }) }),
  refusals: ["no bot", "bot unreachable"],
});

/** A signed proof-of-work challenge of ALTCHA, without the envelope. */
export const captchaChallenge = endpoint({
  name: "captchaChallenge",
  method: "GET",
  path: "/api/captcha",
  access: "anyone",
  summary: "A proof-of-work challenge for the captcha fields (ALTCHA)",
  ask: {},
  reply: z.looseObject({ parameters: z.looseObject({}), signature: z.optional(z.string()) }),
  carried: "bare",
});

export const avatar = endpoint({
  name: "avatar",
  method: "GET",
  path: "/api/avatar/{id}",
  access: "anyone",
  summary: "Which of the six pictures an account uses; 0 also for an id that does not exist",
  ask: { id: AnyUserId },
  reply: z.object({ avatar: Avatar }),
  refusals: ["no user"],
});

export const chooseAvatar = endpoint({
  name: "chooseAvatar",
  method: "GET",
  alsoPost: true,
  path: "/api/avatar/",
  access: "user",
  idempotent: true,
  summary: "Choose the picture of the account",
  ask: { userId: UserId, avatar: AvatarIndex },
  reply: z.object({ avatar: Avatar }),
  refusals: ["avatar"],
});

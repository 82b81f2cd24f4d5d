import { passwordLengthMin } from "../../contract/limits.ts";
import { isCommonPassword } from "../../contract/passwords.ts";
import type { Holes, PublicKey } from "../../i18n/t.ts";

/** A text to show: a key with its holes. */
export interface FieldError {
  key: PublicKey;
  holes?: Holes;
}

const latin = /^[\x20-\x7e]*$/;

/** What is wrong with a password, if anything (spec B §5). */
export function passwordError(password: string): PublicKey | undefined {
  if (!latin.test(password)) return "auth.error.passwordLatinOnly";
  if (password.includes("+")) return "auth.error.passwordNoPlus";
  if (password.length < passwordLengthMin) return "auth.error.passwordShort";
  return undefined;
}

/** The same of a field that must not be empty: then it is asked for. */
export const requiredPasswordError = (password: string): PublicKey | undefined =>
  password === "" ? "auth.error.passwordEmpty" : passwordError(password);

/** What is wrong with a password to be chosen: also one that everybody tries first. */
export function newPasswordError(password: string, email: string): PublicKey | undefined {
  const wrong = requiredPasswordError(password);
  return wrong ?? (isCommonPassword(password, email) ? "auth.error.passwordCommon" : undefined);
}

/** What is wrong with the repeated password, if anything (spec B §5). */
export function repeatError({
  password,
  repeat,
}: {
  password: string;
  repeat: string;
}): PublicKey | undefined {
  if (password === repeat) return undefined;
  return repeat === "" ? "auth.error.repeatEmpty" : "auth.error.passwordMatch";
}

/** While typing, an empty field is no fault yet. */
export function passwordErrorWhileTyping(password: string): PublicKey | undefined {
  return password === "" ? undefined : passwordError(password);
}

/** The seconds of a `try again N seconds` refusal (spec B §4). */
export function waitSeconds(value: string): number | undefined {
  const found = /try again (\d+) seconds/i.exec(value)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Why no code was sent: waits are told as they are, anything else is an error of sending (spec B §8). */
export function resendError(value: string, retryAfter?: number): FieldError {
  const mustWait = waitSeconds(value) !== undefined || value === "limit";
  return mustWait ? refusalError("activate", value, retryAfter) : { key: "auth.error.send" };
}

const shared: Record<string, PublicKey> = {
  "invalid email": "auth.error.invalidEmail",
  "invalid password": "auth.error.invalidPassword",
  "account not activated": "auth.error.notActivated",
  "password too short": "auth.error.passwordShort",
  "password too common": "auth.error.passwordCommon",
  "user not found": "auth.error.userNotFound",
  "invalid code": "auth.error.invalidCode",
  captcha: "auth.error.captcha",
  connection: "auth.error.connection",
  server: "auth.error.server",
};

const own = {
  login: { texts: {}, other: "auth.error.login" },
  register: {
    texts: {
      "email already registered": "auth.error.registered",
      "invalid password": "auth.error.passwordLatinOnly",
    },
    other: "auth.error.register",
  },
  activate: { texts: { "invalid code": "auth.error.activation" }, other: "auth.error.activationOther" },
  reset: { texts: { "token expired": "auth.error.invalidCode" }, other: "auth.error.other" },
} satisfies Record<string, { texts: Record<string, PublicKey>; other: PublicKey }>;

/** The text for a refusal in one mode of the dialog (spec B §8); an unknown one is shown with its value. */
export function refusalError(mode: keyof typeof own, value: string, retryAfter?: number): FieldError {
  const seconds = waitSeconds(value);
  if (seconds !== undefined) return { key: "auth.error.wait", holes: { count: seconds } };
  if (value === "limit") return { key: "auth.error.limit", holes: { count: retryAfter ?? 1 } };
  const texts: Record<string, PublicKey> = { ...shared, ...own[mode].texts };
  const known = texts[value];
  return known ? { key: known } : { key: own[mode].other, holes: { text: value } };
}

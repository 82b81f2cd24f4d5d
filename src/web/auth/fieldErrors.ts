import { passwordLengthMin } from "../../contract/limits.ts";
import { isCommonPassword } from "../../contract/passwords.ts";
import type { Holes, PublicKey } from "../../i18n/t.ts";

export interface FieldError {
  key: PublicKey;
  holes?: Holes;
}

const latin = /^[\x20-\x7e]*$/;

/** The error of a password, if any (spec B §5). */
export function passwordError(password: string): PublicKey | undefined {
  if (!latin.test(password)) return "auth.error.passwordLatinOnly";
  if (password.includes("+")) return "auth.error.passwordNoPlus";
  if (password.length < passwordLengthMin) return "auth.error.passwordShort";
  return undefined;
}

/** Like passwordError, and an empty field is an error too. */
export const requiredPasswordError = (password: string): PublicKey | undefined =>
  password === "" ? "auth.error.passwordEmpty" : passwordError(password);

/** The error of a new password; also refuses common passwords. */
export function newPasswordError(password: string, email: string): PublicKey | undefined {
  const wrong = requiredPasswordError(password);
  return wrong ?? (isCommonPassword(password, email) ? "auth.error.passwordCommon" : undefined);
}

/** The error of the repeated password, if any (spec B §5). */
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

/** While the user types, an empty field is no error. */
export function passwordErrorWhileTyping(password: string): PublicKey | undefined {
  return password === "" ? undefined : passwordError(password);
}

/** The seconds of a `try again N seconds` refusal (spec B §4). */
export function waitSeconds(value: string): number | undefined {
  const found = /try again (\d+) seconds/i.exec(value)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** The error of a code that was not sent: a wait, or a general sending error (spec B §8). */
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
  factor: {
    texts: {
      "invalid code": "auth.error.factorCode",
      "invalid passkey": "auth.error.passkey",
      "no passkeys": "auth.error.passkey",
      ticket: "auth.error.ticket",
    },
    other: "auth.error.other",
  },
  register: {
    texts: {
      "email already registered": "auth.error.registered",
      "invalid password": "auth.error.passwordLatinOnly",
    },
    other: "auth.error.register",
  },
  activate: { texts: { "invalid code": "auth.error.activation" }, other: "auth.error.activationOther" },
  disown: {
    texts: { "invalid code": "auth.error.disown", "token expired": "auth.error.disown" },
    other: "auth.error.other",
  },
  reset: { texts: { "token expired": "auth.error.invalidCode" }, other: "auth.error.other" },
} satisfies Record<string, { texts: Record<string, PublicKey>; other: PublicKey }>;

/** The text of a refusal in one mode of the dialog (spec B §8); includes the value of an unknown one. */
export function refusalError(mode: keyof typeof own, value: string, retryAfter?: number): FieldError {
  const seconds = waitSeconds(value);
  if (seconds !== undefined) return { key: "auth.error.wait", holes: { count: seconds } };
  if (value === "limit") return { key: "auth.error.limit", holes: { count: retryAfter ?? 1 } };
  const texts: Record<string, PublicKey> = { ...shared, ...own[mode].texts };
  const known = texts[value];
  return known ? { key: known } : { key: own[mode].other, holes: { text: value } };
}

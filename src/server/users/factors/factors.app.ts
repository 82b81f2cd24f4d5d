// Codes of an authenticator app (TOTP, RFC 6238) and recovery codes.
import { customAlphabet } from "nanoid";
import { Secret, TOTP } from "otpauth";
import { recoveryCodeLetters, recoveryCodes } from "../../../contract/limits.ts";

const period = 30;
/** Clocks may differ by one period. */
const window = 1;

const totp = (secret: Secret, label = "") =>
  new TOTP({ issuer: "Postern", label, secret, algorithm: "SHA1", digits: 6, period });

/** The secret as people type it, and the address that an app reads from a QR code. */
export function newSecret(email: string): { secret: string; uri: string } {
  const secret = new Secret({ size: 20 }); // RFC 4226 §4: 160 bits
  return { secret: secret.base32, uri: totp(secret, email).toString() };
}

/** Which period a code is of; undefined for a wrong one. */
export function stepOf(secret: string, code: string, at: Date): bigint | undefined {
  const timestamp = at.getTime();
  const delta = totp(Secret.fromBase32(secret)).validate({ token: code, timestamp, window });
  return delta === null ? undefined : BigInt(Math.floor(timestamp / 1000 / period) + delta);
}

/** Without letters and digits that look alike: 78 bits. */
const recoveryText = customAlphabet("abcdefghjkmnpqrstvwxyz23456789", recoveryCodeLetters);

export const newRecoveryCodes = (): string[] => Array.from({ length: recoveryCodes }, () => recoveryText());

/** In groups of four, as it is shown. */
export const shownCode = (code: string): string => code.replace(/(.{4})(?=.)/g, "$1-");

/** As people type them, with or without dashes and blanks. */
export const bareCode = (typed: string): string => typed.replaceAll(/[\s-]/g, "").toLowerCase();

export const isAppCode = (bare: string): boolean => /^[0-9]{6}$/.test(bare);

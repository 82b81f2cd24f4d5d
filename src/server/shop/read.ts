// Reads arguments. A wrong one is wrong usage (exit status 2).
import { InvalidArgumentError } from "commander";
import { readHostPort as hostPortOf } from "../platform/network-address.ts";
import { type Usd, usd } from "../platform/money.ts";

export interface Paged {
  readonly page: number;
}
export const pageOption = (size: string) =>
  ["--page <number>", `which page of ${size}`, readCount(1_000_000), 1] as const;

/** Dollars above zero with at most 8 decimals. */
export function readPrice(text: string): Usd {
  const price = readAmount(text);
  if (price <= 0n) throw new InvalidArgumentError("A price is above 0.");
  return price;
}

const amountMax = usd("1000000");

/** Dollars below a million with at most 8 decimals, also negative. */
export function readAmount(text: string): Usd {
  try {
    const amount = usd(text);
    if (amount >= amountMax || -amount >= amountMax) throw new RangeError("a million or more");
    return amount;
  } catch (cause) {
    const wrong = new InvalidArgumentError(
      "An amount is a number of dollars below 1,000,000 with at most 8 decimals.",
    );
    wrong.cause = cause;
    throw wrong;
  }
}

export function readCount(max: number): (text: string) => number {
  return (text) => {
    const count = Number(text.replaceAll("_", ""));
    if (!Number.isInteger(count) || count < 1 || count > max)
      throw new InvalidArgumentError(`A whole number from 1 to ${max.toLocaleString("en-US")} is expected.`);
    return count;
  };
}

/** 2026-12-01 or 2026-12-01T09:30, in UTC; answers unix seconds, as calls take them. */
export function readMoment(text: string): string {
  const [, day = "", minute = "00:00"] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?(?:Z| UTC)?$/.exec(text) ?? [];
  const at = Date.parse(`${day}T${minute}Z`);
  if (Number.isNaN(at))
    throw new InvalidArgumentError("A time in UTC is expected, for example 2026-12-01T09:30.");
  return String(at / 1000);
}

/** As it was told; `idsOf(db).read` makes it that of the database. */
export function readId(text: string): bigint {
  if (!/^[0-9]{1,18}$/.test(text)) throw new InvalidArgumentError("An id has only digits.");
  return BigInt(text);
}

/** imap.example.com:993, [::1]:143. */
export function readHostPort(text: string): { host: string; port: number } {
  const read = hostPortOf(text);
  if (!read)
    throw new InvalidArgumentError("A host with its port is expected, for example imap.example.com:993.");
  return read;
}

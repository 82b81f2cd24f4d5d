// What is fixed for each currency: the chain it moves on, its smallest unit, how long its rate is locked.
import { currencies, type Currency, type CurrencyId, type PaymentChain } from "../../contract/currencies.ts";
import type { Usd } from "../platform/money.ts";
import type { Gateway } from "../ledger/ledger.ts";

/** A chain that money comes in on, or a BTCPay Server before several; the ledger has one account of the shop for each. */
export type ChainName = Gateway;

/** How a currency is counted and where it moves. */
export interface Terms {
  readonly chain: PaymentChain;
  /** Decimals of the coin itself. USDT has 6 everywhere but on BSC, where it has 18. */
  readonly decimals: number;
  /** How long the locked rate of a payment lives. */
  readonly lockSeconds: number;
  /** Smallest units: where less came, nothing came. */
  readonly least: bigint;
}

const minute = 60;
const volatileLock = 30 * minute;
// A dollar coin does not run away.
const stableLock = 180 * minute;

/** The sandbox gives an hour, so that nobody has to hurry while trying the shop. */
export const sandboxLockSeconds = 60 * minute;

/** How long after the lock a transfer still counts as in time: blocks are late, exchanges slow. */
export const graceSeconds = 15 * minute;

/** Addresses are searched for so long after their payment has ended. */
export const watchDays = 30;

export const terms = Object.fromEntries(
  currencies.map(({ id, chain, unitDecimals, least, contract }): [CurrencyId, Terms] => [
    id,
    {
      chain,
      decimals: unitDecimals,
      lockSeconds: contract === undefined ? volatileLock : stableLock,
      least: unitsIn(least, unitDecimals) ?? 0n,
    },
  ]),
) as Readonly<Record<CurrencyId, Terms>>;

/**
 * Whether it is too little to be noted: advertisers send next to nothing to addresses that they see, and those who hope that
 * somebody copies theirs from a history do. It must neither send a payment to review nor keep it from its end.
 */
export const isDust = (units: bigint, id: CurrencyId): boolean => units < terms[id].least;

/** The currency of an id, or undefined when there is none. */
export function currencyOf(id: string): Currency | undefined {
  return currencies.find((currency) => currency.id === id);
}

/**
 * What so many dollars cost, in the coin's smallest units, at `rate` (10⁻⁸ dollar for a whole coin). Rounded up to the
 * decimals that the page shows, so that the shown number is the exact amount.
 */
export function dueFor(amount: Usd, rate: Usd, currency: Currency): bigint {
  const { decimals } = terms[currency.id];
  const step = 10n ** BigInt(decimals - currency.decimals);
  return divideUp(amount * 10n ** BigInt(decimals), rate * step) * step;
}

/** What so many smallest units are worth at `rate`, rounded down. */
export function worth(units: bigint, rate: Usd, id: CurrencyId): Usd {
  return ((units * rate) / 10n ** BigInt(terms[id].decimals)) as Usd;
}

/** Smallest units as a decimal number of coins, with at least `places` decimals and no needless zero after them. */
export function showCoins(units: bigint, id: CurrencyId, places = 0): string {
  const { decimals } = terms[id];
  const digits = units.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, -decimals);
  const fraction = digits.slice(-decimals).replace(/0+$/, "").padEnd(places, "0");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/** Reads a decimal number of coins, exactly. Undefined when it is none or is finer than the coin. */
export function readCoins(text: string, id: CurrencyId): bigint | undefined {
  return unitsIn(text, terms[id].decimals);
}

function unitsIn(text: string, decimals: number): bigint | undefined {
  const [, whole, fraction = ""] = /^([0-9]{1,30})(?:\.([0-9]{1,18}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || fraction.length > decimals) return undefined;
  return BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, "0"));
}

function divideUp(amount: bigint, by: bigint): bigint {
  return (amount + by - 1n) / by;
}

import { currencies, type Currency, type CurrencyId, type PaymentChain } from "../../contract/currencies.ts";
import type { Usd } from "../platform/money.ts";
import type { Gateway } from "../ledger/ledger.ts";

/** A chain, or a BTCPay Server in front of several; the ledger has one shop account for each. */
export type ChainName = Gateway;

export interface Terms {
  readonly chain: PaymentChain;
  /** Of the coin itself. USDT has 6 everywhere but on BSC, where it has 18. */
  readonly decimals: number;
  readonly lockSeconds: number;
  /** Smallest units; smaller transfers are ignored. */
  readonly least: bigint;
}

const minute = 60;
const volatileLock = 30 * minute;
// The rate of a dollar coin is stable.
const stableLock = 180 * minute;

/** An hour, so that trying the shop needs no hurry. */
export const sandboxLockSeconds = 60 * minute;

/** How long after the lock a transfer is in time: blocks and exchanges are slow. */
export const graceSeconds = 15 * minute;

/** Addresses are watched for so many days after their payment ended. */
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

/** Whether a transfer is ignored: advertising and address poisoning must cause no review and keep no payment open. */
export const isDust = (units: bigint, id: CurrencyId): boolean => units < terms[id].least;

export function currencyOf(id: string): Currency | undefined {
  return currencies.find((currency) => currency.id === id);
}

/** Dollars in smallest units at `rate` (10⁻⁸ dollar per coin), rounded up to the decimals of the page. */
export function dueFor(amount: Usd, rate: Usd, currency: Currency): bigint {
  const { decimals } = terms[currency.id];
  const step = 10n ** BigInt(decimals - currency.decimals);
  return divideUp(amount * 10n ** BigInt(decimals), rate * step) * step;
}

// A wallet takes so many decimals of any coin.
const payoutDecimals = 6;

/** The coins that dollars buy at `rate`, in smallest units, rounded down. */
export function coinsFor(amount: Usd, rate: Usd, id: CurrencyId): bigint {
  const { decimals } = terms[id];
  const step = 10n ** BigInt(Math.max(decimals - payoutDecimals, 0));
  return ((amount * 10n ** BigInt(decimals)) / (rate * step)) * step;
}

/** What smallest units are worth at `rate`, rounded down. */
export function worth(units: bigint, rate: Usd, id: CurrencyId): Usd {
  return ((units * rate) / 10n ** BigInt(terms[id].decimals)) as Usd;
}

/** Smallest units as decimal coins, with at least `places` decimals and no other trailing zero. */
export function showCoins(units: bigint, id: CurrencyId, places = 0): string {
  const { decimals } = terms[id];
  const digits = units.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, -decimals);
  const fraction = digits.slice(-decimals).replace(/0+$/, "").padEnd(places, "0");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/** "12.5 TRX", from smallest units; of a currency that is no longer known its units and id. */
export function nameCoins(units: bigint, id: string): string {
  const currency = currencyOf(id);
  return currency ? `${showCoins(units, currency.id)} ${currency.coin}` : `${units} ${id}`;
}

/** Reads a decimal number of coins exactly. Undefined when it is none or finer than the coin. */
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

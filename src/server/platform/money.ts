declare const usdBrand: unique symbol;

/** Units of 10⁻⁸ dollar. Never a float. */
export type Usd = bigint & { readonly [usdBrand]: true };

const decimals = 8;
const unitsPerDollar = 10n ** BigInt(decimals);
const pattern = /^(-?)([0-9]{1,12})(?:\.([0-9]{1,8}))?$/;

/** Reads decimal dollars exactly. Throws on any other text, or digits finer than 10⁻⁸. */
export function usd(text: string): Usd {
  const found = pattern.exec(text.trim());
  if (!found) throw new Error(`not an amount of dollars: ${text}`);
  const [, sign, whole = "0", fraction = ""] = found;
  const units = BigInt(whole) * unitsPerDollar + BigInt(fraction.padEnd(decimals, "0"));
  return (sign === "-" ? -units : units) as Usd;
}

export function usdFromUnits(units: bigint): Usd {
  return units as Usd;
}

/** The shortest exact decimal with at least one decimal place: "1.0", "0.0035". */
export function showUsd(amount: bigint): string {
  const sign = amount < 0n ? "-" : "";
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/0+$/, "") || "0";
  return `${sign}${digits.slice(0, -decimals)}.${fraction}`;
}

/** For JSON fields that clients read as numbers (/email/quantity). Never computed with. */
export function usdNumber(amount: bigint): number {
  return Number(showUsd(amount));
}

/** Rounded down: the shop keeps the rest. */
export function percentOf(amount: Usd, percent: bigint): Usd {
  return ((amount * percent) / 100n) as Usd;
}

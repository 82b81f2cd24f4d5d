import type { PosternError } from "../client.ts";

export const dollars = (price: number): string => `$${price}`;

export const time = (unixSeconds: number): string =>
  new Date(unixSeconds * 1000).toISOString().replace(".000", "");

export function columns(rows: readonly (readonly string[])[]): string[] {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(width(column)))
      .join("  ")
      .trimEnd(),
  );
}

export function refusalLines({ message, more }: PosternError): string[] {
  const { missing, did_you_mean, alternatives = [], retry_after, reason } = more;
  const offers = alternatives.map(
    ({ domain, price, count }) => `${domain} (${dollars(price)}, ${count} left)`,
  );
  return [
    `postern: ${message}`,
    ...(reason === undefined ? [] : [`The reason: ${reason}`]),
    ...(missing === undefined ? [] : [`Missing: $${missing}`]),
    ...(did_you_mean === undefined ? [] : [`Did you mean ${did_you_mean}?`]),
    ...(offers.length === 0 ? [] : [`These have addresses: ${offers.join(", ")}`]),
    ...(retry_after === undefined ? [] : [`Try again after ${retry_after} seconds.`]),
  ];
}

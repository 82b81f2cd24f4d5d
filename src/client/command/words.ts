import type { PosternError, TokenLimit, WayOut } from "../client.ts";

export const dollars = (price: number | string): string => `$${price}`;

export const time = (unixSeconds: number): string =>
  new Date(unixSeconds * 1000).toISOString().replace(".000", "");

export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, text] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, text.length);
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** What a limited token allows no more, in a sentence. */
const limits: Record<TokenLimit, string> = {
  calls: "The token may not make this call.",
  sites: "The token is not for this site.",
  price_max: "The price is above the highest that the token may pay.",
  budget_day: "The token has no budget left for this today.",
};

export const refusalLines = (error: PosternError): string[] => [
  `postern: ${error.message}`,
  ...waysOut(error.more),
];

/** In one line, for an assistant; a token's limit by itself, for it says all. */
export function refusalSentence({ value, message, more }: PosternError): string {
  if (value === "token limit" && more.exceeded) return `Refused: ${limits[more.exceeded]}`;
  return [`Refused: ${more.hint ?? message}`, ...waysOut(more)].join(" ");
}

function waysOut({
  exceeded,
  missing,
  price,
  did_you_mean,
  alternatives = [],
  retry_after,
  reason,
}: WayOut): string[] {
  const offers = alternatives.map(
    ({ domain, price, count }) => `${domain} (${dollars(price)}, ${count} left)`,
  );
  return [
    ...(exceeded === undefined ? [] : [limits[exceeded]]),
    ...(reason === undefined ? [] : [`The reason: ${reason}`]),
    ...(missing === undefined ? [] : [`Missing: $${missing}`]),
    ...(price === undefined ? [] : [`The price: ${dollars(price)}`]),
    ...(did_you_mean === undefined ? [] : [`Did you mean ${did_you_mean}?`]),
    ...(offers.length === 0 ? [] : [`These have addresses: ${offers.join(", ")}`]),
    ...(retry_after === undefined ? [] : [`Try again after ${retry_after} seconds.`]),
  ];
}

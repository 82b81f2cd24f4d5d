import type { PosternError } from "../client.ts";
import type { Command } from "./commands.ts";

export const dollars = (price: number): string => `$${price}`;

/** A moment of the shop as people and programs read it. */
export const time = (unixSeconds: number): string =>
  new Date(unixSeconds * 1000).toISOString().replace(".000", "");

/** Rows as lines, each column as wide as its longest text. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(width(column)))
      .join("  ")
      .trimEnd(),
  );
}

/** A refusal in sentences, with the way out that the shop knows. */
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

/** The help page. */
export function usageLines(commands: Readonly<Record<string, Command>>): string[] {
  return [
    "postern: temporary mail addresses of a Postern shop",
    "",
    ...Object.entries(commands).flatMap(([name, command]) => commandLines(name, command)),
    "  Any of them with --json prints one line of JSON for each thing that it prints.",
    "",
    "POSTERN_URL is the address of the shop, POSTERN_TOKEN the token that its dashboard shows.",
    "Exit codes: 0 done, 1 the shop said no, 2 called wrongly, 3 no letter in time, 4 no answer now: try later.",
  ];
}

function commandLines(name: string, { summary, takesId, options }: Command): string[] {
  const rows = Object.entries(options).map(([option, { value, summary: what }]) => [
    `      --${option}${value === undefined ? "" : ` ${value}`}`,
    what,
  ]);
  return [`  postern ${name}${takesId ? " ID" : ""}`, `      ${summary}`, ...columns(rows), ""];
}

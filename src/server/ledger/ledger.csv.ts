import { csv, guarded } from "../platform/csv.ts";
import { showUsd } from "../platform/money.ts";
import type { StatementLine } from "./ledger.ts";

const columns = ["id", "at", "kind", "amount", "balance", "activation_id", "reason"];

/** A statement as CSV (RFC 4180), in pieces; the first begins with the column names. */
export async function* csvOf(
  pages: AsyncIterable<readonly StatementLine[]>,
): AsyncGenerator<string, void, undefined> {
  yield csv([columns]);
  for await (const lines of pages) if (lines.length > 0) yield csv(lines.map(cellsOf));
}

function cellsOf({ id, at, kind, amount, balance, orderId, reason }: StatementLine): string[] {
  return [
    String(id),
    at.toISOString(),
    kind,
    showUsd(amount),
    showUsd(balance),
    orderId === null ? "" : String(orderId),
    guarded(reason ?? ""),
  ];
}

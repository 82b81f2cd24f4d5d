import { csv, guarded } from "../platform/csv.ts";
import type { Ids } from "../platform/ids.ts";
import { showUsd } from "../platform/money.ts";
import type { StatementLine } from "./ledger.ts";

const columns = [
  "id",
  "at",
  "kind",
  "amount",
  "balance",
  "activation_id",
  "reason",
  "site",
  "email",
  "payment_id",
];

type FiledLine = StatementLine & {
  readonly site?: string;
  readonly email?: string;
  readonly paymentId?: bigint;
};

/** A statement as CSV (RFC 4180), in pieces; the first begins with the column names. */
export async function* csvOf(
  pages: AsyncIterable<readonly FiledLine[]>,
  ids: Ids,
): AsyncGenerator<string, void, undefined> {
  yield csv([columns]);
  for await (const lines of pages) if (lines.length > 0) yield csv(lines.map((line) => cellsOf(line, ids)));
}

function cellsOf(line: FiledLine, ids: Ids): string[] {
  const { id, at, kind, amount, balance, orderId, reason, site, email, paymentId } = line;
  return [
    String(id),
    at.toISOString(),
    kind,
    showUsd(amount),
    showUsd(balance),
    orderId === null ? "" : ids.show(orderId),
    guarded(reason ?? ""),
    guarded(site ?? ""),
    guarded(email ?? ""),
    paymentId === undefined ? "" : ids.show(paymentId),
  ];
}

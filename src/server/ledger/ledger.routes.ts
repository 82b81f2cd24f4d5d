import type { z } from "zod/mini";
import { statement, statementFile, type StatementLine as ToldLine } from "../../contract/statement.ts";
import { answer, type Route } from "../platform/http/answer.ts";
import { download } from "../platform/http/download.ts";
import { now, unixSeconds } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import { idsOf } from "../platform/ids.ts";
import { showUsd, usdFromUnits } from "../platform/money.ts";
import { csvOf } from "./ledger.csv.ts";
import * as ledger from "./ledger.ts";

const filePageSize = 1_000;
export function statementRoutes({ db }: { readonly db: Db }): Route[] {
  return [
    answer(statement, async ({ asked, caller }) => {
      const before = asked.before && { id: asked.before.id, balance: usdFromUnits(asked.before.balance) };
      const { lines, next } = await ledger.readStatement(db, caller.userId, { book: asked.book, before });
      return { data: lines.map(told), ...(next && { next: `${next.id}.${next.balance}` }) };
    }),

    answer(statementFile, ({ asked, caller, request }) => {
      const { book = "balance" } = asked;
      const pages = ledger.statementPages(db, caller.userId, book, filePageSize);
      const name = `statement-${book}-${now().toISOString().slice(0, 10)}.csv`;
      const headers = {
        "content-type": "text/csv; charset=utf-8; header=present",
        "content-disposition": `attachment; filename="${name}"`,
      };
      return download(headers, csvOf(pages, idsOf(db)), request);
    }),
  ];
}

function told(line: ledger.StatementLine): z.input<typeof ToldLine> {
  const { id, at, kind, amount, balance, orderId, reason } = line;
  return {
    id: String(id),
    at: unixSeconds(at),
    kind,
    amount: showUsd(amount),
    balance: showUsd(balance),
    ...(orderId !== null && { activation_id: String(orderId) }),
    ...(reason !== null && { reason }),
  };
}

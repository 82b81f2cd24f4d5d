import type { z } from "zod/mini";
import type { Asked } from "../../contract/endpoint.ts";
import { officeStatement } from "../../contract/office/objects.ts";
import {
  statement,
  statementFile,
  type StatementLine as LineReply,
  type statementReply,
} from "../../contract/statement.ts";
import { answer, type Route } from "../platform/http/answer.ts";
import { download } from "../platform/http/download.ts";
import { now, momentOf, unixSeconds } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import { idsOf } from "../platform/ids.ts";
import { showUsd, usdFromUnits } from "../platform/money.ts";
import { csvOf } from "./ledger.csv.ts";
import * as ledger from "./ledger.ts";

const filePageSize = 1_000;

/** What a line is about: of an order of the user its site and address, of a top-up its payment. */
export interface About {
  readonly site?: string;
  readonly email?: string;
  readonly paymentId?: bigint;
}

/** Of each line; who earns by an order of another user learns nothing of it. */
export type AboutLines = (userId: bigint, lines: readonly ledger.StatementLine[]) => Promise<About[]>;

export function statementRoutes({ db, aboutLines }: { readonly db: Db; aboutLines: AboutLines }): Route[] {
  const page = async (userId: bigint, asked: Asked<typeof statement>) => {
    const read = await ledger.readStatement(db, userId, pageOf(asked));
    return onWire(read, await aboutLines(userId, read.lines));
  };
  return [
    answer(statement, ({ asked, caller }) => page(caller.userId, asked)),

    answer(officeStatement, ({ asked }) => page(asked.id, asked)),

    answer(statementFile, ({ asked, caller, request }) => {
      const { book = "balance" } = asked;
      const pages = ledger.statementPages(db, caller.userId, { ...askOf(asked), size: filePageSize });
      const name = `statement-${book}-${now().toISOString().slice(0, 10)}.csv`;
      const headers = {
        "content-type": "text/csv; charset=utf-8; header=present",
        "content-disposition": `attachment; filename="${name}"`,
      };
      return download(
        headers,
        csvOf(
          withAbout(pages, (lines) => aboutLines(caller.userId, lines)),
          idsOf(db),
        ),
        request,
      );
    }),
  ];
}

const askOf = ({ book, since, until, kinds }: Asked<typeof statementFile>) => ({
  book,
  since: momentOf(since),
  until: momentOf(until),
  kinds,
});

const pageOf = ({ before, ...asked }: Asked<typeof statement>) => ({
  ...askOf(asked),
  before: before && { id: before.id, balance: usdFromUnits(before.balance) },
});

async function* withAbout(
  pages: AsyncIterable<readonly ledger.StatementLine[]>,
  aboutOf: (lines: readonly ledger.StatementLine[]) => Promise<About[]>,
): AsyncGenerator<(ledger.StatementLine & About)[], void, undefined> {
  for await (const lines of pages) {
    const about = await aboutOf(lines);
    yield lines.map((line, at) => ({ ...line, ...about[at] }));
  }
}

function onWire(
  { lines, period, next }: ledger.Statement,
  about: readonly About[],
): z.input<typeof statementReply> {
  return {
    data: lines.map((line, at) => replyOf({ ...line, ...about[at] })),
    ...(period && {
      period: {
        opening: showUsd(period.opening),
        credit: showUsd(period.credit),
        debit: showUsd(period.debit),
        closing: showUsd(period.closing),
      },
    }),
    ...(next && { next: `${next.id}.${next.balance}` }),
  };
}

function replyOf(line: ledger.StatementLine & About): z.input<typeof LineReply> {
  const { id, at, kind, amount, balance, orderId, reason, site, email, paymentId } = line;
  return {
    id: String(id),
    at: unixSeconds(at),
    kind,
    amount: showUsd(amount),
    balance: showUsd(balance),
    ...(orderId !== null && { activation_id: String(orderId) }),
    ...(site !== undefined && { site }),
    ...(email !== undefined && { email }),
    ...(paymentId !== undefined && { payment_id: String(paymentId) }),
    ...(reason !== null && { reason }),
  };
}

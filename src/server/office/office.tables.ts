import { type OfficeColumn, type OfficeTableName, officeTables } from "../../contract/office/office.ts";
import { officePageSize, officeTotalMax } from "../../contract/limits.ts";
import { signOfNumber } from "../../contract/office/objects.ts";
import { csv } from "../platform/csv.ts";
import type { Db } from "../platform/db/db.ts";
import { type Ids, idsOf } from "../platform/ids.ts";
import { type Asking, readAsked } from "./office.request.ts";
import { type Cell, cellOf, writtenOf } from "./office.cells.ts";
import * as mail from "./office.mail.sql.ts";
import {
  type Asked,
  countRows,
  type Mark,
  type Readable,
  reading,
  selectPage,
  selectPiece,
  type Source,
} from "./office.page.sql.ts";
import * as objects from "./office.objects.sql.ts";
import * as people from "./office.people.sql.ts";
import * as person from "./office.person.sql.ts";
import * as priced from "./office.prices.sql.ts";
import * as running from "./office.running.sql.ts";
import * as held from "./office.shares.sql.ts";
import * as trade from "./office.trade.sql.ts";

const sources: { readonly [Name in OfficeTableName]: Source<Name> } = {
  days: trade.days,
  domains: mail.domains,
  hosts: mail.hosts,
  sites: mail.sites,
  prices: priced.prices,
  price_changes: priced.changes,
  turned_away: mail.unclaimed,
  users: people.users,
  orders: trade.orders,
  payments: trade.payments,
  withdrawals: trade.withdrawals,
  partners: people.partners,
  investors: people.investors,
  batches: people.batches,
  shares: held.shares,
  complaints: held.complaints,
  questions: person.questions,
  money: person.money,
  tokens: person.tokens,
  webhooks: person.webhooks,
  adjustments: person.adjustments,
  outcomes: person.outcomes,
  arrivals: objects.arrivals,
  payment_steps: objects.paymentSteps,
  tasks: running.tasks,
  targets: running.targets,
  jobs: running.jobs,
  security: running.security,
  journal: running.journal,
};

export interface Page {
  readonly rows: Record<string, Cell>[];
  /** Counted up to 10,000; `more`: there are more. */
  readonly total: number;
  readonly more: boolean;
  readonly pages: number;
}

export type Unreadable = "sort" | "search" | "filters";

export const readable = (name: OfficeTableName): Readable => ({
  ...officeTables[name],
  // Each source fits the columns of its own table; here they are only addressed by name.
  source: sources[name] as unknown as Source,
});

/** A page of a table, from 1; none beyond the count. */
export async function readPage(db: Db, asking: Asking, page: number, now: Date): Promise<Page | Unreadable> {
  const asked = askedOf(db, asking, now);
  if (typeof asked === "string") return asked;
  const table = readable(asking.table);
  const skip = (page - 1) * officePageSize;
  const { rows, count } = await reading(db, async (tx) => ({
    rows: skip < officeTotalMax ? await selectPage(tx, table, asked, { size: officePageSize, skip }) : [],
    count: await countRows(tx, table, asked),
  }));
  const total = Math.min(count, officeTotalMax);
  return {
    rows: rows.map((row) => mapCells(table, row, cellOf, idsOf(db))),
    total,
    more: count > total,
    pages: Math.ceil(total / officePageSize),
  };
}

/** All rows of a table as CSV (RFC 4180), in pieces; the first begins with the column names. */
export function readFile(
  db: Db,
  asking: Asking,
  now: Date,
  pieceSize = 1_000,
): AsyncGenerator<string, void> | Unreadable {
  const asked = askedOf(db, asking, now);
  return typeof asked === "string" ? asked : pieces(db, readable(asking.table), asked, pieceSize);
}

/** Holds no connection between two pieces, however slow the reader. */
async function* pieces(db: Db, table: Readable, asked: Asked, size: number): AsyncGenerator<string, void> {
  const shown = Object.keys(table.columns).filter((name) => table.columns[name]?.hidden !== true);
  yield csv([shown]);
  let after: Mark | undefined;
  for (;;) {
    const rows = await reading(db, (tx) => selectPiece(tx, table, asked, { size, after }));
    if (rows.length > 0)
      yield csv(
        rows
          .map((row) => mapCells(table, row, writtenOf, idsOf(db)))
          .map((row) => shown.map((name) => row[name] ?? "")),
      );
    const last = rows.at(-1);
    if (rows.length < size || !last) return;
    after = { sort: last["@sort"], key: last["@key"] };
  }
}

/** An id alone or behind the word for what it names, as the journal has it: `payment 30000000001`. */
const idAtEnd = /(?<=^| )[0-9]{11}$/;

/** A search for an id, and a filter by one, find what it names in the database. */
function askedOf(db: Db, asking: Asking, now: Date): ReturnType<typeof readAsked> {
  const asked = readAsked(asking, now);
  if (typeof asked === "string") return asked;
  const inDatabase = (text: string) =>
    text.replace(idAtEnd, (shown) => String(idsOf(db).read(BigInt(shown))));
  return {
    ...asked,
    search: asked.search && inDatabase(asked.search.replace(signOfNumber, "")),
    filters: new Map(
      [...asked.filters].map(([name, wanted]) => [
        name,
        typeof wanted === "string" ? inDatabase(wanted) : wanted,
      ]),
    ),
  };
}

/** The text of an id, or of what the journal is about. */
const withShownId = (value: unknown, ids: Ids) =>
  String(value as bigint | number | string).replace(idAtEnd, (id) => ids.show(id));

function mapCells<Shown>(
  { columns, source }: Readable,
  row: Readonly<Record<string, unknown>>,
  show: (kind: OfficeColumn["kind"], value: unknown) => Shown,
  ids: Ids,
): Record<string, Shown> {
  const own: Readonly<Record<string, ((value: unknown) => string) | undefined>> = source.tell ?? {};
  const cells = Object.entries(columns).map(([name, { kind }]) => {
    const value = row[name] ?? null;
    if (value === null) return [name, show(kind, null)];
    const isId = kind === "id" || name === "about";
    return [name, show(kind, own[name]?.(value) ?? (isId ? withShownId(value, ids) : value))];
  });
  return Object.fromEntries(cells) as Record<string, Shown>;
}

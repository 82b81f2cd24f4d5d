import type { Endpoints } from "../../contract/api.ts";
import type { Asking, Reply } from "../../contract/endpoint.ts";
import { withParameters } from "../period/addressQuery.ts";
import { hasPeriod, instantsOf, type Period, periodIn } from "../period/period.ts";

type Page = Reply<Endpoints["statement"]>;
export type StatementLine = Page["data"][number];
export type StatementPeriod = NonNullable<Page["period"]>;
export type Kind = StatementLine["kind"];

export type Book = NonNullable<Asking<Endpoints["statement"]>["book"]>;

export const books: readonly Book[] = ["balance", "referrals", "soft", "investor"];

/** What moves the money of each book. */
export const kindsOf: Readonly<Record<Book, readonly Kind[]>> = {
  balance: ["hold", "refund", "topup", "bonus", "adjust", "payout", "forfeit"],
  referrals: ["referral", "release", "payout", "adjust", "forfeit"],
  soft: ["soft", "release", "payout", "adjust", "forfeit"],
  investor: ["investor", "release", "payout", "adjust", "forfeit"],
};

export const isIncoming = ({ amount }: StatementLine): boolean => !amount.startsWith("-");

/** What a statement shows, as it stands in the address bar. */
export interface StatementQuery extends Period {
  readonly book: Book;
  readonly kinds: readonly Kind[];
}

/** Reads the address; what is malformed counts as absent. */
export function queryOf(address: string): StatementQuery {
  const given = new URLSearchParams(address);
  const book = books.find((one) => one === given.get("book")) ?? "balance";
  const wanted = (given.get("kinds") ?? "").split(",");
  return { book, kinds: kindsOf[book].filter((kind) => wanted.includes(kind)), ...periodIn(given) };
}

/** The address with another query; leaves its other parameters alone. Each book has kinds of its own. */
export function withQuery(address: string, change: Partial<StatementQuery>): string {
  const { book, kinds, since, until } = { ...queryOf(address), ...(change.book && { kinds: [] }), ...change };
  return withParameters(address, {
    book: book === "balance" ? "" : book,
    kinds: kinds.join(","),
    since,
    until,
  });
}

export const isNarrowed = (query: StatementQuery): boolean => hasPeriod(query) || query.kinds.length > 0;

/** The query as calls take it. */
export const askOf = ({ book, kinds, ...period }: StatementQuery) => ({
  book,
  ...instantsOf(period),
  ...(kinds.length > 0 && { kinds: kinds.join(",") }),
});

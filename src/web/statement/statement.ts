import type { Endpoints } from "../../contract/api.ts";
import type { Asking, Reply } from "../../contract/endpoint.ts";

export type StatementLine = Reply<Endpoints["statement"]>["data"][number];

/** One of the account's purses; most buyers have only their balance. */
export type Book = NonNullable<Asking<Endpoints["statement"]>["book"]>;

export const books: readonly Book[] = ["balance", "referrals", "soft", "investor"];

/** Did the money come, and not go? */
export const isIncoming = ({ amount }: StatementLine): boolean => !amount.startsWith("-");

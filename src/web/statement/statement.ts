import type { Endpoints } from "../../contract/api.ts";
import type { Asking, Reply } from "../../contract/endpoint.ts";

export type StatementLine = Reply<Endpoints["statement"]>["data"][number];

export type Book = NonNullable<Asking<Endpoints["statement"]>["book"]>;

export const books: readonly Book[] = ["balance", "referrals", "soft", "investor"];

export const isIncoming = ({ amount }: StatementLine): boolean => !amount.startsWith("-");

// No page loads the schemas of the contract for two lists of words.
import type { Reply } from "../../../contract/endpoint.ts";
import type { Endpoints } from "../../../contract/api.ts";
import type { Calls } from "../../../client/wire.ts";

type Kind = Reply<Endpoints["statement"]>["data"][number]["kind"];
type Book = NonNullable<Calls["statement"]["ask"]["book"]>;

const kinds: Readonly<Record<Kind, true>> = {
  hold: true,
  refund: true,
  referral: true,
  soft: true,
  investor: true,
  topup: true,
  bonus: true,
  adjust: true,
  payout: true,
  release: true,
  forfeit: true,
  withdraw: true,
};
const bookNames: Readonly<Record<Book, true>> = {
  balance: true,
  referrals: true,
  soft: true,
  investor: true,
};

export const statementKinds = Object.keys(kinds) as Kind[];
export const books = Object.keys(bookNames) as Book[];

import type { OfficeTables } from "../../../contract/office/office.ts";
import type { OfficeKey } from "../../../i18n/t.ts";
import type { TableName } from "./tableState.ts";

type Searchable = {
  [Name in TableName]: OfficeTables[Name] extends { search: true } ? Name : never;
}[TableName];

/** What the search of each table compares; a table that is searched does not compile without. */
const searched: Readonly<Record<Searchable, OfficeKey>> = {
  domains: "office.searched.name",
  sites: "office.searched.name",
  prices: "office.searched.prices",
  price_changes: "office.searched.prices",
  turned_away: "office.searched.turned_away",
  users: "office.searched.users",
  orders: "office.searched.orders",
  payments: "office.searched.payments",
  partners: "office.searched.person",
  investors: "office.searched.person",
  batches: "office.searched.batches",
  shares: "office.searched.shares",
  withdrawals: "office.searched.withdrawals",
  complaints: "office.searched.complaints",
  questions: "office.searched.complaints",
  adjustments: "office.searched.number",
  outcomes: "office.searched.outcomes",
  tasks: "office.searched.tasks",
  journal: "office.searched.journal",
};

export const searchedIn = (name: TableName): OfficeKey =>
  Object.hasOwn(searched, name) ? searched[name as Searchable] : "office.search";

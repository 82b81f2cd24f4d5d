import { domainKinds } from "../catalog.ts";
import type { OfficeTable } from "./table.ts";

/** `replaced`: another one of the same price began later; `undone`: taken back before its moment. */
const priceStates = ["waits", "applies", "replaced", "undone"] as const;

export const priceTables = {
  prices: {
    key: "name",
    sort: "domain",
    search: true,
    columns: {
      /** As an act names it: the mail domain, behind the site of a price of its own. */
      name: { kind: "text", sort: true, hidden: true },
      domain: { kind: "text", sort: true },
      /** Empty: all sites without a price of their own. */
      site: { kind: "text", sort: true },
      kind: { kind: "choice", of: domainKinds, filter: true },
      on: { kind: "flag", filter: true },
      price: { kind: "dollars", sort: true },
      /** What waits for its moment next. */
      next_price: { kind: "dollars" },
      next_at: { kind: "time" },
    },
  },
  price_changes: {
    key: "id",
    sort: "-id",
    time: "made",
    search: true,
    columns: {
      id: { kind: "id", hidden: true, sort: true },
      number: { kind: "id" },
      domain: { kind: "text" },
      site: { kind: "text" },
      before: { kind: "dollars" },
      after: { kind: "dollars" },
      starts: { kind: "time", sort: true },
      state: { kind: "choice", of: priceStates, filter: true },
      made: { kind: "time" },
      by: { kind: "text", filter: true },
      reason: { kind: "text" },
    },
  },
} as const satisfies Record<string, OfficeTable>;

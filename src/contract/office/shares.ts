import type { OfficeTable } from "./table.ts";

/** The state of a buyer's complaint that a letter was not from the site. */
const complaintStates = ["review", "refunded", "rejected"] as const;

export const shareTables = {
  shares: {
    key: "id",
    sort: "-held",
    search: true,
    columns: {
      id: { kind: "text", hidden: true },
      batch: { kind: "id", filter: true },
      site: { kind: "text", sort: true },
      email: { kind: "text" },
      held: { kind: "dollars", sort: true },
      orders: { kind: "count", sort: true },
      /** Shares that wait for an administrator. */
      waiting: { kind: "count", sort: true },
      /** Of the held ones: by how many buyers, how many of the largest one, and how many of buyers who seem to be the investor. */
      buyers: { kind: "count" },
      largest: { kind: "count" },
      tied: { kind: "count" },
      since: { kind: "time" },
      /** Of the last 30 days: of the batch for the site, and of the shop's own mailboxes for it. */
      letters: { kind: "count" },
      proved: { kind: "count" },
      own_letters: { kind: "count" },
      own_proved: { kind: "count" },
      complaints: { kind: "count" },
      refused: { kind: "flag", filter: true },
    },
  },
  complaints: {
    key: "id",
    sort: "-id",
    time: "at",
    search: true,
    columns: {
      id: { kind: "id", sort: true },
      at: { kind: "time" },
      state: { kind: "choice", of: complaintStates, filter: true },
      user: { kind: "id", filter: true },
      email: { kind: "text" },
      batch: { kind: "id", filter: true },
      site: { kind: "text" },
      price: { kind: "dollars" },
      by_buyer: { kind: "count" },
      by_batch: { kind: "count" },
    },
  },
} as const satisfies Record<string, OfficeTable>;

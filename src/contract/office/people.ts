import { questionTopics } from "../account/questions.ts";
import type { OfficeTable } from "./table.ts";

/** `made`: within the limits; the others were beyond them. */
const adjustmentStates = ["made", "waits", "approved", "refused", "expired"] as const;

const questionStates = ["waits", "answered"] as const;

/** What belongs to users, for the page of one, and how their orders end. */
export const peopleTables = {
  questions: {
    key: "id",
    sort: "-id",
    time: "asked",
    search: true,
    columns: {
      id: { kind: "id", sort: true },
      asked: { kind: "time" },
      state: { kind: "choice", of: questionStates, filter: true },
      topic: { kind: "choice", of: questionTopics },
      text: { kind: "text" },
      email: { kind: "text" },
      order: { kind: "id", filter: true },
      payment: { kind: "id", filter: true },
      user: { kind: "id", filter: true, hidden: true },
      answer: { kind: "text" },
      answered: { kind: "time", hidden: true },
    },
  },
  money: {
    key: "line",
    sort: "-line",
    time: "at",
    reach: 10_000,
    columns: {
      /** A transfer, once for each of its two sides. */
      line: { kind: "id", sort: true, hidden: true },
      user: { kind: "id", filter: true },
      at: { kind: "time" },
      /** Of the ledger: balance, referrals, soft, investor, and what of them is held. */
      book: { kind: "text" },
      kind: { kind: "text" },
      moved: { kind: "dollars" },
      order: { kind: "id", filter: true },
      /** Of a top-up. */
      payment: { kind: "id", filter: true },
      reason: { kind: "text" },
    },
  },
  tokens: {
    key: "id",
    sort: "-id",
    time: "created",
    columns: {
      id: { kind: "id", sort: true },
      user: { kind: "id", filter: true },
      name: { kind: "text" },
      created: { kind: "time" },
      expires: { kind: "time" },
      revoked: { kind: "time" },
    },
  },
  webhooks: {
    key: "id",
    sort: "-id",
    time: "created",
    columns: {
      id: { kind: "id", sort: true },
      user: { kind: "id", filter: true },
      /** The rest of the address may be secret. */
      host: { kind: "text" },
      events: { kind: "texts" },
      enabled: { kind: "flag" },
      failures: { kind: "count" },
      created: { kind: "time" },
    },
  },
  adjustments: {
    key: "id",
    sort: "-id",
    time: "asked",
    search: true,
    columns: {
      id: { kind: "id", sort: true },
      asked: { kind: "time" },
      /** Who asked for it, and who decided. */
      by: { kind: "text" },
      decided: { kind: "text" },
      user: { kind: "id", filter: true },
      email: { kind: "text" },
      book: { kind: "text" },
      change: { kind: "dollars" },
      reason: { kind: "text" },
      state: { kind: "choice", of: adjustmentStates, filter: true },
    },
  },
  outcomes: {
    key: "id",
    sort: "-orders",
    search: true,
    columns: {
      id: { kind: "text", hidden: true },
      site: { kind: "text", sort: true },
      domain: { kind: "text", sort: true },
      orders: { kind: "count", sort: true },
      received: { kind: "count" },
      /** Refunded. */
      unserved: { kind: "count", sort: true },
      /** Percent of the orders. */
      success: { kind: "number", sort: true },
    },
  },
} as const satisfies Record<string, OfficeTable>;

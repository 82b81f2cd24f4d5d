import * as z from "zod/mini";
import { domainKinds, tlsWays } from "../catalog.ts";
import { endpoint, officeRoles } from "../endpoint.ts";
import { bounded, field, optional, Page, textOf } from "../fields.ts";
import { Since, Until } from "../lists.ts";
import { batchReasons, batchStates } from "../investors.ts";
import { objectTables } from "./objects.ts";
import { peopleTables } from "./people.ts";
import { priceTables } from "./prices.ts";
import { shareTables } from "./shares.ts";
import { taskTables } from "./tasks.ts";
import { withdrawalTables } from "./withdrawal-acts.ts";
import type { CellKind, OfficeColumn, OfficeTable } from "./table.ts";
import { paymentStates } from "../payments.ts";
import { orderStates } from "../order-states.ts";

export type { CellKind, OfficeColumn, OfficeTable };

const tables = <const Tables extends Record<string, OfficeTable>>(all: Tables) => all;

/** Every table of the back office: the server reads each by one statement, the pages draw it. */
export const officeTables = tables({
  days: {
    key: "day",
    sort: "-day",
    columns: {
      day: { kind: "day", sort: true },
      registrations: { kind: "count" },
      orders: { kind: "count" },
      received: { kind: "count" },
      unserved: { kind: "count" },
      letters: { kind: "count" },
      revenue: { kind: "dollars" },
      top_ups: { kind: "dollars" },
    },
  },
  domains: {
    key: "name",
    sort: "name",
    search: true,
    columns: {
      name: { kind: "text", sort: true },
      kind: { kind: "choice", of: domainKinds, filter: true },
      on: { kind: "flag", filter: true },
      price: { kind: "dollars", sort: true },
      mailboxes: { kind: "count", sort: true },
      imap: { kind: "text" },
      tls: { kind: "choice", of: tlsWays },
    },
  },
  hosts: {
    key: "host",
    sort: "host",
    columns: {
      host: { kind: "text", sort: true },
      tls: { kind: "choice", of: tlsWays },
      /** Trust only the operator's own certificate authorities. */
      own_ca: { kind: "flag" },
      domains: { kind: "texts" },
      connections: { kind: "count" },
      open: { kind: "count" },
      waiting: { kind: "count" },
      logins: { kind: "count" },
      failures: { kind: "count", sort: true },
      error: { kind: "text" },
      error_at: { kind: "time" },
    },
  },
  sites: {
    key: "name",
    sort: "name",
    search: true,
    columns: {
      name: { kind: "text", sort: true },
      blocked: { kind: "flag", filter: true },
      senders: { kind: "texts" },
      living: { kind: "count" },
    },
  },
  turned_away: {
    key: "id",
    sort: "-letters",
    time: "last",
    search: true,
    columns: {
      id: { kind: "text", hidden: true },
      sender: { kind: "text", sort: true },
      /** Null: no order lived at the mailbox. */
      site: { kind: "text", sort: true },
      letters: { kind: "count", sort: true },
      first: { kind: "time" },
      last: { kind: "time", sort: true },
      from: { kind: "text" },
      subject: { kind: "text" },
      letter: { kind: "id" },
    },
  },
  users: {
    key: "id",
    sort: "-id",
    time: "created",
    search: true,
    columns: {
      id: { kind: "id", sort: true },
      email: { kind: "text", sort: true },
      created: { kind: "time" },
      active: { kind: "flag", filter: true },
      confirmed: { kind: "flag" },
      blocked: { kind: "flag", filter: true },
      investor: { kind: "flag", filter: true },
      admin: { kind: "flag", filter: true },
      /** Of administrators. */
      role: { kind: "choice", of: officeRoles },
      balance: { kind: "dollars" },
    },
  },
  orders: {
    key: "id",
    sort: "-id",
    time: "created",
    search: true,
    reach: 100_000,
    columns: {
      id: { kind: "id", sort: true },
      user: { kind: "id", filter: true },
      email: { kind: "text" },
      site: { kind: "text" },
      state: { kind: "choice", of: orderStates, filter: true },
      price: { kind: "dollars" },
      created: { kind: "time" },
      ended: { kind: "time" },
    },
  },
  payments: {
    key: "id",
    sort: "-id",
    time: "created",
    search: true,
    columns: {
      id: { kind: "id", sort: true },
      state: {
        kind: "choice",
        of: paymentStates,
        filter: true,
      },
      user: { kind: "id", filter: true },
      created: { kind: "time" },
      currency: { kind: "text", filter: true },
      dollars: { kind: "dollars", sort: true },
      coins: { kind: "text" },
      credited: { kind: "dollars" },
      review: { kind: "text" },
      /** Play money: the administrator is the payer too. */
      sandbox: { kind: "flag", hidden: true },
    },
  },
  partners: {
    key: "id",
    sort: "-due",
    search: true,
    columns: {
      id: { kind: "id", sort: true },
      email: { kind: "text", sort: true },
      blocked: { kind: "flag" },
      referrals: { kind: "dollars" },
      referrals_due: { kind: "dollars", sort: true },
      soft: { kind: "dollars" },
      soft_due: { kind: "dollars", sort: true },
      due: { kind: "dollars", sort: true },
      /** Held until an administrator decides. */
      held: { kind: "dollars", sort: true },
    },
  },
  investors: {
    key: "id",
    sort: "-due",
    search: true,
    columns: {
      id: { kind: "id", sort: true },
      email: { kind: "text", sort: true },
      /** Percent. */
      share: { kind: "number" },
      batches: { kind: "count" },
      earned: { kind: "dollars", sort: true },
      paid: { kind: "dollars", sort: true },
      due: { kind: "dollars", sort: true },
      /** Earned by unproved letters; not due. */
      held: { kind: "dollars", sort: true },
      flagged: { kind: "flag", filter: true },
    },
  },
  batches: {
    key: "id",
    sort: "-id",
    time: "created",
    search: true,
    columns: {
      id: { kind: "id", sort: true },
      user: { kind: "id", filter: true },
      email: { kind: "text" },
      created: { kind: "time" },
      state: { kind: "choice", of: batchStates, filter: true },
      reason: { kind: "choice", of: batchReasons },
      /** Mailboxes that were tried before the decision, and those that opened. */
      tried: { kind: "count" },
      opened: { kind: "count" },
      flagged: { kind: "flag", filter: true },
      domains: { kind: "texts" },
      count: { kind: "count", sort: true },
      alive: { kind: "count" },
      /** Percent. */
      share: { kind: "number" },
      amount: { kind: "dollars", sort: true },
      held: { kind: "dollars", sort: true },
      /** What the mail server said last to a log-in that it did not let in. */
      said: { kind: "text" },
    },
  },
  ...priceTables,
  ...shareTables,
  ...peopleTables,
  ...objectTables,
  ...taskTables,
  ...withdrawalTables,
  jobs: {
    key: "name",
    // What fails comes first.
    sort: "-failures",
    columns: {
      name: { kind: "text", sort: true },
      /** From the end of a run to the next. */
      seconds: { kind: "number" },
      began: { kind: "time" },
      ended: { kind: "time" },
      /** Seconds of the last turn. */
      took: { kind: "number" },
      next: { kind: "time" },
      runs: { kind: "count" },
      /** The process that runs it now. */
      by: { kind: "text" },
      /** In a row; 0 after a success. */
      failures: { kind: "count", sort: true },
      /** The last failure's message, even when it is over. */
      error: { kind: "text" },
      error_at: { kind: "time" },
    },
  },
  /** What concerned the security of accounts in the last 90 days. */
  security: {
    key: "id",
    sort: "-at",
    time: "at",
    columns: {
      id: { kind: "text", hidden: true },
      at: { kind: "time", sort: true },
      call: { kind: "text", filter: true },
      refused: { kind: "text", filter: true },
      user: { kind: "id", filter: true },
      /** Who did it, where it was another account. */
      by: { kind: "id" },
      network: { kind: "text", filter: true },
      program: { kind: "text" },
    },
  },
  journal: {
    key: "id",
    sort: "-id",
    time: "at",
    search: true,
    columns: {
      id: { kind: "id", sort: true },
      at: { kind: "time" },
      by: { kind: "text", filter: true },
      did: { kind: "text", filter: true },
      about: { kind: "text", filter: true },
      before: { kind: "json" },
      after: { kind: "json" },
      reason: { kind: "text" },
    },
  },
});

export type OfficeTables = typeof officeTables;
export type OfficeTableName = keyof OfficeTables;
const tableNames = Object.keys(officeTables) as OfficeTableName[];

const Cell = z.nullable(z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]));

const TableName = field(z.enum(tableNames), "table", "Which table", { kind: "choice", of: tableNames });
const Sort = optional(
  bounded(41),
  "sort",
  "The column to sort by; with a minus sign before it, the largest first",
  textOf(41),
);
const Search = optional(
  bounded(200),
  "search",
  "An id, or the beginning of a name or email address",
  textOf(200),
);
const Filters = optional(
  bounded(1_000),
  "filters",
  "Values that rows must have, as column:value separated by commas: blocked:1,admin:0",
  textOf(1_000),
);
const asked = {
  table: TableName,
  sort: Sort,
  search: Search,
  filters: Filters,
  since: Since,
  until: Until,
} as const;
const tableRefusals = ["table", "sort", "search", "filters", "request"] as const;

export const officeTable = endpoint({
  name: "officeTable",
  method: "GET",
  path: "/api/admin/tables/{table}",
  access: "admin",
  session: "begun",
  summary: "A page of a table of the back office, twenty-five rows (administrators)",
  ask: { ...asked, page: Page },
  reply: z.object({
    rows: z.array(z.record(z.string(), Cell)),
    /** Counted up to 10,000, with no pages beyond; the file has all rows. */
    total: z.int(),
    more: z.boolean(),
    pages: z.int(),
  }),
  refusals: [...tableRefusals, "page"],
});

export const officeFile = endpoint({
  name: "officeFile",
  method: "GET",
  path: "/api/admin/tables/{table}/file.csv",
  access: "admin",
  session: "begun",
  carried: "csv",
  summary: "All rows of a table of the back office as a CSV file (administrators)",
  ask: asked,
  reply: z.object({}),
  refusals: tableRefusals,
});

import * as z from "zod/mini";
import { domainKinds, tlsWays } from "./catalog.ts";
import { endpoint } from "./endpoint.ts";
import { bounded, field, optional, Page, textOf } from "./fields.ts";
import { batchReasons, batchStates } from "./investors.ts";
import { shareTables } from "./office-shares.ts";
import { paymentStates } from "./payments.ts";

/**
 * What a cell holds on the wire. `id`, `text`, `dollars`, `day` (YYYY-MM-DD), `choice` and `json` (JSON as text) are strings,
 * `count`, `number` and `time` (unix seconds) are numbers, `flag` is a boolean, `texts` a list of strings; any may be null.
 */
export type CellKind =
  | "id"
  | "text"
  | "texts"
  | "count"
  | "number"
  | "dollars"
  | "time"
  | "day"
  | "flag"
  | "choice"
  | "json";

export interface OfficeColumn {
  readonly kind: CellKind;
  /** Rows can be put in its order. */
  readonly sort?: true;
  /** Rows can be had for one value of it. */
  readonly filter?: true;
  /** Of a `choice`: its values. */
  readonly of?: readonly string[];
  /** Says nothing to people, but names the row or says what can be done about it: pages and files do not show it. */
  readonly hidden?: true;
}

export interface OfficeTable {
  readonly columns: Readonly<Record<string, OfficeColumn>>;
  /** The column that names a row. */
  readonly key: string;
  /** The order in which rows come when nobody asks for another. */
  readonly sort: string;
  /**
   * Whether rows can be searched: for one by its id, and for those whose e-mail address, name, subject of the act … begins so.
   * What is only part of a word is not found; of more than 10,000 finds the first are looked at.
   */
  readonly search?: true;
  /** What is filtered is looked for among so many rows, the first ones in the order that is asked for. */
  readonly reach?: number;
}

const tables = <const Tables extends Record<string, OfficeTable>>(all: Tables) => all;

/** Every table of the back office: the server reads it by one statement each, the pages draw it from this. */
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
      /** Its certificate must come from those that the operator gave, and not from the known authorities. */
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
      /** The newest of them. */
      letter: { kind: "id" },
    },
  },
  users: {
    key: "id",
    sort: "-id",
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
      balance: { kind: "dollars" },
    },
  },
  orders: {
    key: "id",
    sort: "-id",
    search: true,
    reach: 100_000,
    columns: {
      id: { kind: "id", sort: true },
      user: { kind: "id", filter: true },
      email: { kind: "text" },
      site: { kind: "text" },
      state: { kind: "choice", of: ["pending", "received", "canceled", "expired"], filter: true },
      price: { kind: "dollars" },
      created: { kind: "time" },
      ended: { kind: "time" },
    },
  },
  payments: {
    key: "id",
    sort: "-id",
    search: true,
    columns: {
      id: { kind: "id", sort: true },
      user: { kind: "id", filter: true },
      created: { kind: "time" },
      currency: { kind: "text", filter: true },
      dollars: { kind: "dollars", sort: true },
      coins: { kind: "text" },
      credited: { kind: "dollars" },
      state: {
        kind: "choice",
        of: paymentStates,
        filter: true,
      },
      review: { kind: "text" },
      /** Of play money: an administrator is the payer too. */
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
      /** Kept apart until somebody decides. */
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
      /** In percent. */
      share: { kind: "number" },
      batches: { kind: "count" },
      earned: { kind: "dollars", sort: true },
      paid: { kind: "dollars", sort: true },
      due: { kind: "dollars", sort: true },
      /** Earned by letters that nothing proves; not due. */
      held: { kind: "dollars", sort: true },
      flagged: { kind: "flag", filter: true },
    },
  },
  batches: {
    key: "id",
    sort: "-id",
    search: true,
    columns: {
      id: { kind: "id", sort: true },
      user: { kind: "id", filter: true },
      email: { kind: "text" },
      created: { kind: "time" },
      state: { kind: "choice", of: batchStates, filter: true },
      reason: { kind: "choice", of: batchReasons },
      flagged: { kind: "flag", filter: true },
      domains: { kind: "texts" },
      count: { kind: "count", sort: true },
      alive: { kind: "count" },
      /** In percent. */
      share: { kind: "number" },
      amount: { kind: "dollars", sort: true },
      held: { kind: "dollars", sort: true },
    },
  },
  ...shareTables,
  jobs: {
    key: "name",
    sort: "name",
    columns: {
      name: { kind: "text", sort: true },
      /** From the end of a turn to the next. */
      seconds: { kind: "number" },
      began: { kind: "time" },
      ended: { kind: "time" },
      /** In a row; 0 when the last turn did its work. */
      failures: { kind: "count", sort: true },
      /** What the last turn that failed said, also when that is over. */
      error: { kind: "text" },
      error_at: { kind: "time" },
    },
  },
  journal: {
    key: "id",
    sort: "-id",
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
const asked = { table: TableName, sort: Sort, search: Search, filters: Filters } as const;
const tableRefusals = ["token", "no access", "table", "sort", "search", "filters"] as const;

export const officeTable = endpoint({
  name: "officeTable",
  method: "GET",
  path: "/api/admin/tables/{table}",
  access: "admin",
  summary: "A page of a table of the back office, twenty-five rows (administrators)",
  ask: { ...asked, page: Page },
  reply: z.object({
    rows: z.array(z.record(z.string(), Cell)),
    /** Counted up to 10,000, and there are no pages beyond them: the file has all rows. */
    total: z.int(),
    /** There are more rows than are counted. */
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
  carried: "csv",
  summary: "All rows of a table of the back office as a CSV file (administrators)",
  ask: asked,
  reply: z.object({}),
  refusals: tableRefusals,
});

/** How many of each wait for somebody. */
export const WaitingCounts = z.object({
  payments: z.int(),
  partners: z.int(),
  batches: z.int(),
  /** Batches and sites of which something is held that the operator decides about. */
  shares: z.int(),
  complaints: z.int(),
  turned_away: z.int(),
  /** Rates that are held back. */
  rates: z.int(),
  /** Invariants that the last audit found broken. */
  audit: z.int(),
});

/** Of now and of today (UTC). */
export const officeOverview = endpoint({
  name: "officeOverview",
  method: "GET",
  path: "/api/admin/overview",
  access: "admin",
  summary: "The state of the shop at this moment (administrators)",
  ask: {},
  reply: z.object({
    /** Orders that wait for a letter. */
    living: z.int(),
    orders_today: z.int(),
    received_today: z.int(),
    letters_today: z.int(),
    revenue_today: z.string(),
    top_ups_today: z.string(),
    registrations_today: z.int(),
    /** What waits for somebody: by the name of the table that shows it. */
    waiting: WaitingCounts,
    /** Parts that must be up, and jobs that failed at their last try. */
    health: z.object({ down: z.array(z.string()), failing: z.array(z.string()) }),
    /** When the last audit was made (unix seconds); null before the first. */
    audited_at: z.nullable(z.int()),
  }),
  refusals: ["token", "no access"],
});

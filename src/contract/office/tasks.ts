import * as z from "zod/mini";
import { bounded, field, id, optional, textOf, wireId } from "../fields.ts";
import { siteLengthMax } from "../limits.ts";
import { act } from "./act.ts";
import { account } from "./people-acts.ts";
import type { OfficeTable } from "./table.ts";

/** What waits to be sent, or to be done later. */
export const queueNames = ["codes", "mail", "bot", "sandbox", "webhooks"] as const;

export const taskTables = {
  tasks: {
    key: "id",
    sort: "-created",
    time: "created",
    search: true,
    columns: {
      id: { kind: "id", hidden: true },
      /** A host, a chat, a site: what the tasks of a queue share. */
      target: { kind: "text", sort: true },
      queue: { kind: "choice", of: queueNames, filter: true },
      kind: { kind: "text" },
      user: { kind: "id", filter: true },
      /** Not tried yet, tried and waiting, given up. */
      state: { kind: "choice", of: ["fresh", "retried", "failed"], filter: true },
      tries: { kind: "count", sort: true },
      error: { kind: "text" },
      created: { kind: "time", sort: true },
      next: { kind: "time" },
    },
  },
  /** The same, added up for each target of a queue. */
  targets: {
    key: "id",
    sort: "-failed",
    columns: {
      id: { kind: "text", hidden: true },
      target: { kind: "text", sort: true },
      queue: { kind: "choice", of: queueNames, filter: true },
      fresh: { kind: "count", sort: true },
      retried: { kind: "count", sort: true },
      failed: { kind: "count", sort: true },
      since: { kind: "time", sort: true },
    },
  },
} as const satisfies Record<string, OfficeTable>;

const Queue = field(z.literal(queueNames), "queue", "Which queue", { kind: "choice", of: queueNames });
const Target = optional(
  bounded(siteLengthMax),
  "no task",
  "Only what is for this host, chat or site",
  textOf(siteLengthMax),
);
const User = optional(wireId, "no user", "Only what is about this account", account);
const TaskId = optional(wireId, "no task", "Only this one", id);

const common = {
  role: "support",
  proof: false,
  reason: "never",
  ask: { queue: Queue, target: Target, user: User, id: TaskId },
  reply: z.object({ count: z.int() }),
  refusals: ["queue", "no task", "no user"],
} as const;

const retryTasks = act({
  ...common,
  name: "retryTasks",
  path: "/api/admin/queues/retry",
  summary: "Try again what waits in a queue or was given up, all of it or some (administrators)",
  commands: {
    "queues retry <queue>": {
      about: "tries again what waits or was given up: all of a queue, or of a host, a chat, an account",
      done: "{count} of {queue} are tried again.",
      undo: false,
    },
  },
});

const giveUpTasks = act({
  ...common,
  name: "giveUpTasks",
  path: "/api/admin/queues/give-up",
  summary: "Give up what waits in a queue, all of it or some (administrators)",
  commands: {
    "queues drop <queue>": {
      about: "gives up what waits: all of a queue, or of a host, a chat, an account",
      done: "{count} of {queue} are given up.",
      undo: "queues retry",
    },
  },
});

export const taskActs = { retryTasks, giveUpTasks } as const;

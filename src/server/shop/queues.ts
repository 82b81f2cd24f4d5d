// What waits and what was given up, as the back office shows it. Its acts are declared in the contract.
import { queueNames } from "../../contract/office/tasks.ts";
import { now } from "../platform/clock.ts";
import { openOffice } from "../office/office.ts";
import { type Act, type Column, ok, refused, table } from "./answer.ts";
import type { Nouns } from "./nouns.ts";
import { pageOption } from "./read.ts";
import { column, time } from "./shares.ts";

interface Chosen {
  readonly queue?: string;
  readonly failed?: true;
  readonly page: number;
}

export function addQueueCommands({ noun, verb, choice }: Nouns): void {
  const queues = noun("queues", "mail, webhooks and messages that wait or were given up");
  verb(queues, "list", "shows what waits and what was given up, the newest first", listTasks)
    .addOption(choice("--queue <queue>", "of this queue", queueNames))
    .option("--failed", "what was given up alone")
    .option(...pageOption("twenty-five"));
}

const columns: Column<Readonly<Record<string, unknown>>>[] = [
  ...["queue", "id", "kind", "target", "user", "state", "tries"].map((name) => column(name, name)),
  { title: "next", of: ({ next }) => time(next) },
  column("last error", "error"),
];

function listTasks({ queue, failed, page }: Chosen): Act {
  return async ({ db }) => {
    const filters = [queue && `queue:${queue}`, failed && "state:failed"].filter(Boolean).join();
    const found = await openOffice(db).page({ table: "tasks", filters }, page, now());
    if (typeof found === "string") return refused("There is no such page.");
    const rows = table(found.rows, columns, "Nothing waits, and nothing was given up.");
    const total = `${found.more ? "more than " : ""}${found.total} in all`;
    return ok(found, found.total === 0 ? rows : `${rows}\n\n${total}, page ${page} of ${found.pages}`);
  };
}

// What waits and what was given up, as the back office shows it. Its acts are declared in the contract.
import { queueNames } from "../../contract/office/tasks.ts";
import { now } from "../platform/clock.ts";
import { openOffice } from "../office/office.ts";
import { type Act, ok, refused, showTime, table } from "./answer.ts";
import type { Nouns } from "./nouns.ts";

interface Chosen {
  readonly queue?: string;
  readonly failed?: true;
  readonly page: string;
}

export function addQueueCommands({ noun, verb, choice }: Nouns): void {
  const queues = noun("queues", "mail, webhooks and messages that wait or were given up");
  verb(queues, "list", "shows what waits and what was given up, the newest first", listTasks)
    .addOption(choice("--queue <queue>", "of this queue", queueNames))
    .option("--failed", "what was given up alone")
    .option("--page <page>", "25 a page", "1");
}

const text = (value: unknown) => String((value ?? "") as string);

function listTasks({ queue, failed, page }: Chosen): Act {
  return async ({ db }) => {
    const filters = [queue && `queue:${queue}`, failed && "state:failed"].filter(Boolean).join();
    const found = await openOffice(db).page({ table: "tasks", filters }, Number(page) || 1, now());
    if (typeof found === "string") return refused("There is no such page.");
    const of = (name: string) => (row: (typeof found.rows)[number]) => text(row[name]);
    const columns = ["queue", "id", "kind", "target", "user", "state", "tries"].map((name) => ({
      title: name,
      of: of(name),
    }));
    const rows = table(
      found.rows,
      [
        ...columns,
        { title: "next", of: ({ next }) => (next === null ? "" : showTime(new Date(Number(next) * 1000))) },
        { title: "last error", of: of("error") },
      ],
      "Nothing waits, and nothing was given up.",
    );
    const total = `${found.more ? "more than " : ""}${found.total} in all`;
    return ok(found, found.total === 0 ? rows : `${rows}\n\n${total}, page ${page} of ${found.pages}`);
  };
}

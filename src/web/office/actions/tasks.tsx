import { Ban, BookX, RotateCw, RotateCcw } from "lucide-react";
import type { Calls } from "../../../client/wire.ts";
import type { RowAction } from "../table/RowActions.tsx";
import type { Row } from "../table/tableState.ts";
import { actsOn } from "./ActDialog.tsx";

type Task = Row<"tasks">;
type Ask = Calls["retryTasks"]["ask"];
const act = actsOn<Task>();

const none = { id: undefined, target: undefined, user: undefined };
const one = ({ queue, id }: Task): Ask => ({ ...none, queue: queue as Ask["queue"], id: id ?? undefined });
const all = ({ queue, target }: Task): Ask => ({
  ...none,
  queue: queue as Ask["queue"],
  target: target ?? undefined,
});
const holes = ({ target }: Task) => ({ target: target ?? "" });
const waits = ({ state }: Task) => state !== "failed";
const result = ({ count }: { count: number }) => ({ count });

/** Without a row: of a queue, a recipient or an account. */
const many = {
  of: () => ({ id: undefined }),
  fields: { user: { label: "office.column.user" } },
  result,
} as const;

export const taskTableActions = [
  actsOn<undefined>()({
    ...many,
    act: "retryTasks",
    title: "office.tasks.retryMany",
    done: "office.tasks.retried",
    Icon: RotateCw,
  }),
  actsOn<undefined>()({
    ...many,
    act: "giveUpTasks",
    title: "office.tasks.giveUpMany",
    done: "office.tasks.givenUp",
    Icon: Ban,
    isDangerous: true,
  }),
];

export const taskActions: readonly RowAction<Task>[] = [
  act({
    act: "retryTasks",
    title: "office.tasks.retry",
    done: "office.tasks.retried",
    Icon: RotateCw,
    of: one,
    result,
  }),
  act({
    act: "retryTasks",
    title: "office.tasks.retryAll",
    done: "office.tasks.retried",
    Icon: RotateCcw,
    of: all,
    holes,
    result,
  }),
  act({
    act: "giveUpTasks",
    title: "office.tasks.giveUp",
    done: "office.tasks.givenUp",
    Icon: Ban,
    fits: waits,
    isDangerous: true,
    of: one,
    result,
  }),
  act({
    act: "giveUpTasks",
    title: "office.tasks.giveUpAll",
    done: "office.tasks.givenUp",
    Icon: BookX,
    fits: waits,
    isDangerous: true,
    of: all,
    holes,
    result,
  }),
];

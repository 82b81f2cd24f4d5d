// Work that waits, as rows of one table (docs/decisions/096). What a task does, and its texts, belong to the module of its queue.
import { secondsAfter } from "../clock.ts";

export {
  addTask,
  addTasks,
  deleteTasks,
  failTask,
  finishTasks,
  forgetTasks,
  giveUpTasks,
  mayBeDone,
  renewTasks,
  selectSizes,
  takeTasks,
  type NewTask,
  type Task,
  tryTasksAgain,
  type Which,
} from "./tasks.sql.ts";

/** How long what failed waits for its next try. */
export interface BackOff {
  /** After the first failure, the second, and so on. */
  readonly waitsSeconds: readonly number[];
  /** The last wait is repeated until then, counted from its beginning; left out, what failed after it is given up. */
  readonly lifeSeconds?: number;
}

/** The seconds after so many tries; undefined gives up. */
export const waitOf = ({ waitsSeconds, lifeSeconds }: BackOff, tries: number): number | undefined =>
  waitsSeconds[tries - 1] ?? (lifeSeconds === undefined ? undefined : waitsSeconds.at(-1));

/** When something that failed at `at` is tried again; undefined gives it up. */
export function nextTry(
  backOff: BackOff,
  { tries, createdAt }: { readonly tries: number; readonly createdAt: Date },
  at: Date,
): Date | undefined {
  const wait = waitOf(backOff, tries);
  if (wait === undefined) return undefined;
  const next = secondsAfter(at, wait);
  const { lifeSeconds } = backOff;
  return lifeSeconds === undefined || next < secondsAfter(createdAt, lifeSeconds) ? next : undefined;
}

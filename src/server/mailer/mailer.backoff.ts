import { codeLifeSeconds } from "../../contract/limits.ts";
import { secondsAfter } from "../platform/clock.ts";
import type { BackOff, Task } from "../platform/jobs/tasks.ts";
import { isCode } from "./mailer.texts.ts";

const code: BackOff = { waitsSeconds: [5, 15, 45, 120], lifeSeconds: codeLifeSeconds };
const news: BackOff = { waitsSeconds: [5, 15, 45, 135, 405, 1215, 3600], lifeSeconds: 24 * 3600 };
export const backOffOf = (kind: string): BackOff => (isCode(kind) ? code : news);

/** An expired code is worthless; late news is not. */
export const isDead = ({ kind, createdAt }: Pick<Task, "kind" | "createdAt">, at: Date): boolean =>
  isCode(kind) && at >= secondsAfter(createdAt, codeLifeSeconds);

const restMinSeconds = 5;
const restMaxSeconds = 60;

export interface Rest {
  lastsAt(at: Date): boolean;
  isOver(): boolean;
  /** A failure: the seconds of the pause, and whether it is the first. */
  begin(at: Date): { seconds: number; isNew: boolean };
  /** A success; answers whether it ended a pause. */
  end(): boolean;
}

export function openRest(): Rest {
  let until: Date | undefined;
  let failures = 0;
  return {
    lastsAt: (at) => until !== undefined && at < until,
    isOver: () => until === undefined,
    begin(at) {
      const isNew = until === undefined;
      // Mails that failed together are one failure.
      if (until === undefined || at >= until) failures++;
      const seconds = Math.min(restMinSeconds * 2 ** (failures - 1), restMaxSeconds);
      until = secondsAfter(at, seconds);
      return { seconds, isNew };
    },
    end() {
      const isNews = until !== undefined;
      until = undefined;
      failures = 0;
      return isNews;
    },
  };
}

import { codeLifeSeconds } from "../../contract/limits.ts";
import { secondsAfter } from "../platform/clock.ts";
import type { NoticeKind } from "./mailer.texts.ts";

interface Told {
  readonly kind: NoticeKind;
  readonly createdAt: Date;
  readonly tries: number;
}

const code = { lifeSeconds: codeLifeSeconds, waitMaxSeconds: 120 };
const news = { lifeSeconds: 24 * 3600, waitMaxSeconds: 3600 };
const patienceFor = (kind: NoticeKind) => (kind === "activation-code" || kind === "reset-code" ? code : news);
const waitMinSeconds = 5;
const waitGrowth = 3;

/** An expired code is worthless; late news is not. */
export function isDead({ kind, createdAt }: Told, at: Date): boolean {
  return patienceFor(kind) === code && at >= secondsAfter(createdAt, code.lifeSeconds);
}

/** When to try again after a failure at `at`; undefined when that is too late. */
export function nextTry({ kind, createdAt, tries }: Told, at: Date): Date | undefined {
  const { lifeSeconds, waitMaxSeconds } = patienceFor(kind);
  const next = secondsAfter(at, Math.min(waitMinSeconds * waitGrowth ** (tries - 1), waitMaxSeconds));
  return next < secondsAfter(createdAt, lifeSeconds) ? next : undefined;
}

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

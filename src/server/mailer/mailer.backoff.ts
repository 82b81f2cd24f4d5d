// How long a mail is worth sending, and how long is waited between tries. Knows no database.
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
const patience: Record<NoticeKind, typeof code> = {
  "activation-code": code,
  "reset-code": code,
  "webhook-disabled": news,
};
const waitMinSeconds = 5;
const waitGrowth = 3;

/** Whether what it tells is worth nothing any more. News that could not be sent in time, as nobody was there to, still is. */
export function isDead({ kind, createdAt }: Told, at: Date): boolean {
  return patience[kind] === code && at >= secondsAfter(createdAt, code.lifeSeconds);
}

/** When a notice is tried again whose try of `at` failed; undefined when that is too late. */
export function nextTry({ kind, createdAt, tries }: Told, at: Date): Date | undefined {
  const { lifeSeconds, waitMaxSeconds } = patience[kind];
  const next = secondsAfter(at, Math.min(waitMinSeconds * waitGrowth ** (tries - 1), waitMaxSeconds));
  return next < secondsAfter(createdAt, lifeSeconds) ? next : undefined;
}

const restMinSeconds = 5;
const restMaxSeconds = 60;

/** The rest that a relay gets when it cannot be reached. */
export interface Rest {
  lastsAt(at: Date): boolean;
  /** Whether nothing is known against the relay. */
  isOver(): boolean;
  /** It could not be reached: how long it is left alone now, and whether that is news. */
  begin(at: Date): { seconds: number; isNew: boolean };
  /** It took a mail; answers whether that is news. */
  end(): boolean;
}

/** Starts with a relay that is believed to be there. */
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

// Fetches letters of hosted mailboxes from their registered IMAP server while an order lives there. One transaction saves the letter and
// its mark: no crash loses a letter or keeps it twice.
import { randomUUID } from "node:crypto";
import { secondsAfter } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import { Fetcher, type FetcherOptions, type Times, usualTimes } from "./imap.fetcher.ts";
import { check, type Seen } from "./imap.check.ts";
import { noteMarks, sellOne } from "./imap.same.ts";
import { deleteOldMarks } from "./imap.same.sql.ts";
import { noteOpened, noteRefused } from "./imap.stock.ts";
import {
  borrow,
  deleteOld,
  type Host,
  markUp,
  release,
  selectBoxes,
  selectHosts,
  selectRefused,
  upsertHost,
} from "./imap.sql.ts";

export { readCertificates, registerHost, restore } from "./imap.admin.ts";
export { withholdRefused } from "./imap.stock.ts";
export type { Times } from "./imap.fetcher.ts";
export type { Host, HostSettings } from "./imap.sql.ts";

/** What a check of a mailbox showed. */
export interface Looked {
  /** "later": orders need the server now. */
  readonly seen: Seen | "later";
  /** What the server said when it did not let us in, without login and password. */
  readonly answer?: string;
}

export interface Imap {
  /** Only processes with the role jobs call it. */
  start(): Promise<void>;
  stop(): Promise<void>;
  hosts(): Promise<Host[]>;
  /** Checks a hosted mailbox once. With `before` also searches earlier letters. */
  check(mailboxId: bigint, before?: Date): Promise<Looked>;
  /** Takes a mailbox out of sale whose log-in was refused by `check`. */
  refuse(mailboxId: bigint): Promise<void>;
  /** Tries refused mailboxes whose turn it is: one that opens is on sale again. */
  retryRefused(): Promise<void>;
  forget(now: Date): Promise<void>;
}

export type ImapOptions = Omit<FetcherOptions, "times"> & { readonly times?: Partial<Times> };

const rememberedSeconds = 2 * 24 * 3600;
/** Twice as long as each mailbox on sale is opened once. */
const markedSeconds = 60 * 24 * 3600;

export function openImap(options: ImapOptions): Imap {
  const { db } = options;
  const times = { ...usualTimes, ...options.times };
  const fetcher = new Fetcher({ ...options, times });
  return {
    start: () => fetcher.start(),
    stop: () => fetcher.stop(),
    check: (mailboxId, before) => lookOnce({ ...options, times }, mailboxId, before),
    refuse: async (mailboxId) => {
      const [box] = await selectBoxes(db, [mailboxId]);
      if (box) await noteRefused(options, box, "refused at a check");
    },
    retryRefused: async () => {
      const due = await selectRefused(db, refusedAtOnce);
      await Promise.all(due.map(({ mailboxId }) => lookOnce({ ...options, times }, mailboxId, undefined)));
    },
    hosts: () => selectHosts(db),
    forget: async (now) => {
      await deleteOld(db, secondsAfter(now, -rememberedSeconds));
      await deleteOldMarks(db, secondsAfter(now, -markedSeconds));
    },
  };
}

const lentSeconds = 90;

async function lookOnce(
  { db, log, seal, times }: Pick<FetcherOptions, "db" | "log" | "seal" | "times">,
  mailboxId: bigint,
  before: Date | undefined,
): Promise<Looked> {
  const worker = `look ${randomUUID()}`;
  if (!(await borrow(db, mailboxId, worker, lentSeconds))) return { seen: "later" };
  try {
    const [box] = await selectBoxes(db, [mailboxId]);
    if (!box) return { seen: "later" };
    const { seen, why, marks } = await check(box, seal, before, times);
    if (seen === "opened" || seen === "personal") {
      await markUp(db, box.hostId);
      await noteOpened({ db, log }, box);
      await sellOne({ db, log }, await noteMarks(db, box, marks));
    } else if (seen === "refused" && box.isRefused) await noteRefused({ db, log }, box, why);
    return why === "" ? { seen } : { seen, answer: why.replaceAll(box.login, "…") };
  } finally {
    await release(db, { mailboxId, worker, nextTrySeconds: 0, failures: 0, refusals: 0, error: null });
  }
}

const refusedAtOnce = 20;

export const listHosts = (db: Db): Promise<Host[]> => selectHosts(db);

export const setHost = upsertHost;

// Mailboxes elsewhere: letters of hosted mailboxes are fetched from the IMAP server that the operator has registered for their
// domain, for as long as an order lives there. A letter, the note that it was fetched, and up to where its folder is read are
// written in one transaction: no crash loses a letter, and none is kept twice.
import { randomUUID } from "node:crypto";
import { secondsAfter } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import { Fetcher, type FetcherOptions, type Times, usualTimes } from "./imap.fetcher.ts";
import { check, type Seen } from "./imap.check.ts";
import { borrow, deleteOld, type Host, release, selectBoxes, selectHosts, upsertHost } from "./imap.sql.ts";

export { readCertificates, registerHost } from "./imap.admin.ts";
export type { Seen } from "./imap.check.ts";
export type { Times } from "./imap.fetcher.ts";
export type { Host, HostSettings } from "./imap.sql.ts";

export interface Imap {
  /** Begins to fetch; only processes with the role jobs do. */
  start(): Promise<void>;
  /** Ends every visit; mailboxes go to other processes at once. */
  stop(): Promise<void>;
  /** Every registered host, and how it fares across all processes. */
  hosts(): Promise<Host[]>;
  /**
   * Opens a hosted mailbox once, at the server that is registered for its domain; "later" when orders need the server now. With
   * `before` it says whether letters are in it that came earlier.
   */
  check(mailboxId: bigint, before?: Date): Promise<Seen | "later">;
  /** Forgets what was fetched two days ago. */
  forget(now: Date): Promise<void>;
}

export type ImapOptions = Omit<FetcherOptions, "times"> & { readonly times?: Partial<Times> };

const rememberedSeconds = 2 * 24 * 3600;

/** Opens the fetching of letters on a database; nothing is fetched before `start`. */
export function openImap(options: ImapOptions): Imap {
  const { db } = options;
  const times = { ...usualTimes, ...options.times };
  const fetcher = new Fetcher({ ...options, times });
  return {
    start: () => fetcher.start(),
    stop: () => fetcher.stop(),
    check: (mailboxId, before) => lookOnce({ ...options, times }, mailboxId, before),
    hosts: () => selectHosts(db),
    forget: (now) => deleteOld(db, secondsAfter(now, -rememberedSeconds)),
  };
}

/** Longer than a look may take. */
const lentSeconds = 90;

async function lookOnce(
  { db, seal, times }: Pick<FetcherOptions, "db" | "seal" | "times">,
  mailboxId: bigint,
  before: Date | undefined,
): Promise<Seen | "later"> {
  const worker = `look ${randomUUID()}`;
  if (!(await borrow(db, mailboxId, worker, lentSeconds))) return "later";
  try {
    const [box] = await selectBoxes(db, [mailboxId]);
    return box ? await check(box, seal, before, times) : "later";
  } finally {
    await release(db, { mailboxId, worker, nextTrySeconds: 0, failures: 0, refusals: 0, error: null });
  }
}

/** Every registered host, for the operator. */
export const listHosts = (db: Db): Promise<Host[]> => selectHosts(db);

/** Says how a host may be used: connections, logins, and whose certificates it has. What is not given stays. */
export const setHost = upsertHost;

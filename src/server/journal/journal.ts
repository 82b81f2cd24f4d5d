import type { ActWords } from "../../contract/office/acts.ts";
import type { Sql } from "../platform/db/db.ts";
import { type Entry, insertEntry, selectEntries } from "./journal.sql.ts";

export type { Entry } from "./journal.sql.ts";

type OtherNoun =
  | "audit"
  | "backup"
  | "cluster"
  | "letters"
  | "news"
  | "picture"
  | "secret"
  | "setup"
  | "story"
  | "wallets";

/** Noun and verb: those of the acts of the back office as they are declared, and what else is done. */
export type Did =
  | ActWords
  | `${OtherNoun} ${string}`
  | "adjustments ask"
  | "shares limit"
  | "stock import"
  | "stock imported"
  | "stock restore"
  | "users disown"
  | "users close"
  | "users email";

/** Amounts are texts (`showUsd`). */
export interface Act {
  /** "operator" for the command on the server, "user 17" for an administrator. */
  readonly by: string;
  readonly did: Did;
  /** The object: "user 17", "letters.test". */
  readonly about: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly reason?: string | undefined;
}

/** Saves an act. Call it in the transaction of the change, so that neither is kept without the other. */
export async function note(sql: Sql, act: Act): Promise<void> {
  await insertEntry(sql, {
    by: act.by,
    did: act.did,
    about: act.about,
    before: json(act.before),
    after: json(act.after),
    reason: act.reason ?? null,
  });
}

export async function list(
  sql: Sql,
  { about, size = 50 }: { about?: string | undefined; size?: number } = {},
): Promise<Entry[]> {
  return selectEntries(sql, about ?? null, size);
}

function json(value: unknown): string | null {
  if (value === undefined) return null;
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? String(part) : part));
}

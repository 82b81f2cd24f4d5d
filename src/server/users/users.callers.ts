import { hash as digest } from "node:crypto";
import { tokenLength } from "../../contract/limits.ts";
import type { Caller } from "../platform/http/answer.ts";
import { now } from "../platform/clock.ts";
import type { Seal } from "../platform/seal.ts";
import type { Holder } from "./users.sql.ts";

/** Callers remembered, at most; the one who was away longest goes first. */
const remembered = 20_000;
/** Should word of a change ever be lost (a broken connection that nobody noticed), a dead token lives no longer than this. */
const lifeMs = 30_000;

const tokenForm = new RegExp(`^[A-Za-z0-9]{${tokenLength}}$`);

/** What is kept of the look-ups that somebody's tokens cost. */
export interface LookUps {
  /** Whether he has none left. */
  isSpent(): Promise<boolean>;
  /** Told of one that found nobody. */
  missed(): Promise<void>;
}

interface Callers {
  callerOf(token: string, lookUps?: LookUps): Promise<Caller | undefined>;
  forget(userId: bigint): void;
  forgetAll(): void;
}

/**
 * Who holds which token, so that a poll does not cost a look-up. Only tokens' hashes are kept, and plain ones at that: a token
 * cannot be guessed from its hash, and the keyed one of the database costs several times as much, at every call.
 */
export function openCallers(find: (hash: Buffer) => Promise<Holder | undefined>, seal: Seal): Callers {
  const known = new Map<string, { holder: Holder; until: number }>();
  /** An account has its own token and those that it made for programs. */
  const keysOf = new Map<bigint, Set<string>>();
  /** Grows with each change: what was read before it is not remembered after it. */
  let changes = 0;

  const drop = (key: string): void => {
    const userId = known.get(key)?.holder.userId;
    if (userId === undefined) return;
    known.delete(key);
    const keys = keysOf.get(userId);
    keys?.delete(key);
    if (keys?.size === 0) keysOf.delete(userId);
  };
  const remember = (key: string, holder: Holder): void => {
    drop(key);
    const until = Math.min(now().getTime() + lifeMs, holder.expiresAt?.getTime() ?? Infinity);
    known.set(key, { holder, until });
    keysOf.set(holder.userId, (keysOf.get(holder.userId) ?? new Set()).add(key));
    const [oldest] = known.keys();
    if (known.size > remembered && oldest !== undefined) drop(oldest);
  };

  return {
    async callerOf(token, lookUps) {
      if (!tokenForm.test(token)) return undefined;
      const key = digest("sha256", token, "base64");
      const entry = known.get(key);
      if (entry && entry.until > now().getTime()) {
        // To the end of the line: a Map keeps the order in which its keys were set.
        known.delete(key);
        known.set(key, entry);
        return callerWith(entry.holder, token);
      }
      if (!entry && lookUps && (await lookUps.isSpent())) return undefined;
      const before = changes;
      const holder = await find(seal.hash("token", token));
      if (!holder && lookUps) await lookUps.missed();
      // Who is not active yet is asked for each time: once he is, no process may tell him otherwise.
      if (holder?.active && before === changes) remember(key, holder);
      return holder && callerWith(holder, token);
    },
    forget(userId) {
      changes++;
      for (const key of keysOf.get(userId) ?? []) drop(key);
    },
    forgetAll() {
      changes++;
      known.clear();
      keysOf.clear();
    },
  };
}

const callerWith = (
  { userId, active, admin, investor, confirmed, limits, expiresAt }: Holder,
  token: string,
): Caller => ({
  userId,
  active,
  admin,
  investor,
  confirmed,
  token,
  limits,
  expiresAt,
});

import { hash as digest } from "node:crypto";
import { tokenLength } from "../../contract/limits.ts";
import type { Caller } from "../platform/http/answer.ts";
import { now } from "../platform/clock.ts";
import type { Seal } from "../platform/seal.ts";
import type { Hashes, Holder } from "./users.sql.ts";

const remembered = 20_000;
/** Limits the life of a dead token if a notification is lost on a broken connection. */
const lifeMs = 30_000;

const tokenForm = new RegExp(`^[A-Za-z0-9]{${tokenLength}}$`);

export interface LookUps {
  /** Whence the call comes. */
  readonly address?: string;
  isSpent(): Promise<boolean>;
  missed(): Promise<void>;
}

interface Callers {
  callerOf(token: string, lookUps?: LookUps): Promise<Caller | undefined>;
  forget(userId: bigint): void;
  forgetAll(): void;
}

/** Caches who holds which token. Plain hashes suffice: a token cannot be guessed from one, and keyed ones cost more. */
export function openCallers(
  find: (hashes: Hashes, address?: string) => Promise<Holder | undefined>,
  seal: Seal,
): Callers {
  const known = new Map<string, { holder: Holder; until: number }>();
  /** An account has its own token and limited ones. */
  const keysOf = new Map<bigint, Set<string>>();
  /** Grows with each change: a holder read before it is not cached after it. */
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
        known.delete(key);
        known.set(key, entry);
        return callerWith(entry.holder, token);
      }
      if (!entry && lookUps && (await lookUps.isSpent())) return undefined;
      const before = changes;
      const holder = await find(seal.hashes("token", token), lookUps?.address);
      if (!holder && lookUps) await lookUps.missed();
      // Inactive accounts are not cached: an activation must show at once in every process.
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

function callerWith(holder: Holder, token: string): Caller {
  const { usedAt: _, ...rest } = holder;
  return { ...rest, token };
}

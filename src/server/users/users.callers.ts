import { tokenLength } from "../../contract/limits.ts";
import { now } from "../kit/clock.ts";
import type { Seal } from "../kit/seal.ts";
import type { Holder } from "./users.sql.ts";

/** Callers remembered, at most; the one who was away longest goes first. */
const remembered = 20_000;
/** Should word of a change ever be lost (a broken connection that nobody noticed), a dead token lives no longer than this. */
const lifeMs = 30_000;

const tokenForm = new RegExp(`^[A-Za-z0-9]{${tokenLength}}$`);

interface Callers {
  callerOf(token: string): Promise<(Holder & { token: string }) | undefined>;
  forget(userId: bigint): void;
  forgetAll(): void;
}

/** Who holds which token, so that a poll does not cost a look-up. Only tokens' hashes are kept. */
export function openCallers(find: (hash: Buffer) => Promise<Holder | undefined>, seal: Seal): Callers {
  const known = new Map<string, { holder: Holder; until: number }>();
  const keyOf = new Map<bigint, string>();
  /** Grows with each change: what was read before it is not remembered after it. */
  let changes = 0;

  const drop = (key: string): void => {
    const entry = known.get(key);
    if (!entry) return;
    known.delete(key);
    keyOf.delete(entry.holder.userId);
  };
  const remember = (key: string, holder: Holder): void => {
    drop(keyOf.get(holder.userId) ?? "");
    known.set(key, { holder, until: now().getTime() + lifeMs });
    keyOf.set(holder.userId, key);
    const [oldest] = known.keys();
    if (known.size > remembered && oldest !== undefined) drop(oldest);
  };

  return {
    async callerOf(token) {
      if (!tokenForm.test(token)) return undefined;
      const hash = seal.hash("token", token);
      const key = hash.toString("base64");
      const entry = known.get(key);
      if (entry && entry.until > now().getTime()) {
        // To the end of the line: a Map keeps the order in which its keys were set.
        known.delete(key);
        known.set(key, entry);
        return { ...entry.holder, token };
      }
      const before = changes;
      const holder = await find(hash);
      // Who is not active yet is asked for each time: once he is, no process may tell him otherwise.
      if (holder?.active && before === changes) remember(key, holder);
      return holder && { ...holder, token };
    },
    forget(userId) {
      changes++;
      drop(keyOf.get(userId) ?? "");
    },
    forgetAll() {
      changes++;
      known.clear();
      keyOf.clear();
    },
  };
}

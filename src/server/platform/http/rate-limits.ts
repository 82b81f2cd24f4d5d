import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { callsMax, callsSeconds, freeCallsMax } from "../../../contract/limits.ts";
import { isLoopback, networkOf, networksOf } from "../network-address.ts";
import { now } from "../clock.ts";
import type { Db } from "../db/db.ts";
import type { Seal } from "../seal.ts";

type By = "account" | "address" | "account and address";
/** Where a caller is: at an address that the account uses, at one that asked for the code, or elsewhere. */
export type Whence = "home" | "asker" | "stranger";
/** `of`: counts only callers of that class, so that one class uses up nothing of another. */
type Rule = { by: By; max: number; seconds: number; of?: Whence };

/**
 * Limits that people stay far below. An address may be an office or a mobile carrier, so limits by address alone are wide. They are
 * for a /64 of IPv6, and rise with the wider networks around it.
 */
const rules = {
  // What was right is given back. Guessers cannot lock the owner out of addresses that the account uses.
  login: [
    { by: "account and address", max: 10, seconds: 15 * 60 },
    { by: "account", max: 100, seconds: 60 * 60, of: "stranger" },
    { by: "address", max: 100, seconds: 15 * 60 },
  ],
  // Each registration sends a mail to an address that the caller names.
  registration: [{ by: "address", max: 60, seconds: 60 * 60 }],
  // Codes fill a mailbox whose owner may not have asked; the minute between two is checked elsewhere.
  codes: [
    { by: "account", max: 10, seconds: 60 * 60, of: "stranger" },
    { by: "account", max: 10, seconds: 60 * 60, of: "home" },
    { by: "address", max: 100, seconds: 60 * 60 },
  ],
  // Many addresses or codes must not search the whole million. Anyone may ask for a code, so who asked has only a limit of their own.
  tries: [
    { by: "account and address", max: 30, seconds: 60 * 60 },
    { by: "account", max: 30, seconds: 60 * 60, of: "stranger" },
    { by: "account", max: 60, seconds: 60 * 60, of: "home" },
    { by: "address", max: 100, seconds: 60 * 60 },
  ],
  // Wrong tokens sent to the bot; a right one resets.
  "bot links": [{ by: "account", max: 10, seconds: 60 * 60 }],
  "links to the bot": [{ by: "account", max: 60, seconds: 60 * 60 }],
  // The caller chooses the URL and the time; events are not counted.
  "webhook sends": [{ by: "account", max: 300, seconds: 60 * 60 }],
  // Each is a batch to check; probing mailboxes would need many.
  uploads: [{ by: "account", max: 50, seconds: 24 * 60 * 60 }],
  // Sites that a limited token names and nobody has ordered for: each is a row for ever.
  "new sites": [
    { by: "account", max: 300, seconds: 24 * 60 * 60 },
    { by: "address", max: 3_000, seconds: 24 * 60 * 60 },
  ],
  pictures: [{ by: "account", max: 300, seconds: 60 * 60 }],
} satisfies Record<string, Rule[]>;

/** Per token. Programs poll hundreds of orders (bursts of 50/s) and stay below; an endless loop does not. */
const callsOfAccount = { points: callsMax, duration: callsSeconds };
/** Calls without a token per address. */
const callsOfAddress = { points: freeCallsMax, duration: 60 };
/** Unknown tokens, counted apart from calls: a crowd behind one address can still use valid ones. */
const strangeTokensOfAddress = { points: 600, duration: 60 };

export type Guarded = keyof typeof rules;

/** `account` is an id or an email address. */
export interface Who {
  readonly account?: string;
  readonly address: string;
  /** Default: a stranger. */
  readonly whence?: Whence;
}

export interface Limits {
  /** Counts one act across all processes. Returns undefined, or the seconds to wait. */
  take(what: Guarded, who: Who, at: Date): Promise<number | undefined>;
  /**
   * What `take` counted was right (a password, a code), so it does not count: an office behind one address may sign in. The counts of
   * the account are reset; those of strangers and of the address go on without this one.
   */
  forgive(what: Guarded, who: Who): Promise<void>;
  /** Counts one call in this process; `key` is "user <id>" or "address <ip>". Returns like `take`. */
  admit(key: string): Promise<number | undefined>;
  missed(address: string): Promise<void>;
  /** Whether an address used up its unknown tokens: only cached ones are accepted from it. */
  isSpent(address: string): Promise<boolean>;
  forget(at?: Date): Promise<number>;
}

/** Opens the limits; keys are stored as keyed hashes. */
export function openLimits(db: Db, seal: Seal): Limits {
  const account = new RateLimiterMemory(callsOfAccount);
  const address = limitNetworks(callsOfAddress);
  const strange = limitNetworks(strangeTokensOfAddress);
  return {
    take: async (what, who, at) => {
      const { whence = "stranger" } = who;
      const buckets = bucketsOf(seal, what, who).filter(({ of = whence }) => of === whence);
      const [narrow, wide] = [
        buckets.filter(({ times }) => times === 1),
        buckets.filter(({ times }) => times > 1),
      ];
      // What is refused in its own network must not use up the limit of the neighbours.
      return (await take(db, narrow, at)) ?? take(db, wide, at);
    },
    forgive: async (what, who) => {
      const { whence = "stranger" } = who;
      // The owner's own sign-in must not give guessers a fresh start.
      const isShared = ({ by, of }: Rule) => by === "address" || of === "stranger";
      const buckets = bucketsOf(seal, what, who);
      const keysOf = (some: Bucket[]) => some.map(({ key }) => key);
      const own = keysOf(buckets.filter((bucket) => !isShared(bucket)));
      const shared = keysOf(buckets.filter((bucket) => isShared(bucket) && (bucket.of ?? whence) === whence));
      await db`delete from limit_bucket where key in (select k::bytea from unnest(${own}::text[]) as k)`;
      await giveBack(db, shared);
    },
    admit: async (key) => {
      if (!key.startsWith("address ")) return consume(account, key);
      return address.take(key.slice("address ".length));
    },
    missed: async (from) => void (await strange.take(from)),
    isSpent: (from) => strange.isSpent(from),
    forget: async (at = now()) => (await db`delete from limit_bucket where ends_at <= ${at}`).count,
  };
}

type Bucket = Rule & { key: string; times: number };

function bucketsOf(seal: Seal, what: Guarded, { account, address }: Who): Bucket[] {
  const network = limitedAs(address);
  const keyOf = (...parts: string[]) =>
    `\\x${seal.hash("limit", JSON.stringify([what, ...parts])).toString("hex")}`;
  return rules[what].flatMap((rule: Rule): Bucket[] => {
    const { by, max } = rule;
    const of = rule.of === undefined ? [] : [rule.of];
    if (by === "address")
      return network === undefined
        ? []
        : networksOf(address).map(({ network: key, times }) => ({
            ...rule,
            max: max * times,
            times,
            key: keyOf(by, "", key, ...of),
          }));
    if (account === undefined) return [];
    const from = by === "account" ? "" : (network ?? "here");
    return [{ ...rule, times: 1, key: keyOf(by, account, from, ...of) }];
  });
}

/** Limits in this process by the networks of an address. */
function limitNetworks({ points, duration }: { points: number; duration: number }) {
  const limiters = new Map<number, RateLimiterMemory>();
  const counted = (from: string) =>
    isLoopback(from)
      ? []
      : networksOf(from).map(({ network, times }) => {
          const limiter = limiters.get(times) ?? new RateLimiterMemory({ points: points * times, duration });
          limiters.set(times, limiter);
          return { limiter, network };
        });
  return {
    take: async (from: string): Promise<number | undefined> => {
      for (const { limiter, network } of counted(from)) {
        const wait = await consume(limiter, network);
        if (wait !== undefined) return wait;
      }
      return undefined;
    },
    isSpent: async (from: string): Promise<boolean> => {
      for (const { limiter, network } of counted(from))
        if (((await limiter.get(network))?.consumedPoints ?? 0) >= limiter.points) return true;
      return false;
    },
  };
}

/** Takes all buckets in one sorted statement, against deadlocks. A window of a fast clock lasts no longer than the rule says. */
async function take(db: Db, buckets: Bucket[], at: Date): Promise<number | undefined> {
  if (buckets.length === 0) return undefined;
  const taken = await db<{ key: string; count: number; left: number }[]>`
    insert into limit_bucket as b (key, count, ends_at)
    select t.key::bytea, 1, ${at}::timestamptz + make_interval(secs => t.seconds)
    from unnest(${buckets.map(({ key }) => key)}::text[], ${buckets.map(({ seconds }) => seconds)}::integer[])
      as t (key, seconds) order by t.key
    on conflict (key) do update set
      count = case when b.ends_at <= ${at} then 1 else b.count + 1 end,
      ends_at = case when b.ends_at <= ${at} then excluded.ends_at else least(b.ends_at, excluded.ends_at) end
    returning key::text as key, count, extract(epoch from ends_at - ${at})::float8 as left`;
  const waits = taken.flatMap(({ key, count, left }) => {
    const max = buckets.find((bucket) => bucket.key === key)?.max ?? 0;
    return count > max ? [left] : [];
  });
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** Locks in the order of `take`, against deadlocks. */
async function giveBack(db: Db, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  await db`
    with b as materialized (
      select key from limit_bucket where key in (select k::bytea from unnest(${keys}::text[]) as k) order by key for update)
    update limit_bucket l set count = greatest(l.count - 1, 0) from b where l.key = b.key`;
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<number | undefined> {
  try {
    await limiter.consume(key);
    return undefined;
  } catch (exceeded) {
    if (exceeded instanceof RateLimiterRes) return Math.min(exceeded.msBeforeNext / 1_000, limiter.duration);
    throw exceeded;
  }
}

/** The limit key. Undefined for loopback: the operator, or a proxy for all clients (then set TRUST_PROXY). */
export function limitedAs(address: string): string | undefined {
  return isLoopback(address) ? undefined : networkOf(address);
}

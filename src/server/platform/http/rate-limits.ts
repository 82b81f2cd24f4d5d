import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { callsMax, callsSeconds, freeCallsMax } from "../../../contract/limits.ts";
import { isLoopback, networkOf } from "../network-address.ts";
import { now } from "../clock.ts";
import type { Db } from "../db/db.ts";
import type { Seal } from "../seal.ts";

type By = "account" | "address" | "account and address";
/** `of`: counts those alone who come from an address that the account is used from, or those alone who do not; everybody if left out. */
type Rule = { by: By; max: number; seconds: number; of?: "strangers" | "known" };

/**
 * How often a guarded thing may be done. People stay far below; only guessing and flooding do not.
 * An address may be a whole office or a mobile carrier, so what counts addresses alone is wide.
 */
const rules = {
  // Wrong passwords only: a right one forgives. One guesser is stopped soon, many together within the hour; however many they are,
  // they do not lock the owner out of the addresses from which the account is used.
  login: [
    { by: "account and address", max: 10, seconds: 15 * 60 },
    { by: "account", max: 100, seconds: 60 * 60, of: "strangers" },
    { by: "address", max: 100, seconds: 15 * 60 },
  ],
  // Each registration sends a mail to an address that the caller names.
  registration: [{ by: "address", max: 60, seconds: 60 * 60 }],
  // Codes fill the mailbox of somebody who may not have asked for them; the minute between two is kept elsewhere.
  codes: [
    { by: "account", max: 10, seconds: 60 * 60, of: "strangers" },
    { by: "account", max: 10, seconds: 60 * 60, of: "known" },
    { by: "address", max: 100, seconds: 60 * 60 },
  ],
  // Beside the 5 tries that an address has of each code: many addresses, or code after code, must not add up to a search through all
  // million. What strangers use up leaves those their own who use the account, or have asked for the code.
  tries: [
    { by: "account and address", max: 30, seconds: 60 * 60 },
    { by: "account", max: 30, seconds: 60 * 60, of: "strangers" },
    { by: "account", max: 60, seconds: 60 * 60, of: "known" },
    { by: "address", max: 100, seconds: 60 * 60 },
  ],
  // Tokens that somebody writes to the bot; a right one forgives.
  "bot links": [{ by: "account", max: 10, seconds: 60 * 60 }],
  // A page that stays open makes a new link every ten minutes.
  "links to the bot": [{ by: "account", max: 60, seconds: 60 * 60 }],
  // Each asks an address for an answer that the caller names, at the moment that he chooses; events go out uncounted.
  "webhook sends": [{ by: "account", max: 300, seconds: 60 * 60 }],
  // Each is a batch to be checked; nobody has so many files a day, and who tries what opens needs many.
  uploads: [{ by: "account", max: 50, seconds: 24 * 60 * 60 }],
  // Each is drawn anew, which takes a processor for a while; a day of writing stories needs fewer.
  pictures: [{ by: "account", max: 300, seconds: 60 * 60 }],
} satisfies Record<string, Rule[]>;

/**
 * Calls of one token, whatever address they come from. Programs poll every second, some for hundreds of orders at once
 * (bursts of 50/s are usual), and shops that resell order with dozens of connections: both stay below. An endless
 * loop without a pause does not, and leaves the others their share.
 */
const callsOfAccount = { points: callsMax, duration: callsSeconds };
/** Calls without a token from one address: log-in forms, captchas, documentation. */
const callsOfAddress = { points: freeCallsMax, duration: 60 };
/**
 * Tokens from one address that nobody has, each at the price of a look-up. Counted apart from the calls: a crowd behind one
 * address uses those up without having guessed at anything, and whoever brings a good token from there is let in.
 */
const strangeTokensOfAddress = { points: 600, duration: 60 };

export type Guarded = keyof typeof rules;

/** Whom a guarded act is counted for. `account` is an id or an e-mail address. */
export interface Who {
  readonly account?: string;
  readonly address: string;
  /** Whether the account is used from this address, so that what others do does not count against it. */
  readonly isKnown?: boolean;
}

export interface Limits {
  /** Counts one guarded act, across all processes. Answers undefined, or the seconds to wait when it is one too many. */
  take(what: Guarded, who: Who, at: Date): Promise<number | undefined>;
  /** Forgets what was counted against an account: it was the owner after all. What counts his address alone stays. */
  forgive(what: Guarded, who: Who): Promise<void>;
  /** Counts one call of the API in this process; `key` is "user <id>" or "address <ip>". Answers as `take` does. */
  admit(key: string): Promise<number | undefined>;
  /** Counts a token from an address that nobody has. */
  missed(address: string): Promise<void>;
  /** Whether as many tokens that nobody has came from an address as may for now: it is let in with known ones alone. */
  isSpent(address: string): Promise<boolean>;
  /** Deletes the windows that are over; answers how many. For a job. */
  forget(at?: Date): Promise<number>;
}

/** Opens the limits of a shop. Who was counted is kept as a keyed hash. */
export function openLimits(db: Db, seal: Seal): Limits {
  const account = new RateLimiterMemory(callsOfAccount);
  const address = new RateLimiterMemory(callsOfAddress);
  const strange = new RateLimiterMemory(strangeTokensOfAddress);
  return {
    take: (what, who, at) => {
      const other = who.isKnown === true ? "strangers" : "known";
      return take(
        db,
        bucketsOf(seal, what, who).filter(({ of }) => of !== other),
        at,
      );
    },
    forgive: async (what, who) => {
      const keys = bucketsOf(seal, what, who).flatMap(({ by, key }) => (by === "address" ? [] : [key]));
      await db`delete from limit_bucket where key in (select k::bytea from unnest(${keys}::text[]) as k)`;
    },
    admit: async (key) => {
      if (!key.startsWith("address ")) return consume(account, key);
      const from = limitedAs(key.slice("address ".length));
      return from === undefined ? undefined : consume(address, from);
    },
    missed: async (from) => {
      const key = limitedAs(from);
      if (key !== undefined) await consume(strange, key);
    },
    isSpent: async (from) => {
      const key = limitedAs(from);
      const missed = key === undefined ? null : await strange.get(key);
      return missed !== null && missed.consumedPoints >= strangeTokensOfAddress.points;
    },
    forget: async (at = now()) => (await db`delete from limit_bucket where ends_at <= ${at}`).count,
  };
}

type Bucket = Rule & { key: string };

function bucketsOf(seal: Seal, what: Guarded, { account, address }: Who): Bucket[] {
  const network = limitedAs(address);
  return rules[what].flatMap((rule: Rule) => {
    const { by, of } = rule;
    if (by === "address" ? network === undefined : account === undefined) return [];
    const whom = [by === "address" ? "" : account, by === "account" ? "" : (network ?? "here")];
    const hash = seal.hash("limit", JSON.stringify([what, by, ...whom, ...(of === undefined ? [] : [of])]));
    return [{ ...rule, key: `\\x${hash.toString("hex")}` }];
  });
}

/**
 * All buckets in one statement, sorted, so that two that take the same ones at once cannot wait for one another. A window that ends
 * later than one that begins now was begun by a clock that ran ahead: nobody waits for that longer than the rule says.
 */
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

async function consume(limiter: RateLimiterMemory, key: string): Promise<number | undefined> {
  try {
    await limiter.consume(key);
    return undefined;
  } catch (exceeded) {
    if (exceeded instanceof RateLimiterRes) return Math.min(exceeded.msBeforeNext / 1_000, limiter.duration);
    throw exceeded;
  }
}

/**
 * Whom an address stands for. Undefined for loopback, which is not limited: there sits the operator, or his proxy, which
 * would speak for everybody (then set TRUST_PROXY).
 */
export function limitedAs(address: string): string | undefined {
  return isLoopback(address) ? undefined : networkOf(address);
}

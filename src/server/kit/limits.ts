import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { z } from "zod/mini";
import { now } from "./clock.ts";
import { type Db, one } from "./db.ts";
import type { Seal } from "./seal.ts";

/** How often is too often: `count` times in `seconds`. Generous for people and programs, hopeless for guessing. */
const limits = {
  /** Guesses at one account's password, from wherever they come. */
  "login of account": { count: 20, seconds: 15 * 60 },
  /** One address trying many accounts; offices share one, so not small. */
  "login from address": { count: 100, seconds: 15 * 60 },
  "registration from address": { count: 30, seconds: 60 * 60 },
  /** Codes are also held back by their own minute between two. */
  "codes of account": { count: 10, seconds: 60 * 60 },
  "codes from address": { count: 60, seconds: 60 * 60 },
} as const;

export type LimitName = keyof typeof limits;

/** Polling and ordering of one token (api.md: burst 50/s, never by a shared address alone), kept in this process. */
const callsPerSecond = 50;
const burstCalls = 250;
/** Calls without a token from one address: pages before the login, wrong tokens. */
const strangerCallsPerSecond = 100;

export interface Limits {
  /**
   * Counts one more of a sensitive act, across all processes. Answers the seconds to wait when it is one too many.
   * Addresses of this machine are not counted: only its operator, or his proxy without TRUST_PROXY, comes from there.
   */
  readonly take: (name: LimitName, key: string) => Promise<number | undefined>;
  /** Counts a call of a token or of an address in this process; see `Edge.admit`. */
  readonly admit: (key: string) => Promise<number | undefined>;
  /** Removes windows that are over: a job. */
  readonly forget: () => Promise<void>;
}

/** Opens the limits on a database. */
export function openLimits(db: Db, seal: Seal): Limits {
  const callers = new RateLimiterMemory({ points: burstCalls, duration: burstCalls / callsPerSecond });
  const strangers = new RateLimiterMemory({ points: strangerCallsPerSecond, duration: 1 });
  return {
    take: async (name, key) => {
      if (name.endsWith("from address") && isLoopback(key)) return undefined;
      return count(db, name, seal.hash(`limit ${name}`, key));
    },
    admit: (key) => {
      const stranger = /^address (.*)$/.exec(key)?.[1];
      if (stranger === undefined) return consume(callers, key);
      return isLoopback(stranger) ? Promise.resolve(undefined) : consume(strangers, key);
    },
    forget: async () => void (await db`delete from limit_bucket where ends_at < ${now()}`),
  };
}

const Counted = z.object({ count: z.int(), left: z.number() });

async function count(db: Db, name: LimitName, key: Buffer): Promise<number | undefined> {
  const { count: allowed, seconds } = limits[name];
  const window = `${seconds} seconds`;
  const counted = await one(
    Counted,
    db`insert into limit_bucket as old (key, ends_at, count)
       values (${key}, clock_timestamp() + ${window}::interval, 1)
       on conflict (key) do update set
         count = case when old.ends_at <= clock_timestamp() then 1 else old.count + 1 end,
         ends_at = case when old.ends_at <= clock_timestamp() then excluded.ends_at else old.ends_at end
       returning count, extract(epoch from ends_at - clock_timestamp())::float8 as left`,
  );
  return counted.count > allowed ? counted.left : undefined;
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<number | undefined> {
  try {
    await limiter.consume(key);
    return undefined;
  } catch (exceeded) {
    if (exceeded instanceof RateLimiterRes) return exceeded.msBeforeNext / 1000;
    throw exceeded;
  }
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/, "");
  return plain === "::1" || plain.startsWith("127.");
}

// How often a letter came for a site, how soon, and the price per letter. db/functions/count_outcomes.sql counts; this file reads.
import { outcomeOrdersMin } from "../../contract/limits.ts";
import { secondsAfter } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import { usdNumber, type Usd } from "../platform/money.ts";
import { callFoldOutcomes, selectOutcomes, type OutcomeRow } from "./orders.outcomes.sql.ts";

/** Of ended orders: how many, the share with a letter, the median seconds to it; left out while unknown. */
export type Outcome = { orders: number; share?: number; seconds?: number };

/** `letter_price`: the price divided by the share. */
export type Stats = { day: Outcome; week: Outcome; letter_price?: number };

export interface Outcomes {
  /** By domain and its price; up to a minute old. */
  of(siteId: number, at: Date): Promise<(domainId: number, price: Usd) => Stats>;
}

const rememberedSeconds = 45;
const sitesRemembered = 1_000;

type Counted = ReadonlyMap<number, OutcomeRow>;

export function openOutcomes(db: Db): Outcomes {
  const remembered = new Map<number, { until: Date; counted: Promise<Counted> }>();

  const read = (siteId: number, at: Date): Promise<Counted> => {
    const known = remembered.get(siteId);
    if (known && known.until > at) return known.counted;
    const counted = count(db, siteId, at);
    remembered.delete(siteId);
    const [oldest] = remembered.keys();
    if (remembered.size >= sitesRemembered && oldest !== undefined) remembered.delete(oldest);
    remembered.set(siteId, { until: secondsAfter(at, rememberedSeconds), counted });
    counted.catch(() => remembered.delete(siteId));
    return counted;
  };

  return {
    of: async (siteId, at) => {
      const counted = siteId === 0 ? new Map<number, OutcomeRow>() : await read(siteId, at);
      return (domainId, price) => statsOf(counted.get(domainId), price);
    },
  };
}

export async function foldOutcomes(db: Db, at: Date): Promise<void> {
  await callFoldOutcomes(db, at);
}

async function count(db: Db, siteId: number, at: Date): Promise<Counted> {
  return new Map((await selectOutcomes(db, siteId, at)).map((row) => [row.domainId, row]));
}

function statsOf(row: OutcomeRow | undefined, price: Usd): Stats {
  if (!row) return { day: { orders: 0 }, week: { orders: 0 } };
  const day = outcome(row.dayOrders, row.dayReceived, row.daySeconds);
  const week = outcome(row.weekOrders, row.weekReceived, row.weekSeconds);
  const [orders, received] =
    row.dayOrders >= outcomeOrdersMin ? [row.dayOrders, row.dayReceived] : [row.weekOrders, row.weekReceived];
  return { day, week, ...(received === 0n ? {} : { letter_price: usdNumber((price * orders) / received) }) };
}

function outcome(orders: bigint, received: bigint, seconds: number | null): Outcome {
  if (orders === 0n) return { orders: 0 };
  return {
    orders: Number(orders),
    share: rounded(Number(received) / Number(orders), 4),
    ...(seconds === null ? {} : { seconds: rounded(seconds, 1) }),
  };
}

const rounded = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits;

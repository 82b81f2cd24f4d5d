// Computes the rate that the public sources agree on. Pure: no clock, no database. The rules: docs/payments.md, Rates.
import { type Coin, currencies } from "../../../contract/currencies.ts";
import { secondsAfter } from "../../platform/clock.ts";
import { type Usd, usd } from "../../platform/money.ts";

/** A ticker: several currencies are the same coin on several chains. */
export type { Coin };

export interface Quote {
  readonly coin: Coin;
  readonly source: string;
  /** 10⁻⁸ dollar, or 10⁻⁸ USDT, for one whole coin. */
  readonly price: bigint;
  readonly inUsdt: boolean;
  readonly quotedAt: Date;
}

export interface Point {
  readonly usd: bigint;
  readonly at: Date;
}

/** `few`: fewer than two fresh sources. `jump`: far from the last minutes. `held`: after a jump. `depeg`: USDT is no dollar. */
export type Why = "few" | "disagree" | "jump" | "held" | "depeg";

/** `old` quotes do not count, `off` ones were outvoted. */
export interface Weighed extends Quote {
  readonly use: "used" | "old" | "off";
  /** In dollars; undefined where the source counts in USDT and USDT has no rate. */
  readonly usd: Usd | undefined;
}

export interface Agreed {
  readonly usd: Usd | undefined;
  readonly why: Why | undefined;
  readonly quotes: readonly Weighed[];
}

const freshSeconds = 120;
// A source's clock may run ahead of ours by so much.
const aheadSeconds = 60;
const sourcesMin = 2;
const jumpSeconds = 10 * 60;
const par = usd("1");
const dollarCoins = new Set(currencies.flatMap(({ coin, contract }) => (contract ? [coin] : [])));

const isOff = (one: bigint, from: bigint, thousandths: bigint) =>
  (one > from ? one - from : from - one) * 1000n > from * thousandths;
const offMax = 15n;
const depegMax = 20n;
const jumpMax = 100n;

export function rateFrom(
  coin: Coin,
  quotes: readonly Quote[],
  history: { points: readonly Point[]; isHeld: boolean },
  now: Date,
): Agreed {
  const agreed = agree(coin, quotes, now);
  const no = (why: Why): Agreed => ({ ...agreed, usd: undefined, why });
  if (history.isHeld) return no("held");
  if (agreed.usd === undefined) return agreed;
  if (jumpOf(agreed.usd, history.points, now)) return no("jump");
  if (!dollarCoins.has(coin)) return agreed;
  if (isOff(agreed.usd, par, depegMax)) return no("depeg");
  return { ...agreed, usd: agreed.usd < par ? agreed.usd : par };
}

export function jumpOf(rate: Usd, points: readonly Point[], now: Date): Point | undefined {
  const since = secondsAfter(now, -jumpSeconds);
  return points.find((point) => point.at >= since && isOff(rate, point.usd, jumpMax));
}

/** The median of fresh quotes near each other: one liar among four moves it no further than they differ. */
export function agree(coin: Coin, quotes: readonly Quote[], now: Date): Agreed {
  const usdt = coin === "USDT" ? undefined : agree("USDT", quotes, now).usd;
  const since = secondsAfter(now, -freshSeconds);
  const until = secondsAfter(now, aheadSeconds);
  const weighed = quotes
    .filter((quote) => quote.coin === coin)
    .map((quote) => ({ ...quote, usd: inDollars(quote, usdt) }));
  const fresh = weighed.flatMap((quote) =>
    quote.quotedAt >= since && quote.quotedAt <= until && quote.usd !== undefined ? [quote.usd] : [],
  );
  const middle = fresh.length >= sourcesMin ? median(fresh) : undefined;
  const classified = weighed.map((quote): Weighed => {
    const isFresh = quote.quotedAt >= since && quote.quotedAt <= until;
    const isUsed = quote.usd !== undefined && middle !== undefined && !isOff(quote.usd, middle, offMax);
    return { ...quote, use: !isFresh ? "old" : isUsed ? "used" : "off" };
  });
  const near = classified.flatMap((quote) =>
    quote.use === "used" && quote.usd !== undefined ? [quote.usd] : [],
  );
  if (middle === undefined) return { usd: undefined, why: "few", quotes: classified };
  if (near.length < sourcesMin) return { usd: undefined, why: "disagree", quotes: classified };
  return { usd: median(near), why: undefined, quotes: classified };
}

function inDollars({ price, inUsdt }: Quote, usdt: Usd | undefined): Usd | undefined {
  if (!inUsdt) return price as Usd;
  return usdt === undefined ? undefined : (((price * usdt) / par) as Usd);
}

function median(prices: readonly Usd[]): Usd {
  const sorted = prices.toSorted((one, other) => (one < other ? -1 : Number(one > other)));
  const half = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[sorted.length % 2 === 0 ? half - 1 : half], sorted[half]];
  if (low === undefined || high === undefined) throw new Error("there is no median of nothing");
  return ((low + high) / 2n) as Usd;
}

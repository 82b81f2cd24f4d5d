// The sources: Kraken (Ticker), Binance (market data, bookTicker), Coinbase (spot prices), CoinGecko (simple price). None needs a key.
import { z } from "zod/mini";
import * as clocks from "../../platform/clock.ts";
import { type RateSource, rateSources } from "../../platform/config/config.ts";
import { type Node, NodeTrouble } from "../networks/nodes/nodes.ts";
import { openNode } from "../networks/nodes/nodes.node.ts";
import type { Coin, Quote } from "./rates.agree.ts";

/** Quotes read before a failure still count, so trouble is part of the answer. */
export interface Source {
  readonly name: RateSource;
  ask(coins: readonly Coin[], signal: AbortSignal): Promise<SourceAnswer>;
}

export interface SourceAnswer {
  readonly quotes: readonly Quote[];
  readonly trouble: NodeTrouble | undefined;
}

interface Venue {
  readonly url: string;
  /** Its limit without a key; bursts are spread. */
  readonly requestsPerSecond: number;
  readonly has?: (coin: Coin) => boolean;
  readonly isInUsdt?: true;
  readonly price: (node: Node, ticker: string) => Promise<bigint>;
}

// Toncoin was renamed Gram in June 2026: a venue lists one of the tickers, or both.
const tickers = (coin: Coin): readonly string[] => (coin === "TON" ? ["GRAM", "TON"] : [coin]);

const decimal = /^\d{1,9}(?:\.\d{1,40})?$/;

/** A decimal price, cut off after 10⁻⁸. Numbers come as text, so no float loses digits. */
const Price = z.pipe(
  z.pipe(
    z.union([z.string(), z.int(), z.bigint()]),
    z.transform((price: string | number | bigint) => String(price)),
  ),
  z.pipe(
    z.string().check(z.regex(decimal)),
    z.pipe(
      z.transform((text: string) => {
        const [whole = "", fraction = ""] = text.split(".");
        return BigInt(whole + fraction.slice(0, 8).padEnd(8, "0"));
      }),
      z.bigint().check(z.positive()),
    ),
  ),
);

const middle = (bid: bigint, ask: bigint) => (bid + ask) / 2n;

const Side = z.tuple([Price], z.unknown());
const KrakenTicker = z.object({
  error: z.array(z.string()),
  result: z.optional(z.record(z.string(), z.object({ a: Side, b: Side }))),
});

const kraken: Venue = {
  url: "https://api.kraken.com",
  requestsPerSecond: 1,
  price: async (node, ticker) => {
    const { error, result = {} } = await node.get(KrakenTicker, `/0/public/Ticker?pair=${ticker}USD`);
    const unlisted = error.some((text) => text.startsWith("EQuery:")) ? 404 : undefined;
    if (error.length > 0) throw new NodeTrouble(`it refuses ${ticker}: ${error.join(", ")}`, unlisted);
    // Kraken renames the pair (XETHZUSD), so there must be exactly one.
    const [pair, ...others] = Object.values(result);
    if (!pair || others.length > 0) throw new NodeTrouble(`it answers other pairs than ${ticker}`);
    return middle(pair.b[0], pair.a[0]);
  },
};

const BookTicker = z.object({ symbol: z.string(), bidPrice: Price, askPrice: Price });

const binance: Venue = {
  url: "https://data-api.binance.vision",
  requestsPerSecond: 5,
  has: (coin) => coin !== "USDT",
  isInUsdt: true,
  price: async (node, ticker) => {
    const pair = `${ticker}USDT`;
    const { symbol, bidPrice, askPrice } = await node.get(
      BookTicker,
      `/api/v3/ticker/bookTicker?symbol=${pair}`,
    );
    if (symbol !== pair) throw new NodeTrouble(`it answers ${symbol} for ${pair}`);
    return middle(bidPrice, askPrice);
  },
};

const Spot = z.object({ data: z.object({ amount: Price, base: z.string(), currency: z.string() }) });

const coinbase: Venue = {
  url: "https://api.coinbase.com",
  requestsPerSecond: 3,
  price: async (node, ticker) => {
    const { data } = await node.get(Spot, `/v2/prices/${ticker}-USD/spot`);
    if (data.base !== ticker || data.currency !== "USD")
      throw new NodeTrouble(`it answers ${data.base}-${data.currency} for ${ticker}-USD`);
    return data.amount;
  },
};

const geckoUrl = "https://api.coingecko.com";
const geckoIds: Readonly<Record<Coin, string>> = {
  TRX: "tron",
  BNB: "binancecoin",
  TON: "the-open-network",
  LTC: "litecoin",
  ETH: "ethereum",
  USDT: "tether",
};
const SimplePrice = z.record(z.string(), z.unknown());
const GeckoPrice = z.object({ usd: Price, last_updated_at: z.int().check(z.positive()) });

/** The sources of `urls` at those addresses; without it all of them. `clock` dates the quotes. */
export function openSources(
  urls: Partial<Record<RateSource, string>> | undefined,
  clock: () => Date = clocks.now,
): Source[] {
  return rateSources.flatMap((name) => {
    const url = urls === undefined ? undefined : urls[name];
    if (urls !== undefined && url === undefined) return [];
    return [name === "coingecko" ? openGecko(url, clock) : openVenue(name, url, clock)];
  });
}

const venues = { kraken, binance, coinbase };

/** Asks for each coin by itself: a venue fails a whole batch when it lacks one pair. */
function openVenue(name: keyof typeof venues, mirror: string | undefined, clock: () => Date): Source {
  const venue = venues[name];
  const open = nodeOf(mirror ?? venue.url, mirror === undefined ? venue.requestsPerSecond : undefined, clock);
  return {
    name,
    ask: async (coins, signal) => {
      const quotes: Quote[] = [];
      const node = open(signal);
      for (const coin of coins.filter(venue.has ?? (() => true))) {
        const price = await priceOf(venue, node, coin);
        // Further requests would only add load.
        if (price instanceof NodeTrouble) return { quotes, trouble: price };
        if (price === undefined) continue;
        quotes.push({ coin, source: name, price, inUsdt: venue.isInUsdt ?? false, quotedAt: clock() });
      }
      return {
        quotes,
        trouble: quotes.length > 0 ? undefined : new NodeTrouble("it lists none of the coins"),
      };
    },
  };
}

/** Undefined where the venue does not list the coin under any ticker. */
async function priceOf(venue: Venue, node: Node, coin: Coin): Promise<bigint | NodeTrouble | undefined> {
  for (const ticker of tickers(coin)) {
    try {
      return await venue.price(node, ticker);
    } catch (fault) {
      if (!(fault instanceof NodeTrouble)) throw fault;
      // Venues answer 400 or 404 for an unlisted pair; the other ticker may be listed.
      if (fault.code !== 400 && fault.code !== 404) return fault;
    }
  }
  return undefined;
}

function openGecko(mirror: string | undefined, clock: () => Date): Source {
  const open = nodeOf(mirror ?? geckoUrl, mirror === undefined ? 1 : undefined, clock);
  return {
    name: "coingecko",
    ask: async (coins, signal) => {
      const ids = coins.map((coin) => geckoIds[coin]).join(",");
      const options = `vs_currencies=usd&include_last_updated_at=true&precision=full`;
      try {
        const prices = await open(signal).get(SimplePrice, `/api/v3/simple/price?ids=${ids}&${options}`);
        const quotes = coins.flatMap((coin): Quote[] => {
          const { data } = GeckoPrice.safeParse(prices[geckoIds[coin]]);
          if (!data) return [];
          const quotedAt = new Date(data.last_updated_at * 1000);
          return [{ coin, source: "coingecko", price: data.usd, inUsdt: false, quotedAt }];
        });
        const trouble = quotes.length > 0 ? undefined : new NodeTrouble("it tells none of the coins");
        return { quotes, trouble };
      } catch (fault) {
        if (fault instanceof NodeTrouble) return { quotes: [], trouble: fault };
        throw fault;
      }
    },
  };
}

const mirrorRequestsPerSecond = 1000;

function nodeOf(url: string, requestsPerSecond = mirrorRequestsPerSecond, clock: () => Date) {
  const known = openNode({ url, number: 1, requestsPerSecond, keyHeader: undefined, rpcPath: "", clock });
  return (signal: AbortSignal) => known.during(signal);
}

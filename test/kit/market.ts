// The public rate sources on one local server, with prices set by the test.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type RateSource, rateSources } from "../../src/server/platform/config/config.ts";
import { printedEvm } from "./printed.ts";

interface Failure {
  readonly status: number;
  readonly text: string;
  readonly headers?: Record<string, string>;
}

export interface Market {
  readonly urls: Record<RateSource, string>;
  readonly asked: { source: RateSource; path: string }[];
  say(source: RateSource, ticker: string, price: string | undefined): void;
  sayAll(ticker: string, price: string): void;
  failures: Partial<Record<RateSource, Failure>>;
  geckoAt: Date;
  close(): Promise<void>;
}

const geckoTickers: Readonly<Record<string, string>> = {
  tron: "TRX",
  binancecoin: "BNB",
  "the-open-network": "TON",
  litecoin: "LTC",
  ethereum: "ETH",
  tether: "USDT",
};

/** Close it after the test. Only USDT is listed, at one dollar. */
export async function openMarket(at: Date): Promise<Market> {
  const prices = new Map<string, string>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://market");
    const [, source = "", ...path] = url.pathname.split("/");
    market.asked.push({ source: source as RateSource, path: `/${path.join("/")}${url.search}` });
    const failure = market.failures[source as RateSource];
    if (failure) return response.writeHead(failure.status, failure.headers).end(failure.text);
    const { status, text } = answer(
      source as RateSource,
      url,
      (ticker) => prices.get(`${source} ${ticker}`),
      market,
    );
    return response.writeHead(status, { "content-type": "application/json" }).end(text);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const urls = Object.fromEntries(
    rateSources.map((source) => [source, `http://127.0.0.1:${port}/${source}`]),
  ) as Record<RateSource, string>;
  const market: Market = {
    urls,
    asked: [],
    failures: {},
    geckoAt: at,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
    say: (source, ticker, price) => {
      if (price === undefined) prices.delete(`${source} ${ticker}`);
      else prices.set(`${source} ${ticker}`, price);
    },
    sayAll: (ticker, price) => {
      for (const source of rateSources) market.say(source, ticker, price);
    },
  };
  market.sayAll("USDT", "1");
  return market;
}

/** Settings of a shop that sells on Ethereum with a dead node, at a market's rates. */
export function sellingAt({ urls }: Market): Record<string, string> {
  const sources = Object.entries(urls).map((pair) => pair.join("="));
  return { ...printedEvm, CHAIN_ETH_URLS: "http://127.0.0.1:1", RATES_URLS: sources.join(",") };
}

interface Said {
  readonly status: number;
  readonly text: string;
}

function answer(
  source: RateSource,
  url: URL,
  priceOf: (ticker: string) => string | undefined,
  { geckoAt }: Market,
): Said {
  const query = (name: string) => url.searchParams.get(name) ?? "";
  switch (source) {
    case "kraken":
      return asKraken(query("pair"), priceOf);
    case "binance":
      return asBinance(query("symbol"), priceOf);
    case "coinbase":
      return asCoinbase(url.pathname.split("/").at(-2) ?? "", priceOf);
    case "coingecko":
      return asGecko(query("ids").split(","), priceOf, geckoAt);
  }
}

function asKraken(pair: string, priceOf: (ticker: string) => string | undefined): Said {
  const price = priceOf(pair.replace(/USD$/, ""));
  if (price === undefined) return { status: 200, text: '{"error":["EQuery:Unknown asset pair"]}' };
  const side = [price, "1", "1.000"];
  const ticker = {
    a: side,
    b: side,
    c: [price, "0.1"],
    v: ["1", "2"],
    p: [price, price],
    t: [3, 4],
    o: price,
  };
  // Kraken answers with other names than it is asked for.
  const name = pair.length === 6 ? `X${pair.slice(0, 3)}Z${pair.slice(3)}` : pair;
  return { status: 200, text: JSON.stringify({ error: [], result: { [name]: ticker } }) };
}

function asBinance(symbol: string, priceOf: (ticker: string) => string | undefined): Said {
  const price = priceOf(symbol.replace(/USDT$/, ""));
  if (price === undefined) return { status: 400, text: '{"code":-1121,"msg":"Invalid symbol."}' };
  const book = { symbol, bidPrice: price, bidQty: "31.2", askPrice: price, askQty: "40.6" };
  return { status: 200, text: JSON.stringify(book) };
}

function asCoinbase(pair: string, priceOf: (ticker: string) => string | undefined): Said {
  const [base = ""] = pair.split("-");
  const amount = priceOf(base);
  if (amount === undefined)
    return { status: 404, text: '{"errors":[{"id":"not_found","message":"Invalid base currency"}]}' };
  return { status: 200, text: JSON.stringify({ data: { amount, base, currency: "USD" } }) };
}

/** JSON numbers with all digits, which JSON.stringify would lose. */
function asGecko(ids: string[], priceOf: (ticker: string) => string | undefined, at: Date): Said {
  const told = ids.flatMap((id) => {
    const price = priceOf(geckoTickers[id] ?? "");
    if (price === undefined) return [];
    return [`"${id}":{"usd":${price},"last_updated_at":${Math.floor(at.getTime() / 1000)}}`];
  });
  return { status: 200, text: `{${told.join(",")}}` };
}

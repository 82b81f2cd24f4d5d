import { expect, test, onTestFinished } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { openMarket } from "../../../../test/kit/market.ts";
import * as journal from "../../journal/journal.ts";
import { secondsAfter } from "../../platform/clock.ts";
import { type RateSource, rateSources } from "../../platform/config/config.ts";
import { createLog } from "../../platform/log.ts";
import { usd } from "../../platform/money.ts";
import { openFakeChain } from "../../../../test/kit/fakeChain.ts";
import { openPayments } from "../payments.ts";
import type { Coin } from "./rates.agree.ts";
import { openLiveRates } from "./rates.live.ts";
import { openSources } from "./rates.sources.ts";

const never = new AbortController().signal;
const everyCoin: Coin[] = ["TRX", "BNB", "TON", "LTC", "ETH"];
const { db } = await createDatabase();

async function rates(coins: Coin[] = ["ETH"]) {
  await db`truncate rate_quote, rate_source, rate_point, rate_hold`;
  let now = new Date("2030-01-01T00:00:00Z");
  const clock = () => now;
  const market = await openMarket(now);
  onTestFinished(market.close);
  const open = () =>
    openLiveRates({ db, sources: openSources(market.urls, clock), coins, log: createLog("silent"), clock });
  const live = open();
  const poll = async (seconds = 0) => {
    now = secondsAfter(now, seconds);
    market.geckoAt = now;
    await live.poll(never);
  };
  const later = (seconds: number) => (now = secondsAfter(now, seconds));
  const why = async (coin: Coin) => (await live.list()).rates.find((rate) => rate.coin === coin)?.why;
  return { market, live, reopen: open, poll, later, clock, why };
}

test("each source is read as its documentation has it, exactly, and what was used is kept in words", async () => {
  const { market, live, poll } = await rates(everyCoin);
  market.sayAll("USDT", "0.9996");
  for (const ticker of ["TRX", "BNB", "TON", "LTC", "ETH"]) {
    market.say("kraken", ticker, "80.01000");
    market.say("binance", ticker, "80.05");
    market.say("coinbase", ticker, "79.995");
    market.say("coingecko", ticker, "80.123456789012345678");
  }
  await poll();
  for (const currency of ["trx", "bep20", "ton", "ltc", "eth"] as const)
    expect(await live.rateOf(currency)).toEqual({
      usd: usd("80.01399"),
      source: "binance 80.01798, coinbase 79.995, coingecko 80.12345678, kraken 80.01",
    });
  expect((await live.rateOf("erc"))?.usd).toBe(usd("0.9996"));
  const paths = market.asked.filter(({ path }) => path.includes("ETH") || path.includes("ethereum"));
  expect(paths).toEqual(
    expect.arrayContaining([
      { source: "kraken", path: "/0/public/Ticker?pair=ETHUSD" },
      { source: "binance", path: "/api/v3/ticker/bookTicker?symbol=ETHUSDT" },
      { source: "coinbase", path: "/v2/prices/ETH-USD/spot" },
    ]),
  );
});

test.each(rateSources)("when %s lies it is outvoted, and the operator sees it", async (liar) => {
  const { market, live, poll } = await rates();
  market.sayAll("ETH", "3000");
  market.say(liar, "ETH", "2900");
  await poll();
  const { usd: rate, source } = (await live.rateOf("eth")) ?? {};
  expect(rate).toBe(usd("3000"));
  expect(source).not.toContain(liar);
  const { rates: seen } = await live.list();
  const eth = seen.find(({ coin }) => coin === "ETH");
  expect(eth?.quotes.find((quote) => quote.source === liar)).toMatchObject({ use: "off", usd: usd("2900") });
});

test("two against two is no agreement", async () => {
  const { market, live, poll, why } = await rates();
  market.sayAll("ETH", "3000");
  market.say("kraken", "ETH", "2800");
  market.say("coinbase", "ETH", "2800");
  await poll();
  expect(await live.rateOf("eth")).toBeUndefined();
  expect(await why("ETH")).toBe("disagree");
});

test("what a source tells as old does not count, and with one that is left nothing is sold; open payments go on", async () => {
  const { market, live, poll, later, clock, why } = await rates();
  const chain = openFakeChain("eth", clock);
  const payments = openPayments({ db, networks: [chain], rates: live, log: createLog("silent"), clock });
  const ask = () => payments.create({ userId: 7n, currency: "eth", usd: usd("300") });
  market.sayAll("ETH", "3000");
  await poll();
  const created = await ask();
  if (typeof created === "string") throw new Error(created);
  const kept = await db`select rate, rate_source from payment where id = ${created.id}`;
  expect(kept).toEqual([
    { rate: usd("3000"), rate_source: "binance 3000.0, coinbase 3000.0, coingecko 3000.0, kraken 3000.0" },
  ]);

  for (const source of ["kraken", "binance"] as const)
    market.failures[source] = { status: 503, text: "down" };
  later(119);
  await live.poll(never);
  expect((await live.rateOf("eth"))?.source).toContain("kraken");
  later(2);
  expect(await live.rateOf("eth")).toBeUndefined();
  expect(await why("ETH")).toBe("few");
  expect(await ask()).toBe("no rate");

  const open = await payments.status({ userId: 7n, id: created.id });
  if (open === "no payment") throw new Error(open);
  chain.pay(open.address.toLowerCase(), 10n ** 17n);
  chain.mine(3);
  await payments.poll();
  expect(await payments.status({ userId: 7n, id: created.id })).toMatchObject({ state: "credited" });
});

test("an aggregator that repeats an hour-old price is left out", async () => {
  const { market, live, poll, later } = await rates();
  market.sayAll("ETH", "3000");
  await poll();
  later(3600);
  await live.poll(never);
  expect((await live.rateOf("eth"))?.source).toBe("binance 3000.0, coinbase 3000.0, kraken 3000.0");
});

test("a jump is held for every process until the operator releases it", async () => {
  const { market, live, reopen, poll, why } = await rates();
  market.sayAll("ETH", "3000");
  await poll();
  market.sayAll("ETH", "3290");
  await poll(240);
  expect((await live.rateOf("eth"))?.usd).toBe(usd("3290"));
  market.sayAll("ETH", "3310");
  await poll(240);
  expect(await live.rateOf("eth")).toBeUndefined();
  const other = reopen();
  expect(await other.rateOf("eth")).toBeUndefined();
  market.sayAll("ETH", "3000");
  await poll(700);
  expect(await why("ETH")).toBe("held");

  expect(await other.release("ETH", "operator")).toBe("released");
  expect(await other.release("ETH", "operator")).toBe("not held");
  expect((await live.rateOf("eth"))?.usd).toBe(usd("3000"));
  expect(await journal.list(db, { about: "rate ETH" })).toMatchObject([
    { by: "operator", did: "rates release", before: { from: "3000.0", to: "3310.0" } },
  ]);
  market.sayAll("ETH", "3400");
  await poll(30);
  expect((await live.rateOf("eth"))?.usd).toBe(usd("3400"));
});

test("a price that is agreed on because others have become old is held to the jump too", async () => {
  const { market, live, poll, later, why } = await rates();
  market.sayAll("ETH", "3000");
  await poll();
  for (const source of ["kraken", "coinbase"] as const) {
    market.say(source, "ETH", "3900");
    market.failures[source === "kraken" ? "binance" : "coingecko"] = { status: 503, text: "down" };
  }
  await poll(60);
  expect(await why("ETH")).toBe("disagree");
  later(70);
  expect(await live.rateOf("eth")).toBeUndefined();
  expect(await why("ETH")).toBe("jump");
});

test("a change of the same size over a longer time is none", async () => {
  const { market, live, poll } = await rates();
  for (const price of ["3000", "3200", "3400", "3600"]) {
    market.sayAll("ETH", price);
    await poll(360);
  }
  expect((await live.rateOf("eth"))?.usd).toBe(usd("3600"));
});

test("a coin that was renamed is found under either ticker", async () => {
  const { market, live, poll } = await rates(["TON"]);
  market.say("kraken", "TON", "3.2");
  market.say("coinbase", "GRAM", "3.21");
  market.say("binance", "GRAM", "3.22");
  await poll();
  expect((await live.rateOf("ton"))?.source).toBe("binance 3.22, coinbase 3.21, kraken 3.2");
});

test("a dollar coin is a dollar at most, and none at all when it has lost its peg", async () => {
  const { market, live, poll, why } = await rates();
  market.sayAll("USDT", "1.004");
  await poll();
  expect((await live.rateOf("usdtton"))?.usd).toBe(usd("1"));
  market.sayAll("USDT", "0.981");
  await poll(30);
  expect((await live.rateOf("usdtton"))?.usd).toBe(usd("0.981"));
  market.sayAll("USDT", "0.979");
  await poll(30);
  expect(await live.rateOf("usdtton")).toBeUndefined();
  expect(await why("USDT")).toBe("depeg");
});

test("without a rate of its dollar coin a source that counts in it does not count", async () => {
  const { market, live, poll } = await rates();
  market.sayAll("ETH", "3000");
  for (const source of rateSources) market.say(source, "USDT", undefined);
  await poll();
  expect((await live.rateOf("eth"))?.source).toBe("coinbase 3000.0, coingecko 3000.0, kraken 3000.0");
});

test("a source that fails is left alone for longer each time, as long as it asks, and by a new process too", async () => {
  const { market, live, reopen, poll, later, clock } = await rates();
  market.sayAll("ETH", "3000");
  const asks = (source: RateSource) => market.asked.filter((one) => one.source === source).length;
  market.failures.kraken = { status: 429, text: "slow down", headers: { "retry-after": "200" } };
  market.failures.coinbase = { status: 500, text: "broken" };
  await poll();
  expect([asks("kraken"), asks("coinbase")]).toEqual([1, 1]);
  const rests = async () => {
    const { sources } = await live.list();
    return ["kraken", "coinbase"].map((name) => {
      const until = sources.find((source) => source.name === name)?.restsUntil;
      return until ? (until.getTime() - clock().getTime()) / 1000 : 0;
    });
  };
  expect(await rests()).toEqual([200, 30]);
  later(29);
  await reopen().poll(never);
  expect([asks("kraken"), asks("coinbase")]).toEqual([1, 1]);
  const waits: number[] = [];
  for (const seconds of [1, 60, 120, 240, 300]) {
    await poll(seconds);
    waits.push((await rests())[1] ?? 0);
  }
  expect(waits).toEqual([60, 120, 240, 300, 300]);
  const { sources } = await live.list();
  expect(sources.find(({ name }) => name === "coinbase")).toMatchObject({
    trouble: "it answers 500: broken",
  });
  market.failures = {};
  await poll(300);
  expect(await rests()).toEqual([0, 0]);
  expect((await live.rateOf("eth"))?.source).toContain("kraken");
});

test.each([
  ["no JSON", "<html>It works</html>"],
  ["another pair", '{"symbol":"BTCUSDT","bidPrice":"1","askPrice":"1"}'],
  ["a negative price", '{"symbol":"ETHUSDT","bidPrice":"-3000","askPrice":"3000"}'],
  ["nothing for it", '{"symbol":"ETHUSDT","bidPrice":"0.00000000","askPrice":"0.00000000"}'],
  ["a power of ten", '{"symbol":"ETHUSDT","bidPrice":3e3,"askPrice":3e3}'],
  ["no price", '{"symbol":"ETHUSDT"}'],
])("a source that answers %s is in trouble and tells nothing", async (_what, text) => {
  const { market, live, poll } = await rates();
  market.sayAll("ETH", "3000");
  market.failures.binance = { status: 200, text };
  await poll();
  expect((await live.rateOf("eth"))?.source).toBe("coinbase 3000.0, coingecko 3000.0, kraken 3000.0");
  const { sources } = await live.list();
  expect(sources.find(({ name }) => name === "binance")?.trouble).toBeTruthy();
});

test.each<[RateSource, string]>([
  [
    "kraken",
    '{"error":[],"result":{"XETHZUSD":{"a":["3000"],"b":["3000"]},"XXBTZUSD":{"a":["1"],"b":["1"]}}}',
  ],
  ["kraken", '{"error":["EAPI:Rate limit exceeded"]}'],
  ["coinbase", '{"data":{"amount":"3000","base":"ETH","currency":"EUR"}}'],
  ["coingecko", '{"ethereum":{"usd":null,"last_updated_at":1893456000}}'],
])("%s is not believed when it answers %s", async (source, text) => {
  const { market, live, poll } = await rates();
  market.sayAll("ETH", "3000");
  market.failures[source] = { status: 200, text };
  await poll();
  expect((await live.rateOf("eth"))?.source).not.toContain(source);
  expect((await live.rateOf("eth"))?.usd).toBe(usd("3000"));
});

test("a process that starts has the rates of before at once, and only of the sources that it may ask", async () => {
  const { market, reopen, poll, clock } = await rates();
  market.sayAll("ETH", "3000");
  await poll();
  expect((await reopen().rateOf("eth"))?.usd).toBe(usd("3000"));
  const { kraken, coinbase } = market.urls;
  const sources = openSources({ kraken, coinbase }, clock);
  const narrow = openLiveRates({ db, sources, coins: ["ETH"], log: createLog("silent"), clock });
  expect((await narrow.rateOf("eth"))?.source).toBe("coinbase 3000.0, kraken 3000.0");
});

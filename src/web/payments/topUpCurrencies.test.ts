import { expect, test } from "vitest";
import { currencies } from "../../contract/currencies.ts";
import { byOfferThenFee, cheapestOf, coinsOf, currencyToUse, type TopUpCurrency } from "./topUpCurrencies.ts";

const all: TopUpCurrency[] = currencies.map((currency) => ({
  currency,
  off: undefined,
  min: 1,
  fee: undefined,
  seconds: undefined,
  larger: [],
}));
const without = (...ids: string[]) =>
  all.map((one) => (ids.includes(one.currency.id) ? { ...one, off: "no rate" as const } : one));

test("what was chosen is meant while it is on sale, else the first that is", () => {
  expect(currencyToUse(all, undefined)?.currency.id).toBe("usdttrc20");
  expect(currencyToUse(all, "ltc")?.currency.id).toBe("ltc");
  expect(currencyToUse(without("usdttrc20", "trx"), undefined)?.currency.id).toBe("bep20");
  expect(currencyToUse(without("ltc"), "ltc")?.currency.id).toBe("usdttrc20");
  expect(currencyToUse(without(...currencies.map(({ id }) => id)), "ltc")).toBeUndefined();
});

test("the cheapest comes first, then what has no known fee, then what is not on sale", () => {
  const fees: Record<string, number> = { usdttrc20: 4, usdtbep20: 0.02, erc: 2.5, ltc: 0.01 };
  const offered = without("usdtbep20").map((one) => ({ ...one, fee: fees[one.currency.id] }));
  const coins = coinsOf(offered.toSorted(byOfferThenFee));
  expect(coins.map(({ coin, networks }) => [coin, networks.map(({ currency }) => currency.id)])).toEqual([
    ["LTC", ["ltc"]],
    ["USDT", ["erc", "usdttrc20", "usdtton", "usdtbep20"]],
    ["TRX", ["trx"]],
    ["BNB", ["bep20"]],
    ["TON", ["ton"]],
    ["ETH", ["eth"]],
  ]);
});

test("a network is called the cheapest only where the fee of each other one on sale is known", () => {
  const cheapest = (fees: Record<string, number>) =>
    cheapestOf(
      without("erc")
        .filter(({ currency }) => currency.coin === "USDT")
        .map((one) => ({ ...one, fee: fees[one.currency.id] })),
    )?.currency.id;
  expect(cheapest({ usdttrc20: 4, usdtton: 0.02, usdtbep20: 0.5, erc: 0.01 })).toBe("usdtton");
  expect(cheapest({ usdttrc20: 4, usdtton: 0.02 })).toBeUndefined();
  expect(cheapest({ usdttrc20: 4, usdtton: 0.5, usdtbep20: 0.5 })).toBeUndefined();
});

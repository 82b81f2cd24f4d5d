import { expect, test } from "vitest";
import { currencies } from "../../contract/currencies.ts";
import { currencyToUse, type TopUpCurrency } from "./topUpCurrencies.ts";

const all: TopUpCurrency[] = currencies.map((currency) => ({ currency, off: undefined, min: 1 }));
const without = (...ids: string[]) =>
  all.map((one) => (ids.includes(one.currency.id) ? { ...one, off: "no rate" as const } : one));

test("what was chosen is meant while it is on sale, else the first that is", () => {
  expect(currencyToUse(all, undefined)?.currency.id).toBe("usdttrc20");
  expect(currencyToUse(all, "ltc")?.currency.id).toBe("ltc");
  expect(currencyToUse(without("usdttrc20", "trx"), undefined)?.currency.id).toBe("bep20");
  expect(currencyToUse(without("ltc"), "ltc")?.currency.id).toBe("usdttrc20");
  expect(currencyToUse(without(...currencies.map(({ id }) => id)), "ltc")).toBeUndefined();
});

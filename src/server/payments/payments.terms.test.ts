import fc from "fast-check";
import { expect, test } from "vitest";
import { currencies, type CurrencyId } from "../../contract/currencies.ts";
import { type Usd, usd } from "../platform/money.ts";
import { fixedRates, sandboxRates } from "./rates/rates.ts";
import { currencyOf, dueFor, readCoins, showCoins, worth } from "./payments.terms.ts";

const currency = (id: string) => {
  const found = currencyOf(id);
  if (!found) throw new Error(`no currency ${id}`);
  return found;
};

test.each([
  ["eth", "100", "3000", "0.033334"],
  ["trx", "25", "0.3", "83.34"],
  ["usdtbep20", "19.99", "1", "19.99"],
  ["erc", "1", "1", "1.00"],
  ["ltc", "1.55", "80", "0.01938"],
  ["ton", "1", "3.2", "0.32"],
  ["bep20", "100000", "640", "156.250000"],
])("the amount of %s for %s dollars at %s is shown exactly as it is due", (id, dollars, rate, shown) => {
  const due = dueFor(usd(dollars), usd(rate), currency(id));
  expect(showCoins(due, id as CurrencyId, currency(id).decimals)).toBe(shown);
  expect(readCoins(shown, id as CurrencyId)).toBe(due);
});

test("what is due is never worth less than what was asked, and at most one shown digit more", () => {
  const id = fc.constantFrom(...currencies);
  const cents = fc.bigInt({ min: 100n, max: 10_000_000n });
  const rate = fc.bigInt({ min: 1_000_000n, max: 10_000_000_000_000n });
  fc.assert(
    fc.property(id, cents, rate, (coin, amount, price) => {
      const asked = (amount * 1_000_000n) as Usd;
      const due = dueFor(asked, price as Usd, coin);
      expect(worth(due, price as Usd, coin.id)).toBeGreaterThanOrEqual(asked);
      const digit = readCoins(`0.${"0".repeat(coin.decimals - 1)}1`, coin.id) ?? 0n;
      expect(worth(due - digit, price as Usd, coin.id)).toBeLessThan(asked);
      expect(readCoins(showCoins(due, coin.id), coin.id)).toBe(due);
    }),
  );
});

test.each(["", "-1", "1e3", "1.", "0x10", "1.1234567", "ten"])("%j is no amount of USDT", (text) => {
  expect(readCoins(text, "erc")).toBeUndefined();
});

test("every currency has a rate in the sandbox, and a setting replaces it", async () => {
  const rates = sandboxRates({ eth: "2500", bep20: "600" });
  for (const { id } of currencies) expect(await rates.rateOf(id)).toBeDefined();
  expect((await rates.rateOf("eth"))?.usd).toBe(usd("2500"));
  expect((await rates.rateOf("bep20"))?.usd).toBe(usd("600"));
});

test("outside of the sandbox a coin that the setting leaves out has no rate, and a strange one is refused", async () => {
  const rates = fixedRates({ usdt: "1" });
  expect((await rates.rateOf("usdtton"))?.usd).toBe(usd("1"));
  expect(await rates.rateOf("eth")).toBeUndefined();
  expect(() => fixedRates({ doge: "1" })).toThrow("doge");
});

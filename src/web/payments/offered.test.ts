import { expect, test } from "vitest";
import { currencies } from "../../contract/currencies.ts";
import { meantOf, type Offered } from "./offered.ts";

const all: Offered[] = currencies.map((currency) => ({ currency, off: undefined, min: 1 }));
const without = (...ids: string[]) =>
  all.map((one) => (ids.includes(one.currency.id) ? { ...one, off: "no rate" as const } : one));

test("what was chosen is meant while it is on sale, else the first that is", () => {
  expect(meantOf(all, undefined)?.currency.id).toBe("usdttrc20");
  expect(meantOf(all, "ltc")?.currency.id).toBe("ltc");
  expect(meantOf(without("usdttrc20", "trx"), undefined)?.currency.id).toBe("bep20");
  expect(meantOf(without("ltc"), "ltc")?.currency.id).toBe("usdttrc20");
  expect(meantOf(without(...currencies.map(({ id }) => id)), "ltc")).toBeUndefined();
});

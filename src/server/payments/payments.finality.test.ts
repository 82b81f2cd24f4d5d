import { expect, test } from "vitest";
import { type CurrencyId, currencies } from "../../contract/currencies.ts";
import { usd } from "../platform/money.ts";
import { finality, longerFrom, needOf, secondsOf, stakeOf } from "./payments.finality.ts";
import { type ChainName, dueFor, readCoins, terms } from "./payments.terms.ts";

const chain = (name: ChainName, confirmations?: number) => ({ name, confirmations, pollSeconds: 10 });

const final = true;
test.each([
  ["ethereum", "1", 12, !final, 154],
  ["ethereum", "999.99", 12, !final, 154],
  ["ethereum", "1000", 12, final, 970],
  ["ethereum", "100000", 12, final, 970],
  ["bsc", "1", 15, final, 17],
  ["bsc", "100000", 15, final, 17],
  ["tron", "1", 19, final, 67],
  ["tron", "100000", 19, final, 67],
  ["ton", "1", 0, final, 20],
  ["ton", "100000", 0, final, 20],
  ["litecoin", "1", 3, !final, 460],
  ["litecoin", "99.99", 3, !final, 460],
  ["litecoin", "100", 6, !final, 910],
  ["litecoin", "100000", 6, !final, 910],
  ["btcpay", "1", 0, final, undefined],
  ["btcpay", "100000", 0, final, undefined],
  ["sandbox", "1", 0, final, undefined],
] as const)("on %s %s dollars need %i blocks", (name, dollars, blocks, isFinal, seconds) => {
  expect(needOf(chain(name), usd(dollars))).toEqual({ blocks, final: isFinal });
  expect(secondsOf(chain(name), usd(dollars))).toBe(seconds);
});

const names = Object.keys(finality) as ChainName[];

test.each(names)("on %s more dollars never need less, and unknown ones need the most", (name) => {
  const steps: readonly { from: bigint; blocks: number; finalAfter?: number }[] = finality[name].steps;
  expect(steps[0]?.from).toBe(0n);
  for (const [place, { from, blocks, finalAfter = -1 }] of steps.slice(1).entries()) {
    const before = steps[place];
    expect(from).toBeGreaterThan(before?.from ?? from);
    expect(blocks).toBeGreaterThanOrEqual(before?.blocks ?? Infinity);
    expect(finalAfter).toBeGreaterThanOrEqual(before?.finalAfter ?? -1);
  }
  expect(needOf(chain(name), undefined)).toEqual(needOf(chain(name), usd("999999999")));
  // Without it a wrong rate would let any number of coins through.
  expect(steps.length === 1 || "leastRate" in finality[name]).toBe(true);
});

test("no step of Litecoin asks that the chain call a block final: it never does", () => {
  expect(finality.litecoin.steps.some((step) => "finalAfter" in step)).toBe(false);
});

test.each(names)("on %s a number of confirmations in the settings takes the place of the rules", (name) => {
  for (const stake of [usd("1"), usd("100000"), undefined])
    expect(needOf(chain(name, 2), stake)).toEqual({ blocks: 2, final: false });
  const { blockSeconds } = { blockSeconds: undefined, ...finality[name] };
  const seconds = blockSeconds && Math.ceil(2 * blockSeconds) + 10;
  expect(secondsOf(chain(name, 2), usd("100000"))).toBe(seconds);
  expect(longerFrom(chain(name, 2), "eth", usd("3000"))).toEqual([]);
});

const needs = (name: ChainName, currency: CurrencyId, coins: string, rate: string) => {
  const due = readCoins("1", currency) ?? 0n;
  const came = readCoins(coins, currency) ?? 0n;
  return needOf(chain(name), stakeOf(name, { currency, usd: usd(rate), due }, came));
};

test.each([
  ["ethereum", "eth", "0.4", ["0.00000001", "1", "1500", "2500", "1000000"]],
  ["ethereum", "erc", "1000", ["0.00000001", "0.98", "1"]],
  ["litecoin", "ltc", "1.00000001", ["0.00000001", "20", "80", "100", "1000000"]],
] as const)("whatever its rate, %s needs as much from %s %s on as it ever did", (name, id, coins, rates) => {
  for (const rate of rates) expect(needs(name, id, coins, rate)).toEqual(needOf(chain(name), undefined));
});

test("a dear coin needs more from fewer coins on", () => {
  expect(needs("ethereum", "eth", "0.24", "4000").final).toBe(false);
  expect(needs("ethereum", "eth", "0.25", "4000").final).toBe(true);
  expect(needs("litecoin", "ltc", "0.49", "200").blocks).toBe(3);
  expect(needs("litecoin", "ltc", "0.5", "200").blocks).toBe(6);
});

const rates = ["0.5", "33.33", "80", "99.99", "100", "2345.67", "2500", "4000"].map(usd);
test.each(currencies)(
  "what is said before a payment in $id is what its amount needs, or a dollar less",
  (one) => {
    for (const name of [terms[one.id].chain, "btcpay"] as const)
      for (const rate of rates) {
        const longer = longerFrom(chain(name), one.id, rate);
        const least = secondsOf(chain(name), usd("0"));
        const said = (dollars: bigint) => longer.findLast(({ from }) => dollars >= from)?.seconds ?? least;
        for (const text of [
          "1",
          "31",
          "32",
          "79.99",
          "80",
          "99",
          "100",
          "199",
          "799",
          "999",
          "1000",
          "50000",
        ]) {
          const dollars = usd(text);
          const asked = { currency: one.id, usd: dollars, due: dueFor(dollars, rate, one) };
          const need = secondsOf(chain(name), stakeOf(name, asked, asked.due));
          expect([said(dollars), said(dollars - usd("1"))]).toContain(need);
          expect(said(dollars) ?? 0).toBeGreaterThanOrEqual(need ?? 0);
        }
      }
  },
);

test("without a rate the sums of the table are told", () => {
  expect(longerFrom(chain("litecoin"), "ltc", undefined)).toEqual([{ from: usd("100"), seconds: 910 }]);
});

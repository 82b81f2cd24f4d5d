import fc from "fast-check";
import { expect, test } from "vitest";
import { secondsAfter } from "../../platform/clock.ts";
import { agree, type Quote } from "./rates.agree.ts";

const now = new Date("2030-01-01T00:00:00Z");
const quote = (source: string, price: bigint, quotedAt = now): Quote => ({
  coin: "ETH",
  source,
  price,
  inUsdt: false,
  quotedAt,
});

const honestPrice = fc.bigInt({ min: 10_000_000n, max: 10_000_000_000_000n });
const spread = fc.bigInt({ min: 0n, max: 14n });

test("one wrong source among four leaves the rate between those of the right ones", () => {
  fc.assert(
    fc.property(
      honestPrice,
      fc.tuple(spread, spread, spread),
      fc.bigInt({ min: 1n, max: 10n ** 18n }),
      fc.nat({ max: 3 }),
      fc.integer({ min: -200, max: 200 }),
      (price, spreads, lie, place, seconds) => {
        const honest = spreads.map((thousandths) => price + (price * thousandths) / 1000n);
        const quotes = honest.map((one, index) => quote(`honest ${index}`, one));
        quotes.splice(place, 0, quote("liar", lie, secondsAfter(now, seconds)));
        const { usd } = agree("ETH", quotes, now);
        const sorted = honest.toSorted((one, other) => (one < other ? -1 : 1));
        const [low, , high] = sorted as [bigint, bigint, bigint];
        expect(usd).toBeGreaterThanOrEqual(low);
        expect(usd).toBeLessThanOrEqual(high);
        for (const one of honest) {
          const off = usd === undefined ? price : usd > one ? usd - one : one - usd;
          expect(off * 1000n).toBeLessThanOrEqual(one * 15n);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test("no rate is ever made of one source, or of two that are far from each other", () => {
  fc.assert(
    fc.property(honestPrice, fc.bigInt({ min: 31n, max: 100_000n }), (price, thousandths) => {
      const far = price + (price * thousandths) / 1000n + 1n;
      expect(agree("ETH", [quote("one", price)], now)).toMatchObject({ usd: undefined, why: "few" });
      const apart = [quote("one", price), quote("other", far)];
      expect(agree("ETH", apart, now)).toMatchObject({ usd: undefined, why: "disagree" });
    }),
  );
});

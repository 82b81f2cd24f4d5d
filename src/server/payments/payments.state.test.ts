import fc from "fast-check";
import { expect, test } from "vitest";
import { secondsAfter } from "../platform/clock.ts";
import { type Usd, usd } from "../platform/money.ts";
import type { NextState, Payment, Seen, State } from "./payments.state.ts";
import { cameAtOf, nextState } from "./payments.state.ts";
import { graceSeconds } from "./payments.terms.ts";

const created = new Date("2030-01-01T00:00:00Z");
const expiresAt = secondsAfter(created, 1800);
const during = secondsAfter(created, 60);
const inGrace = secondsAfter(expiresAt, 60);
const after = secondsAfter(expiresAt, graceSeconds + 60);

/** 100 USDT with 6 decimals for 100 dollars, so that an amount reads as dollars. */
const asked: Payment = { usd: usd("100"), currency: "erc", due: 100_000_000n, expiresAt, state: "awaiting" };
const par = usd("1");

const coins = (text: string) => usd(text) / 100n;
let nextKey = 0;
function came(amount: string, more: Partial<Seen> = {}): Seen {
  const key = `transfer ${nextKey++}`;
  return {
    key,
    currency: "erc",
    amount: coins(amount),
    cameAt: during,
    alive: true,
    confirmed: true,
    disputed: false,
    decided: false,
    credited: null,
    ...more,
  };
}

/** Another coin than was asked, worth so many dollars now. */
const other = (dollars: string, currency = "eth") => came("1", { currency, worth: usd(dollars) });

const credited = (next: NextState) => next.credits.reduce((all, credit) => all + credit.usd, 0n);

type Case = [
  name: string,
  given: { state?: State; creditAsked?: boolean; seen: Seen[]; rate?: string; now: Date },
  expected: { state: State; credited?: string; why?: string },
];

const cases: Case[] = [
  ["nothing yet", { seen: [], now: during }, { state: "awaiting" }],
  ["nothing in time", { seen: [], now: expiresAt }, { state: "expired" }],
  ["seen, not final", { seen: [came("100", { confirmed: false })], now: during }, { state: "confirming" }],
  ["exact", { seen: [came("100")], now: during }, { state: "credited", credited: "100" }],
  [
    "half a percent less is complete, and credited for what it is",
    { seen: [came("99.5")], now: during },
    { state: "credited", credited: "99.5" },
  ],
  ["a hair less than that is not", { seen: [came("99.499999")], now: during }, { state: "underpaid" }],
  [
    "more: the surplus is credited too",
    { seen: [came("101.5")], now: during },
    { state: "credited", credited: "101.5" },
  ],
  [
    "much more after the price fell: the locked rate holds for 102 %",
    { seen: [came("1002")], rate: "0.5", now: during },
    { state: "credited", credited: "552" },
  ],
  [
    "much more after the price rose: never above the locked rate",
    { seen: [came("1002")], rate: "2", now: during },
    { state: "credited", credited: "1002" },
  ],
  [
    "much more and no rate: an operator decides",
    { seen: [came("1002")], rate: "none", now: during },
    { state: "review", why: "no rate" },
  ],
  [
    "in several transfers",
    { seen: [came("40"), came("60")], now: during },
    { state: "credited", credited: "100" },
  ],
  [
    "in several, one not final",
    { seen: [came("40"), came("60", { confirmed: false })], now: during },
    { state: "confirming" },
  ],
  ["less, still time", { seen: [came("60")], now: during }, { state: "underpaid" }],
  [
    "less, at its end: what came counts",
    { seen: [came("60")], now: expiresAt },
    { state: "credited", credited: "60" },
  ],
  [
    "less, and the buyer asks for the credit of what came",
    { seen: [came("60")], creditAsked: true, now: during },
    { state: "credited", credited: "60" },
  ],
  [
    "less, the buyer has asked, and more is under way: what is final counts",
    { seen: [came("40"), came("20", { confirmed: false })], creditAsked: true, now: during },
    { state: "credited", credited: "40" },
  ],
  [
    "less, the buyer has asked, and the chain takes it back from final: it is waited for",
    { seen: [came("60", { confirmed: false })], creditAsked: true, now: during },
    { state: "confirming" },
  ],
  [
    "less than a dollar is not credited early",
    { seen: [came("0.99")], creditAsked: true, now: during },
    { state: "underpaid" },
  ],
  [
    "less, time over: what came counts",
    { seen: [came("60")], now: after },
    { state: "credited", credited: "60" },
  ],
  [
    "less, time over, one not final: it is waited for",
    { seen: [came("30"), came("30", { confirmed: false })], now: after },
    { state: "underpaid" },
  ],
  ["less than a dollar, time over", { seen: [came("0.99")], now: after }, { state: "expired_partial" }],
  [
    "in the grace after the lock, at the locked rate",
    { state: "expired", seen: [came("100", { cameAt: inGrace })], rate: "0.5", now: inGrace },
    { state: "credited", credited: "100" },
  ],
  [
    "late, the price fell",
    { state: "expired", seen: [came("100", { cameAt: after })], rate: "0.5", now: after },
    { state: "credited", credited: "50" },
  ],
  [
    "late, the price rose",
    { state: "expired", seen: [came("100", { cameAt: after })], rate: "2", now: after },
    { state: "credited", credited: "100" },
  ],
  [
    "late and no rate",
    { state: "expired", seen: [came("100", { cameAt: after })], rate: "none", now: after },
    { state: "review", why: "no rate" },
  ],
  [
    "late, not final",
    { state: "expired", seen: [came("100", { cameAt: after, confirmed: false })], now: after },
    { state: "expired" },
  ],
  [
    "late dust",
    { state: "expired", seen: [came("0.5", { cameAt: after })], now: after },
    { state: "expired" },
  ],
  [
    "more after it was credited",
    { state: "credited", seen: [came("100", { credited: usd("100") }), came("2")], now: during },
    { state: "credited", credited: "2" },
  ],
  [
    "dust after it was credited",
    { state: "credited", seen: [came("100", { credited: usd("100") }), came("0.5")], now: during },
    { state: "credited", credited: "0" },
  ],
  [
    "dust that has grown to a dollar",
    {
      state: "credited",
      seen: [came("100", { credited: usd("100") }), came("0.5"), came("0.5")],
      now: during,
    },
    { state: "credited", credited: "1" },
  ],
  [
    "what comes after half a percent less is credited for what it is",
    { state: "credited", seen: [came("99.5", { credited: usd("99.5") }), came("1.5")], now: during },
    { state: "credited", credited: "1.5" },
  ],
  [
    "the whole sum once more after the credit: who pays twice is credited twice",
    { state: "credited", seen: [came("100", { credited: usd("100") }), came("100")], now: during },
    { state: "credited", credited: "100" },
  ],
  [
    "more than the whole sum again after the credit: an operator decides",
    { state: "credited", seen: [came("100", { credited: usd("100") }), came("180")], now: during },
    { state: "review", why: "surplus" },
  ],
  [
    "seen, then gone",
    { state: "confirming", seen: [came("100", { alive: false })], now: during },
    { state: "awaiting" },
  ],
  [
    "credited, then gone",
    { state: "credited", seen: [came("100", { alive: false, credited: usd("100") })], now: during },
    { state: "review", why: "vanished" },
  ],
  [
    "another coin",
    { seen: [came("100", { currency: "eth" })], now: during },
    { state: "review", why: "other coin" },
  ],
  [
    "the chain's own coin below a dollar after it was credited, as the fee to empty the address with",
    {
      state: "credited",
      seen: [came("100", { credited: usd("100") }), other("0.9"), other("0.9")],
      now: after,
    },
    { state: "credited" },
  ],
  [
    "the chain's own coin worth a dollar after it was credited",
    { state: "credited", seen: [came("100", { credited: usd("100") }), other("1")], now: after },
    { state: "review", why: "other coin" },
  ],
  [
    "several other coins, each worth less than a dollar, after it was credited",
    {
      state: "credited",
      seen: [came("100", { credited: usd("100") }), other("0.5", "bep20"), other("0.6", "usdtbep20")],
      now: after,
    },
    { state: "credited" },
  ],
  [
    "a token worth a dollar after it was credited",
    {
      state: "credited",
      seen: [came("100", { credited: usd("100") }), other("0.5", "usdtbep20"), other("0.5", "usdtbep20")],
      now: after,
    },
    { state: "review", why: "other coin" },
  ],
  [
    "another coin worth less than a dollar stops nothing",
    { seen: [other("0.02"), came("100")], now: during },
    { state: "credited", credited: "100" },
  ],
  [
    "another coin worth less than a dollar alone ends like nothing",
    { seen: [other("0.02")], now: expiresAt },
    { state: "expired" },
  ],
  [
    "another coin worth more waits, and the right sum beside it is credited",
    { seen: [other("30"), came("100")], now: during },
    { state: "review", credited: "100", why: "other coin" },
  ],
  [
    "the right sum that comes while another coin waits is credited",
    { state: "review", seen: [other("30"), came("100")], now: during },
    { state: "review", credited: "100", why: "other coin" },
  ],
  [
    "less than the right sum waits with the other coin",
    { state: "review", seen: [other("30"), came("60")], now: during },
    { state: "review" },
  ],
  [
    "what comes after a refusal is not credited beside another coin",
    { state: "review", seen: [came("100", { decided: true }), other("30"), came("100")], now: during },
    { state: "review" },
  ],
  [
    "another coin after its end",
    { state: "expired", seen: [other("30")], now: after },
    { state: "review", why: "other coin" },
  ],
  ["under review it stays", { state: "review", seen: [came("100")], now: after }, { state: "review" }],
  [
    "rejected it stays, whatever was decided about",
    { state: "rejected", seen: [came("100", { decided: true })], now: after },
    { state: "rejected" },
  ],
  [
    "what comes after it was rejected must be decided about",
    { state: "rejected", seen: [came("100", { decided: true }), came("5")], now: after },
    { state: "review", why: "rejected" },
  ],
  [
    "rejected, and more is on its way",
    { state: "rejected", seen: [came("5", { confirmed: false })], now: after },
    { state: "rejected" },
  ],
  [
    "another amount than was read",
    { seen: [came("100", { disputed: true })], now: during },
    { state: "review", why: "amount" },
  ],
  [
    "another coin that was decided about, and then more",
    {
      state: "credited",
      seen: [came("7", { currency: "eth", decided: true, credited: usd("7") }), came("100")],
      now: during,
    },
    { state: "credited", credited: "100" },
  ],
  [
    "what was refused is not given with what comes later",
    { state: "credited", seen: [came("100", { decided: true }), came("3")], now: during },
    { state: "credited", credited: "3" },
  ],
  [
    "gone, and the operator has let it be",
    {
      state: "credited",
      seen: [came("100", { alive: false, decided: true, credited: usd("100") }), came("3")],
      now: during,
    },
    { state: "credited", credited: "3" },
  ],
];

test.each(cases)("%s", (_name, { state, creditAsked, seen, rate, now }, expected) => {
  const current = rate === "none" ? undefined : rate === undefined ? par : usd(rate);
  const next = nextState({ ...asked, state: state ?? "awaiting", creditAsked }, seen, current, now);
  expect(next.state).toBe(expected.state);
  expect(next.why).toBe(expected.why);
  if (expected.credited !== undefined) expect(credited(next)).toBe(usd(expected.credited));
  if (!expected.credited) expect(credited(next)).toBe(0n);
});

test("who paid in time was in time, though our node saw it late, and though the block's clock runs ahead", () => {
  expect(cameAtOf({ firstSeen: after, blockAt: during })).toEqual(during);
  expect(cameAtOf({ firstSeen: during, blockAt: after })).toEqual(during);
  expect(cameAtOf({ firstSeen: after, blockAt: null })).toEqual(after);
});

test("a payment that time alone can change is looked at again when its time comes", () => {
  expect(nextState(asked, [], par, during).dueAt).toEqual(expiresAt);
  const next = nextState(asked, [came("60")], par, during);
  expect(next.dueAt).not.toBeNull();
  expect(nextState(asked, [came("60")], par, next.dueAt ?? created).state).toBe("credited");
  expect(nextState(asked, [], par, after).dueAt).toBeNull();
});

const step = fc.record({
  amount: fc.bigInt({ min: 1n, max: 250_000_000n }),
  minutes: fc.nat({ max: 70 }),
  confirmed: fc.boolean(),
  rate: fc.option(fc.bigInt({ min: 1n, max: 300_000_000n }), { nil: undefined }),
});

function play(steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[], due: bigint) {
  let state: State = "awaiting";
  let now = created;
  let seen: Seen[] = [];
  const told: State[] = [state];
  const times = new Map<string, number>();
  const settle = (rate: Usd | undefined) => {
    const next = nextState({ ...asked, due, state }, seen, rate, now);
    seen = seen.map((transfer) => {
      const credit = next.credits.find(({ key }) => key === transfer.key);
      if (!credit) return transfer;
      times.set(transfer.key, (times.get(transfer.key) ?? 0) + 1);
      return { ...transfer, credited: credit.usd };
    });
    state = next.state;
    told.push(state);
  };
  for (const { amount, minutes, confirmed, rate } of steps) {
    now = secondsAfter(now, minutes * 60);
    seen.push({ ...came("1"), amount, cameAt: now, confirmed });
    settle(rate as Usd | undefined);
    if (minutes % 2 === 0) seen = seen.map((transfer) => ({ ...transfer, confirmed: true }));
    settle(rate as Usd | undefined);
    settle(rate as Usd | undefined);
  }
  return { seen, told, times };
}

test("whatever comes, in whatever order: each transfer is credited once, and never more than the locked rate gives", () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 12 }),
      fc.bigInt({ min: 1n, max: 200_000_000n }),
      (steps, due) => {
        const { seen, told, times } = play(steps, due);
        for (const count of times.values()) expect(count).toBe(1);
        const arrived = seen
          .filter((one) => one.credited !== null)
          .reduce((all, one) => all + one.amount, 0n);
        const given = seen.reduce((all, one) => all + (one.credited ?? 0n), 0n);
        expect(given).toBeLessThanOrEqual((asked.usd * arrived) / due);
        for (const one of seen) {
          expect(one.credited ?? 0n).toBeGreaterThanOrEqual(0n);
          if (one.credited !== null) expect(one.confirmed).toBe(true);
        }
        const left = told.slice(told.indexOf("credited")).filter((state) => state !== "credited");
        if (told.includes("credited")) expect(left.every((state) => state === "review")).toBe(true);
      },
    ),
    { numRuns: 400 },
  );
});
